/** The actions of a tool, each with its schema and a form to try it. */
import { Badge, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import type { DocsToolDefinition } from '../../../contract/workspace/actions.ts';
import { call } from '../../client.ts';
import { Problem } from '../../components/states.tsx';
import { Label, PlainText } from '../../components/text.tsx';
import { lazily } from '../../lazily.ts';
import { texts } from '../../messages.ts';
import { useCan } from '../../shell/session.ts';
import { inputSkeleton } from './input-skeleton.ts';

const t = texts.tools;
const CodeEditor = lazily(() => import('../../components/code-editor.tsx'), 'CodeEditor');

interface ActionResult {
  data: string;
  error?: string;
  successful: boolean;
}

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
      </summary>
      {opened && (
        <Stack pt="sm">
          {canTry && can('tools.manage') && <Try action={action} />}
          <Label size="sm">{t.schema}</Label>
          <PlainText
            text={JSON.stringify(action.input_schema, null, 2)}
            label={`${action.action}: ${t.schema}`}
          />
        </Stack>
      )}
    </details>
  );
}

function Try({ action: { action, input_schema } }: { action: DocsToolDefinition }) {
  const [text, setText] = useState(() => inputSkeleton(input_schema));
  const run = useMutation({
    mutationFn: async () =>
      await call<ActionResult>('POST', `/tools/docs/actions/${action}`, {
        body: { input: objectFrom(text) },
      }),
  });
  const result = run.data;
  return (
    <Stack gap="xs">
      <Label size="sm">{t.input}</Label>
      <Suspense fallback={null}>
        <CodeEditor
          label={`${action}: ${t.input}`}
          language="json"
          value={text}
          onChange={setText}
          height="140px"
        />
      </Suspense>
      <Group>
        <Button size="xs" loading={run.isPending} onClick={() => run.mutate()}>
          {t.run}
        </Button>
      </Group>
      <Problem of={run} />
      {result && (
        <Stack gap="xs" role="status">
          <Group gap="sm">
            <Label size="sm">{t.result}</Label>
            <Badge color={result.successful ? 'green' : 'red'}>
              {result.successful ? t.succeeded : t.failed}
            </Badge>
          </Group>
          <PlainText text={result.error ?? result.data} label={`${action}: ${t.result}`} />
        </Stack>
      )}
    </Stack>
  );
}

function objectFrom(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(texts.tools.badJson, { cause });
  }
}
