/** Calls a tool with arguments that the user enters, and shows the result as a model would read it. */
import { Alert, Text } from '@mantine/core';
import type { HttpToolResult } from '../../contract/http-tools/http-tools.ts';
import { texts } from '../messages.ts';
import { FormDialog } from './dialogs.tsx';
import { SchemaFields, useSchemaForm } from './schema-fields.tsx';
import { Hint, PlainText } from './text.tsx';

const t = texts.httpTools;
const outcomeColors = { succeeded: 'green', failed: 'red', unknown: 'yellow' } as const;

/** @param props.parameters JSON Schema of the tool's arguments */
export function TryTool(props: {
  name: string;
  parameters: unknown;
  send: (input: Record<string, unknown>) => Promise<HttpToolResult>;
  close: () => void;
}) {
  const { name, parameters, send, close } = props;
  const trying = useSchemaForm(parameters, send, [['tool-activity']]);
  const result = trying.answer;
  return (
    <FormDialog title={t.tryTitle(name)} action={t.run} of={trying} close={close}>
      <Hint>{t.tryHelp}</Hint>
      <SchemaFields {...trying} />
      {result !== undefined && !trying.trying.isPending && (
        <Alert color={outcomeColors[result.outcome]} role="status" title={t.outcomes[result.outcome]}>
          <Text size="xs">{t.result}</Text>
          <PlainText text={result.text} label={t.result} mah={240} />
        </Alert>
      )}
    </FormDialog>
  );
}
