/** Dialogs that create an API token, show its secret once, and set its monthly limits and credit caps. */
import { Checkbox, Code, MultiSelect, NumberInput, Radio, Select, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import {
  maxAgentsOfToken,
  scopePresets,
  scopesToGive,
  tokenScopes,
  type TokenScope,
} from '../../../contract/accounts/token-scopes.ts';
import type { ApiToken, CreatedToken, CreateTokenForm } from '../../../contract/accounts/tokens.ts';
import { call } from '../../client.ts';
import { CapFields } from '../../components/cap-fields.tsx';
import { capsIn, capValues, ownCaps, type CapValues } from '../../components/cap-values.ts';
import { FormDialog, SecretDialog } from '../../components/dialogs.tsx';
import { choicesOf } from '../../components/filters.tsx';
import { Hint } from '../../components/text.tsx';
import { useAgents } from '../../components/queries.ts';
import { useSession } from '../../shell/session.ts';
import { fieldsWith, numberOrNull } from '../../components/form-values.ts';
import { required, useServerForm, within } from '../../components/use-server-form.ts';
import { texts } from '../../messages.ts';
import { limitQuestion } from '../data/limit-question.ts';

const t = texts.tokens;
const accesses = ['full', 'send', 'read', 'choose'] as const;

type Access = 'full' | keyof typeof scopePresets | 'choose';

interface TokenValues extends Record<string, unknown> {
  name: string;
  access: Access;
  scopes: TokenScope[];
  agent_ids: string[];
  expiry: string;
}

/** @param mine the scopes that the user may give to a token */
function bodyOf({ name, access, scopes, agent_ids, expiry }: TokenValues, mine: readonly TokenScope[]) {
  const chosen =
    access === 'choose'
      ? scopes
      : access === 'full'
        ? undefined
        : scopePresets[access].filter((scope) => mine.includes(scope));
  return {
    name,
    ...(chosen && { scopes: chosen }),
    ...(agent_ids.length > 0 && { agent_ids }),
    ...(expiry !== 'never' && { expires_in_days: Number(expiry) }),
  } satisfies CreateTokenForm;
}

/**
 * Asks for the token's name, access, agents and expiration, then creates the token.
 * @param made called with the token and its secret; no later response contains the secret
 */
export function NameToken({ close, made }: { close: () => void; made: (token: CreatedToken) => void }) {
  const mine = scopesToGive(useSession().capabilities);
  const values: TokenValues = { name: '', access: 'full', scopes: [], agent_ids: [], expiry: 'never' };
  const generating = useServerForm({
    values,
    check: { name: required },
    send: (now) => call<CreatedToken>('POST', '/tokens', { body: bodyOf(now, mine) }),
    meta: { refetches: [['tokens']] },
    sent: made,
    secret: true,
  });
  const { getInputProps } = generating.form;
  const field = fieldsWith(t, getInputProps);
  const agents = useAgents();
  const givesAll = mine.length === tokenScopes.length;
  return (
    <FormDialog title={t.generate} action={t.create} of={generating} close={close}>
      <TextInput required maxLength={100} data-autofocus {...field('name')} />
      <Radio.Group {...field('access')}>
        <Stack gap="xs" mt="xs">
          {accesses.map((one) => {
            const { label, text } = t.presets[one === 'full' && !givesAll ? 'allowed' : one];
            const isEmpty =
              one in scopePresets && bodyOf({ ...values, access: one }, mine).scopes?.length === 0;
            return <Radio key={one} value={one} label={label} description={text} disabled={isEmpty} />;
          })}
        </Stack>
      </Radio.Group>
      {generating.form.values.access === 'choose' && (
        <Checkbox.Group label={t.scopesTitle} {...getInputProps('scopes')}>
          <Stack gap="xs" mt="xs">
            {mine.map((scope) => (
              <Checkbox
                key={scope}
                value={scope}
                label={t.scopes[scope]}
                description={<Code>{scope}</Code>}
              />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
      <MultiSelect
        {...field('agents', 'agent_ids')}
        placeholder={generating.form.values.agent_ids.length === 0 ? t.everyAgent : undefined}
        data={(agents.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        searchable
        maxValues={maxAgentsOfToken}
      />
      <Select data={choicesOf(t.expiries)} {...field('expiry')} />
    </FormDialog>
  );
}

/** Creates a token and shows its secret once. */
export function GenerateToken({ close }: { close: () => void }) {
  const [made, setMade] = useState<CreatedToken>();
  if (made === undefined) return <NameToken close={close} made={setMade} />;
  return <TokenSecret made={made} close={close} />;
}

export function TokenSecret({ made, close }: { made: CreatedToken; close: () => void }) {
  return (
    <SecretDialog {...t.made} secret={made.token} close={close}>
      <Hint>
        {t.usage} <Code>{`Authorization: Bearer ${made.prefix}…`}</Code>
      </Hint>
    </SecretDialog>
  );
}

/** Sets a token's monthly limits on credits and messages, and its credit caps. */
export function LimitToken({ token, close }: { token: ApiToken; close: () => void }) {
  const values: {
    monthly_credit_limit: number | string;
    monthly_message_limit: number | string;
    credit_caps: CapValues;
  } = {
    monthly_credit_limit: token.monthly_credit_limit ?? '',
    monthly_message_limit: token.monthly_message_limit ?? '',
    credit_caps: capValues(token.credit_caps, ownCaps),
  };
  const limiting = useServerForm({
    values,
    send: ({ monthly_credit_limit: credits, monthly_message_limit: messages, credit_caps: caps }) =>
      call('PUT', `/tokens/${token.id}/limit`, {
        body: {
          monthly_credit_limit: numberOrNull(credits),
          monthly_message_limit: numberOrNull(messages),
          credit_caps: capsIn(caps),
        },
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
      <Hint>{texts.data.capsHelp}</Hint>
      <CapFields names={ownCaps} inputProps={(path) => getInputProps(path)} />
    </FormDialog>
  );
}
