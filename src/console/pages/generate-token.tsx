/** A name, then the secret: once. */
import { Code, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { CreatedToken } from '../../contract/console/tokens.ts';
import { call } from '../client.ts';
import { FormDialog } from '../pieces/form-dialog.tsx';
import { SecretDialog } from '../pieces/secret-dialog.tsx';
import { required, useServerForm } from '../pieces/use-server-form.ts';
import { words } from '../words.ts';

const w = words.tokens;

export function GenerateToken({ close }: { close: () => void }) {
  const queries = useQueryClient();
  const generating = useServerForm({
    values: { name: '' },
    check: { name: required },
    send: (body) => call<CreatedToken>('POST', '/tokens', { body }),
    sent: () => queries.invalidateQueries({ queryKey: ['tokens'] }),
    secret: true,
  });
  const made = generating.answer;
  if (made !== undefined) {
    return (
      <SecretDialog
        title={w.secretTitle}
        lead={w.secretLead}
        label={w.secretLabel}
        secret={made.token}
        copyLabel={w.copySecret}
        close={close}
      >
        <Text size="sm" c="dimmed">
          {w.usage} <Code>{`Authorization: Bearer ${made.prefix}…`}</Code>
        </Text>
      </SecretDialog>
    );
  }
  return (
    <FormDialog title={w.generate} action={w.create} of={generating} close={close}>
      <TextInput
        label={w.name}
        description={w.nameHelp}
        required
        withAsterisk={false}
        maxLength={100}
        data-autofocus
        {...generating.form.getInputProps('name')}
      />
    </FormDialog>
  );
}
