/** Sets how many credits and messages a token's calls may use per month. */
import { NumberInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import type { ApiToken } from '../../../contract/accounts/tokens.ts';
import { call } from '../../client.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { numberOrNull } from '../../components/number-or-null.ts';
import { useServerForm, within } from '../../components/use-server-form.ts';
import { words } from '../../messages.ts';
import { limitQuestion } from '../data/limit-question.ts';

const w = words.tokens;

export function LimitToken({ token, close }: { token: ApiToken; close: () => void }) {
  const queries = useQueryClient();
  const values: { monthly_credit_limit: number | string; monthly_message_limit: number | string } = {
    monthly_credit_limit: token.monthly_credit_limit ?? '',
    monthly_message_limit: token.monthly_message_limit ?? '',
  };
  const limiting = useServerForm({
    values,
    send: ({ monthly_credit_limit: credits, monthly_message_limit: messages }) =>
      call('PUT', `/tokens/${token.id}/limit`, {
        body: { monthly_credit_limit: numberOrNull(credits), monthly_message_limit: numberOrNull(messages) },
      }),
    check: {
      monthly_credit_limit: within({ least: 0 }),
      monthly_message_limit: within({ least: 0, whole: true }),
    },
    ask: ({ monthly_credit_limit: credits, monthly_message_limit: messages }) =>
      limitQuestion('token', 'credits', numberOrNull(credits), token.this_month.credits) ??
      limitQuestion('token', 'messages', numberOrNull(messages), token.this_month.messages),
    sent: async () => {
      await queries.invalidateQueries({ queryKey: ['tokens'] });
      notifications.show({ message: w.limited });
      close();
    },
  });
  return (
    <FormDialog title={w.limitTitle(token.name)} action={words.common.save} of={limiting} close={close}>
      <NumberInput
        label={words.data.limitLabel}
        description={w.limitHelp}
        placeholder={words.data.none}
        min={0}
        data-autofocus
        {...limiting.form.getInputProps('monthly_credit_limit')}
      />
      <NumberInput
        label={words.data.messageLimitLabel}
        description={w.limitHelp}
        placeholder={words.data.none}
        min={0}
        allowDecimal={false}
        {...limiting.form.getInputProps('monthly_message_limit')}
      />
    </FormDialog>
  );
}
