/**
 * A searchable list of the workspace's actions by subject, each with its plain name, its effect, its schema and a form to
 * run it.
 */
import { Badge, Button, Group, SegmentedControl, Stack, Text, TextInput, Title } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { DocsResult, DocsToolDefinition } from '../../../contract/workspace/actions.ts';
import type { ToolConnection } from '../../../contract/workspace/tools.ts';
import { call } from '../../client.ts';
import { Copy } from '../../components/copy.tsx';
import { indented } from '../../components/format.ts';
import { IconChevronDown } from '../../components/icons.tsx';
import { SchemaFields, useSchemaForm } from '../../components/schema-fields.tsx';
import { Problem } from '../../components/states.tsx';
import { Hint, Label, PlainText, Summary } from '../../components/text.tsx';
import { ToolUse, ToolUseCount } from '../../components/tool-activity.tsx';
import { textsOf, toolLabel } from '../../components/workspace-presets.ts';
import { subjects } from '../../components/workspace-subjects.ts';
import { texts } from '../../messages.ts';
import { useCan } from '../../shell/session.ts';
import { WorkspaceSelect } from './workspace-select.tsx';

const t = texts.tools;

const effectOf = ({ effect }: DocsToolDefinition) => (effect === 'read' ? 'read' : 'write');

/**
 * @param props.workspaces the connected workspaces; if there are none, no action can be run
 * @param props.wanted an action that is found and opened at first
 */
export function ToolActions(props: {
  actions: readonly DocsToolDefinition[];
  workspaces: readonly ToolConnection[];
  wanted?: string | undefined;
}) {
  const { actions, workspaces, wanted: wantedAction } = props;
  const can = useCan();
  const [chosen, setChosen] = useState('');
  const workspace = workspaces.find(({ id }) => id === chosen) ?? workspaces[0];
  const runsIn = can('tools.manage') ? workspace?.id : undefined;
  const [search, setSearch] = useState(wantedAction ?? '');
  const [effect, setEffect] = useState('all');
  const wanted = search.trim().toLowerCase();
  const fits = (one: DocsToolDefinition) =>
    (effect === 'all' || effectOf(one) === effect) &&
    `${one.action} ${toolLabel(one.action)} ${textsOf(one.action)?.text ?? ''} ${one.summary}`
      .toLowerCase()
      .includes(wanted);
  const groups = subjects
    .map(({ name, actions: ids }) => ({
      name,
      shown: ids.flatMap((id) => actions.find(({ action }) => action === id) ?? []).filter(fits),
    }))
    .filter(({ shown }) => shown.length > 0);
  const count = (of: 'read' | 'write') => actions.filter((one) => effectOf(one) === of).length;
  return (
    <section aria-label={t.actions}>
      <Stack>
        <Group align="flex-end">
          <TextInput
            label={t.searchActions}
            type="search"
            w={{ base: '100%', xs: 320 }}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
          <SegmentedControl
            aria-label={t.effect}
            data={[
              { value: 'all', label: `${t.allEffects} ${String(actions.length)}` },
              { value: 'read', label: `${t.effects.read} ${String(count('read'))}` },
              { value: 'write', label: `${t.effects.write} ${String(count('write'))}` },
            ]}
            value={effect}
            onChange={setEffect}
          />
          {runsIn !== undefined && (
            <WorkspaceSelect workspaces={workspaces} value={runsIn} onChange={setChosen} />
          )}
        </Group>
        {groups.length === 0 && (
          <Text c="dimmed" role="status">
            {t.noAction}
          </Text>
        )}
        {groups.map(({ name, shown }) => (
          <section key={name} aria-label={name} className="panel">
            <Title order={3} size="sm" className="action-subject">
              {name}{' '}
              <Text span inherit c="dimmed" fw={400}>
                {shown.length}
              </Text>
            </Title>
            {shown.map((action) => (
              <Action
                key={action.action}
                action={action}
                runsIn={runsIn}
                isWanted={action.action === wantedAction}
              />
            ))}
          </section>
        ))}
      </Stack>
    </section>
  );
}

/**
 * @param props.runsIn id of the workspace in which the user can run the action; undefined if the user cannot
 * @param props.isWanted true if the action is open at first, and gets the focus
 */
function Action(props: { action: DocsToolDefinition; runsIn: string | undefined; isWanted: boolean }) {
  const { action, runsIn, isWanted } = props;
  const [opened, setOpened] = useState(isWanted);
  const line = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isWanted) return;
    line.current?.scrollIntoView({ block: 'center' });
    line.current?.focus({ preventScroll: true });
  }, [isWanted]);
  const { summary, deprecated } = action;
  const effect = effectOf(action);
  return (
    <details className="action" open={opened} onToggle={(event) => setOpened(event.currentTarget.open)}>
      <summary ref={line}>
        <IconChevronDown size={16} />
        <span className="action-name">{toolLabel(action.action)}</span>
        <Text span size="sm" c="dimmed" className="action-text">
          {textsOf(action.action)?.text ?? summary}
        </Text>
        <span className="action-use">
          <ToolUseCount tool={action.action} />
        </span>
        <Group gap={6} className="action-effect">
          {deprecated && <Badge color="yellow">{t.deprecated}</Badge>}
          <Badge color={effect === 'read' ? 'gray' : 'indigo'}>{t.effects[effect]}</Badge>
        </Group>
      </summary>
      {opened && (
        <Stack pt="sm">
          <Hint>
            {summary} {deprecated && t.useInstead(deprecated.use.replaceAll(/DOCS_\w+/g, toolLabel))}{' '}
            {t.identifier}: <span className="mono">{action.action}</span>
          </Hint>
          <ToolUse tool={action.action} omitsCalls />
          {runsIn !== undefined && <Try action={action} runsIn={runsIn} />}
          <details>
            <Summary>{t.schema}</Summary>
            <PlainText
              text={JSON.stringify(action.input_schema, null, 2)}
              label={`${toolLabel(action.action)}: ${t.schema}`}
            />
          </details>
        </Stack>
      )}
    </details>
  );
}

function Try({ action: { action, input_schema }, runsIn }: { action: DocsToolDefinition; runsIn: string }) {
  const form = useSchemaForm(
    input_schema,
    (input) =>
      call<DocsResult>('POST', `/tools/docs/actions/${action}`, { body: { input, connection_id: runsIn } }),
    [['tool-activity']],
  );
  const { submit, trying, answer } = form;
  const label = toolLabel(action);
  const result = answer && (answer.error ?? indented(answer.data));
  return (
    <form noValidate onSubmit={submit} aria-label={`${label}: ${t.input}`}>
      <Stack gap="sm" maw={720}>
        <SchemaFields {...form} />
        <Group>
          <Button type="submit" size="xs" loading={trying.isPending}>
            {t.run}
          </Button>
        </Group>
        <Problem of={trying} />
        {answer && result !== undefined && !trying.isPending && (
          <Stack gap="xs">
            <Group gap="sm" role="status">
              <Label size="sm">{t.result}</Label>
              <Badge color={answer.successful ? 'green' : 'red'}>
                {answer.successful ? t.succeeded : t.failed}
              </Badge>
            </Group>
            <PlainText text={result} label={`${label}: ${t.result}`} />
            <Copy text={result} label={t.copyResult} />
          </Stack>
        )}
      </Stack>
    </form>
  );
}
