/** Shows how two versions of an agent differ, and all settings of a version. */
import { Stack, Text } from '@mantine/core';
import { stringify } from 'yaml';
import type {
  AgentChange,
  AgentContent,
  AgentVersionDetail,
} from '../../../contract/conversations/agent-versions.ts';
import { keysOf } from '../../../contract/keys-of.ts';
import { LineChanges } from '../../components/line-changes.tsx';
import { useAgents, useConnections, useRead } from '../../components/queries.ts';
import { Loaded } from '../../components/states.tsx';
import { Fold, Hint, Label, PlainText } from '../../components/text.tsx';
import { toolLabel } from '../../components/workspace-presets.ts';
import { texts } from '../../messages.ts';
import { versionedFields, type VersionedField } from './version-content.ts';

const t = texts.versions;

/**
 * Returns a function that formats the value of a versioned field as text, with the names of agents, workspaces and
 * workspace actions instead of their ids. For the fields `model` and `connections` and the parameters of the model, null
 * means the default, which the text names. Any other null, undefined and an empty list become an empty text.
 */
function useTextOf(): (field: VersionedField, value: unknown) => string {
  const agents = useAgents().data ?? [];
  const connections = useConnections().data ?? [];
  const names = new Map<unknown, string>([
    ...agents.map(({ id, name }) => [id, name] as const),
    ...connections.map(({ id, workspace_name }) => [id, workspace_name ?? texts.tools.unnamed] as const),
  ]);
  return (field, value) => {
    if (field === 'model' && value === null) return t.defaultModel;
    if (field === 'connections' && value === null) return t.onlyWorkspace;
    if (isParameter(field)) return parameterText(field, value);
    if (value == null || (Array.isArray(value) && value.length === 0)) return '';
    if (typeof value === 'string') return value;
    if (typeof value === 'boolean') return value ? t.on : t.off;
    if (Array.isArray(value) && value.every((one) => typeof one === 'string'))
      return value.map((one) => names.get(one) ?? (field === 'tools' ? toolLabel(one) : one)).join('\n');
    return stringify(value).trimEnd();
  };
}

const isParameter = (field: VersionedField) =>
  field === 'temperature' || field === 'max_output_tokens' || field === 'reasoning_effort';

function parameterText(field: VersionedField, value: unknown): string {
  const { efforts, providerDefault } = texts.agent;
  if (value == null) return providerDefault;
  const effort = keysOf(efforts).find((one) => field === 'reasoning_effort' && one === value);
  return effort === undefined ? stringify(value).trimEnd() : efforts[effort];
}

export function Changes({ changes }: { changes: readonly AgentChange[] }) {
  const textOf = useTextOf();
  if (changes.length === 0) return <Hint>{t.same}</Hint>;
  return (
    <Stack gap="sm">
      {changes.map(({ field, before, after }) => (
        <div key={field}>
          <Label mb={4}>{t.fields[field]}</Label>
          <LineChanges
            before={textOf(field, before)}
            after={textOf(field, after)}
            label={t.changeOf(t.fields[field])}
          />
        </div>
      ))}
    </Stack>
  );
}

/**
 * Reads a version of an agent, and its differences from another version.
 * @param compareWith number of the other version; by default, the newest stored version before `version`
 */
export function useVersion(agentId: string, version: number, compareWith?: number) {
  return useRead<AgentVersionDetail>(
    ['agents', agentId, 'version', version, compareWith],
    `/agents/${agentId}/versions/${String(version)}`,
    { query: { compare_with: compareWith } },
  );
}

/** Shows the changes from version `comparedWith` to `version`. */
export function ChangesOfVersion(props: { agentId: string; version: number; comparedWith: number }) {
  const query = useVersion(props.agentId, props.version, props.comparedWith);
  return <Loaded query={query}>{({ changes }) => <Changes changes={changes} />}</Loaded>;
}

/** Shows all settings of a version, each collapsed. */
export function Content({ content }: { content: AgentContent }) {
  const textOf = useTextOf();
  return (
    <div className="folds">
      {versionedFields.map((field) => {
        const text = textOf(field, content[field]);
        return (
          <Fold key={field} head={t.fields[field]}>
            {content[field] === undefined ? (
              <Hint>{t.notRecorded}</Hint>
            ) : text === '' ? (
              <Text size="sm">{texts.common.none}</Text>
            ) : (
              <PlainText text={text} label={t.fields[field]} />
            )}
          </Fold>
        );
      })}
    </div>
  );
}
