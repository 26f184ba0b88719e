/** Calls a tool with arguments that the user enters, and shows the result as a model would read it. */
import { Alert, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { HttpToolResult } from '../../contract/http-tools/http-tools.ts';
import { texts } from '../messages.ts';
import { Dialog, DialogForm } from './dialogs.tsx';
import { SchemaFields, useSchemaForm } from './schema-fields.tsx';
import { Hint, PlainText } from './text.tsx';

const t = texts.httpTools;
const outcomeColors = { succeeded: 'green', failed: 'red', unknown: 'yellow' } as const;

interface Tried {
  name: string;
  /** JSON Schema of the tool's arguments. */
  parameters: unknown;
}
type Send = (input: Record<string, unknown>, tool: string) => Promise<HttpToolResult>;

/** @param props.tools at least one tool. If there are several, the user selects the one to call. */
export function TryTool(props: { tools: readonly Tried[]; send: Send; close: () => void }) {
  const { tools, send, close } = props;
  const [name, setName] = useState(tools[0]?.name);
  const tool = tools.find((one) => one.name === name);
  return (
    <Dialog title={t.tryTitle(name ?? '')} onClose={close}>
      <Stack>
        {tools.length > 1 && (
          <Select
            label={t.tool}
            data={tools.map((one) => one.name)}
            value={name ?? null}
            allowDeselect={false}
            searchable
            onChange={(chosen) => setName(chosen ?? name)}
          />
        )}
        {tool !== undefined && <TryForm key={tool.name} tool={tool} send={send} close={close} />}
      </Stack>
    </Dialog>
  );
}

function TryForm({ tool, send, close }: { tool: Tried; send: Send; close: () => void }) {
  const { name, parameters } = tool;
  const trying = useSchemaForm(parameters, (input) => send(input, name), [['tool-activity']]);
  const result = trying.answer;
  return (
    <DialogForm action={t.run} of={trying} close={close}>
      <Hint>{t.tryHelp}</Hint>
      <SchemaFields {...trying} />
      {result !== undefined && !trying.trying.isPending && (
        <Alert
          ref={bringIntoView}
          color={outcomeColors[result.outcome]}
          role="status"
          title={t.outcomes[result.outcome]}
        >
          <Text size="xs">{t.result}</Text>
          <PlainText text={result.text} label={t.result} mah={240} />
        </Alert>
      )}
    </DialogForm>
  );
}

/** Scrolls a result into view: the button that asked for it stays in view while its form is scrolled. */
function bringIntoView(result: HTMLElement | null): void {
  result?.scrollIntoView({ block: 'nearest' });
}
