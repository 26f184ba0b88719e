/** Dialogs that create an API token, show its secret once, and set its monthly limits. */
import { Code, NumberInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ApiToken, CreatedToken } from '../../../contract/accounts/tokens.ts';
import { call } from '../../client.ts';
import { FormDialog, SecretDialog } from '../../components/dialogs.tsx';
import { Hint } from '../../components/text.tsx';
import { numberOrNull } from '../../components/form-values.ts';
import { required, useServerForm, within } from '../../components/use-server-form.ts';
import { texts } from '../../messages.ts';
import { limitQuestion } from '../data/limit-question.ts';

const t = texts.tokens;

/**
 * Asks for the token's name, then creates the token.
 * @param made called with the token and its secret, which no later response contains
 */
export function NameToken({ close, made }: { close: () => void; made: (token: CreatedToken) => void }) {
  const generating = useServerForm({
    values: { name: '' },
    check: { name: required },
    send: (body) => call<CreatedToken>('POST', '/tokens', { body }),
    meta: { refetches: [['tokens']] },
    sent: made,
    secret: true,
  });
  return (
    <FormDialog title={t.generate} action={t.create} of={generating} close={close}>
      <TextInput
        label={t.name}
        description={t.nameHelp}
        required
        maxLength={100}
        data-autofocus
        {...generating.form.getInputProps('name')}
      />
    </FormDialog>
  );
}

/** Asks for a name, then shows the new token's secret once. */
export function GenerateToken({ close }: { close: () => void }) {
  const [made, setMade] = useState<CreatedToken>();
  if (made === undefined) return <NameToken close={close} made={setMade} />;
  return (
    <SecretDialog
      title={t.secretTitle}
      lead={t.secretLead}
      label={t.secretLabel}
      secret={made.token}
      copyLabel={t.copySecret}
      close={close}
    >
      <Hint>
        {t.usage} <Code>{`Authorization: Bearer ${made.prefix}…`}</Code>
      </Hint>
    </SecretDialog>
  );
}

/** Sets how many credits and messages a token's calls may use per month. */
export function LimitToken({ token, close }: { token: ApiToken; close: () => void }) {
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
      monthly_credit_limit: within({ min: 0 }),
      monthly_message_limit: within({ min: 0, whole: true }),
    },
    ask: ({ monthly_credit_limit: credits, monthly_message_limit: messages }) =>
      limitQuestion('token', 'credits', numberOrNull(credits), token.this_month.credits) ??
      limitQuestion('token', 'messages', numberOrNull(messages), token.this_month.messages),
    meta: { refetches: [['tokens']], done: t.limited },
    sent: close,
  });
  const { getInputProps } = limiting.form;
  return (
    <FormDialog title={t.limitTitle(token.name)} action={texts.common.save} of={limiting} close={close}>
      <NumberInput
        label={texts.data.limitLabel}
        description={t.limitHelp}
        placeholder={texts.data.none}
        min={0}
        data-autofocus
        {...getInputProps('monthly_credit_limit')}
      />
      <NumberInput
        label={texts.data.messageLimitLabel}
        description={t.limitHelp}
        placeholder={texts.data.none}
        min={0}
        allowDecimal={false}
        {...getInputProps('monthly_message_limit')}
      />
    </FormDialog>
  );
}
