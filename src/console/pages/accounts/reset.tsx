/** The page of a reset link, where the user sets a new password. */
import '@mantine/core/styles.layer.css';
import { PasswordInput } from '@mantine/core';
import { useState } from 'react';
import type { OfferedReset } from '../../../contract/accounts/password-reset.ts';
import { call } from '../../client.ts';
import { fieldsWith } from '../../components/form-values.ts';
import { SignedOut } from '../../components/page.tsx';
import { Submit } from '../../components/states.tsx';
import { TextLink } from '../../components/text.tsx';
import { required, useServerForm } from '../../components/use-server-form.ts';
import { texts } from '../../messages.ts';
import { useSessionChanged } from '../../shell/session.ts';
import { LinkPage } from './link-page.tsx';

const t = texts.reset;

export function Reset() {
  const [done, setDone] = useState(false);
  if (done)
    return (
      <SignedOut title={t.doneTitle} lead={t.done}>
        <TextLink to="/">{t.toSignIn}</TextLink>
      </SignedOut>
    );
  return (
    <LinkPage
      read={(body) => call<OfferedReset>('POST', '/password-reset', { body })}
      closedTitle={t.closedTitle}
    >
      {({ email }, token) => <NewPassword email={email} token={token} done={() => setDone(true)} />}
    </LinkPage>
  );
}

function NewPassword({ email, token, done }: { email: string; token: string; done: () => void }) {
  const changed = useSessionChanged();
  const choosing = useServerForm({
    values: { password: '' },
    check: { password: required },
    send: ({ password }) => call('POST', '/password-reset/use', { body: { token, password } }),
    sent: async () => {
      done();
      await changed();
    },
  });
  const { form, trying, submit } = choosing;
  return (
    <SignedOut title={t.title} lead={t.lead(email)} submit={submit}>
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordInput
        required
        autoComplete="new-password"
        {...fieldsWith(t, form.getInputProps)('password')}
      />
      <Submit of={trying} label={t.submit} fullWidth size="md" />
    </SignedOut>
  );
}
