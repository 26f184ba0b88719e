/** The step of the sign-in page that asks for a reset link by mail. Only if the installation has a mail server. */
import { Anchor, TextInput } from '@mantine/core';
import { call } from '../../client.ts';
import { fieldsWith } from '../../components/form-values.ts';
import { SignedOut } from '../../components/page.tsx';
import { Submit } from '../../components/states.tsx';
import { Hint } from '../../components/text.tsx';
import { required, useServerForm } from '../../components/use-server-form.ts';
import { texts } from '../../messages.ts';

const t = texts.forgotten;

/**
 * @param props.email what was entered on the sign-in page
 * @param props.back called with the email to return to the sign-in page
 */
export function Forgotten(props: { email: string; back: (email: string) => void }) {
  const asking = useServerForm({
    values: { email: props.email },
    check: { email: required },
    send: async (body) => {
      await call('POST', '/password-reset/request', { body });
      return body;
    },
  });
  const { form, trying, submit, answer } = asking;
  const back = (
    <Anchor component="button" type="button" size="sm" onClick={() => props.back(form.getValues().email)}>
      {t.back}
    </Anchor>
  );
  if (answer !== undefined) {
    return (
      <SignedOut title={t.sentTitle} lead={t.sent}>
        <Hint style={{ overflowWrap: 'anywhere' }}>{t.sentHelp(answer.email)}</Hint>
        {back}
      </SignedOut>
    );
  }
  return (
    <SignedOut title={t.title} lead={t.lead} submit={submit}>
      <TextInput
        type="email"
        required
        autoFocus
        autoComplete="username"
        {...fieldsWith(t, form.getInputProps)('email')}
      />
      <Submit of={trying} label={t.submit} fullWidth size="md" />
      {back}
    </SignedOut>
  );
}
