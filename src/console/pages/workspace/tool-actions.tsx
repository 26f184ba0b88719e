/** A searchable list of the workspace's actions, each with its schema and a form to try it. */
import { Badge, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { DocsResult, DocsToolDefinition } from '../../../contract/workspace/actions.ts';
import { call } from '../../client.ts';
import { indented } from '../../components/format.ts';
import { SchemaFields, useSchemaForm } from '../../components/schema-fields.tsx';
import { Problem } from '../../components/states.tsx';
import { Label, PlainText } from '../../components/text.tsx';
import { ActivityText, AgentsOfTool, useToolActivity } from '../../components/tool-activity.tsx';
import { texts } from '../../messages.ts';
import { useCan } from '../../shell/session.ts';

const t = texts.tools;

export function ToolActions(props: { actions: readonly DocsToolDefinition[]; canTry: boolean }) {
  const { actions, canTry } = props;
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const shown = actions.filter(({ action, summary }) =>
    `${action} ${summary}`.toLowerCase().includes(wanted),
  );
  return (
    <section aria-label={t.actions}>
      <Stack>
        <TextInput
          label={t.searchActions}
          type="search"
          maw={360}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <div className="panel">
          {shown.map((action) => (
            <Action key={action.action} action={action} canTry={canTry} />
          ))}
        </div>
      </Stack>
    </section>
  );
}

function Action({ action, canTry }: { action: DocsToolDefinition; canTry: boolean }) {
  const can = useCan();
  const [opened, setOpened] = useState(false);
  const { summary, effect, deprecated } = action;
  return (
    <details className="action" onToggle={(event) => setOpened(event.currentTarget.open)}>
      <summary>
        <span className="mono">{action.action}</span>
        <Badge color={effect === 'read' ? 'gray' : 'indigo'}>{effect}</Badge>
        {deprecated && <Badge color="yellow">{t.deprecated(deprecated.use)}</Badge>}
        <Text span size="sm" c="dimmed" className="action-summary">
          {summary}
        </Text>
        <ActionActivity action={action.action} />
      </summary>
      {opened && (
        <Stack pt="sm">
          <AgentsOfTool tool={action.action} />
          {canTry && can('tools.manage') && <Try action={action} />}
          <details>
            <Text component="summary" size="sm">
              {t.schema}
            </Text>
            <PlainText
              text={JSON.stringify(action.input_schema, null, 2)}
              label={`${action.action}: ${t.schema}`}
            />
          </details>
        </Stack>
      )}
    </details>
  );
}

/** Shows how many agents use the action, and today's calls. Renders nothing if there are neither agents nor calls. */
function ActionActivity({ action }: { action: string }) {
  const { data } = useToolActivity();
  if (data?.data.some(({ tool }) => tool === action) !== true) return null;
  return (
    <Text span size="xs" className="action-activity">
      <ActivityText tool={action} />
    </Text>
  );
}

function Try({ action: { action, input_schema } }: { action: DocsToolDefinition }) {
  const { fields, form, submit, trying, answer } = useSchemaForm(
    input_schema,
    (input) => call<DocsResult>('POST', `/tools/docs/actions/${action}`, { body: { input } }),
    [['tool-activity']],
  );
  return (
    <form noValidate onSubmit={submit} aria-label={`${action}: ${t.input}`}>
      <Stack gap="sm" maw={720}>
        <SchemaFields schema={input_schema} fields={fields} form={form} />
        <Group>
          <Button type="submit" size="xs" loading={trying.isPending}>
            {t.run}
          </Button>
        </Group>
        <Problem of={trying} />
        {answer && !trying.isPending && (
          <Stack gap="xs" role="status">
            <Group gap="sm">
              <Label size="sm">{t.result}</Label>
              <Badge color={answer.successful ? 'green' : 'red'}>
                {answer.successful ? t.succeeded : t.failed}
              </Badge>
            </Group>
            <PlainText text={answer.error ?? indented(answer.data)} label={`${action}: ${t.result}`} />
          </Stack>
        )}
      </Stack>
    </form>
  );
}
