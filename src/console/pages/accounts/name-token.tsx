/** Asks for the token's name, then creates the token. */
import { TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { CreatedToken } from '../../../contract/accounts/tokens.ts';
import { call } from '../../client.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { required, useServerForm } from '../../components/use-server-form.ts';
import { words } from '../../messages.ts';

const w = words.tokens;

/** @param made called with the token and its secret, which no later response contains */
export function NameToken({ close, made }: { close: () => void; made: (token: CreatedToken) => void }) {
  const queries = useQueryClient();
  const generating = useServerForm({
    values: { name: '' },
    check: { name: required },
    send: (body) => call<CreatedToken>('POST', '/tokens', { body }),
    sent: async (token) => {
      made(token);
      await queries.invalidateQueries({ queryKey: ['tokens'] });
    },
    secret: true,
  });
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
