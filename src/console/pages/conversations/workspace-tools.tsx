/** Form fields for an agent's actions in document workspaces: three presets, and each action as a checkbox. */
import { Alert, Checkbox, Input, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import type { ToolConnection } from '../../../contract/workspace/tools.ts';
import { SearchField } from '../../components/search-field.tsx';
import { Fold, Hint, Label, TextLink } from '../../components/text.tsx';
import { actionsIn, isWorkspaceAction, textsOf, withTools } from '../../components/workspace-presets.ts';
import { texts } from '../../messages.ts';

const t = texts.workspaceActions;
const presets = ['search', 'read', 'write'] as const;

interface Choosing {
  tools: readonly string[];
  setTools: (tools: string[]) => void;
  disabled: boolean;
}

/** @param props.chosen ids of the agent's workspaces; empty if it uses the organization's only one */
export function WorkspaceTools(
  props: Choosing & { connections: UseQueryResult<ToolConnection[]>; chosen: readonly string[] },
) {
  const { tools, setTools, disabled, connections, chosen } = props;
  const all = actionsIn();
  const chosenCount = tools.filter(isWorkspaceAction).length;
  const usable = (connections.data ?? []).filter(({ status }) => status !== 'pending');
  const used = chosen.length === 0 ? usable : usable.filter(({ id }) => chosen.includes(id));
  if (connections.isPending) return null;
  const isOffered = chosenCount > 0 || usable.length > 0 || connections.isError;
  return (
    <Stack gap="sm" role="group" aria-label={t.title}>
      <div>
        <Input.Label component="div">{t.title}</Input.Label>
        <Hint>{isOffered ? used.map(nameOf).join(', ') : t.offer}</Hint>
      </div>
      {isOffered ? (
        <>
          {chosenCount > 0 && connections.data && <Trouble usable={usable} used={used} />}
          {presets.map((preset) => (
            <Preset key={preset} {...{ preset, tools, setTools, disabled }} />
          ))}
          <Fold head={<Text size="sm">{t.single(chosenCount, all.length)}</Text>}>
            <SingleActions {...{ tools, setTools, disabled }} />
          </Fold>
        </>
      ) : (
        <TextLink to="/admin/tools">{t.connect}</TextLink>
      )}
    </Stack>
  );
}

const nameOf = ({ workspace_name }: ToolConnection): string => workspace_name ?? texts.tools.unnamed;

/** Warns if no workspace is connected, or if all workspaces of the agent refuse their credentials. */
function Trouble({ usable, used }: Record<'usable' | 'used', readonly ToolConnection[]>) {
  const refused = used.filter(({ status }) => status === 'needs_reconnect');
  if (usable.length > 0 && (refused.length === 0 || refused.length < used.length)) return null;
  return (
    <Alert color="yellow" className="plain-text">
      {usable.length === 0 ? t.notConnected : t.refused(refused.map(nameOf))}{' '}
      <TextLink to={usable.length === 0 ? '/admin/tools' : '/admin/tools?tab=connected'}>
        {usable.length === 0 ? t.connect : t.reconnect}
      </TextLink>
    </Alert>
  );
}

function Preset(props: Choosing & { preset: (typeof presets)[number] }) {
  const { preset, tools, setTools, disabled } = props;
  const actions = actionsIn(preset);
  const count = actions.filter((action) => tools.includes(action)).length;
  const isWhole = count === actions.length;
  const { name, text } = t.presets[preset];
  return (
    <Checkbox
      label={name}
      description={`${text} ${t.count(count, actions.length)}`}
      checked={isWhole}
      indeterminate={count > 0 && !isWhole}
      disabled={disabled}
      onChange={() => setTools(withTools(tools, actions, !isWhole))}
    />
  );
}

function SingleActions({ tools, setTools, disabled }: Choosing) {
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const groups = [...presets, 'none' as const]
    .map((preset) => ({ preset, actions: actionsIn(preset).filter((id) => isMatch(id, wanted)) }))
    .filter(({ actions }) => actions.length > 0);
  return (
    <>
      <SearchField label={t.search} text={search} setText={setSearch} />
      {groups.length === 0 && <Text c="dimmed">{t.noMatch}</Text>}
      {groups.map(({ preset, actions }) => {
        const title = preset === 'none' ? t.none : t.presets[preset].name;
        return (
          <Stack key={preset} gap="xs" role="group" aria-label={title}>
            <Label size="sm">{title}</Label>
            {actions.map((id) => {
              const { name = id, text = '', why = '' } = textsOf(id) ?? {};
              return (
                <Checkbox
                  key={id}
                  label={name}
                  description={`${text} ${why}`}
                  checked={tools.includes(id)}
                  disabled={disabled}
                  onChange={(event) => setTools(withTools(tools, [id], event.currentTarget.checked))}
                />
              );
            })}
          </Stack>
        );
      })}
    </>
  );
}

function isMatch(id: string, wanted: string): boolean {
  const { name = '', text = '' } = textsOf(id) ?? {};
  return `${id} ${name} ${text}`.toLowerCase().includes(wanted);
}
