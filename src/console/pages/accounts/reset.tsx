/**
 * The page behind a reset link: chooses a new password. The token is the part of the URL after #. It is sent only in
 * request bodies, so that no access log contains it.
 */
import { Button, PasswordInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { OfferedReset } from '../../../contract/accounts/password-reset.ts';
import { ApiProblem, call } from '../../client.ts';
import { SignedOut } from '../../components/page.tsx';
import { Failure, Problem, Waiting } from '../../components/states.tsx';
import { TextLink } from '../../components/text.tsx';
import { required, useServerForm } from '../../components/use-server-form.ts';
import { texts } from '../../messages.ts';
import { useSessionChanged } from '../../shell/session.ts';

const t = texts.reset;

export function Reset() {
  const [token] = useState(() => window.location.hash.slice(1));
  const [done, setDone] = useState(false);
  const reset = useQuery({
    queryKey: ['password-reset', token],
    queryFn: () => call<OfferedReset>('POST', '/password-reset', { body: { token } }),
    staleTime: Infinity,
  });
  if (done)
    return (
      <SignedOut title={t.doneTitle} lead={t.done}>
        <TextLink to="/">{t.toSignIn}</TextLink>
      </SignedOut>
    );
  if (reset.data !== undefined)
    return <NewPassword email={reset.data.email} token={token} done={() => setDone(true)} />;
  if (reset.error === null) return <Waiting />;
  const { error } = reset;
  if (!(error instanceof ApiProblem) || (error.code !== 'not_found' && error.code !== 'validation_failed')) {
    return (
      <div className="signed-out">
        <Failure error={error} retry={() => void reset.refetch()} />
      </div>
    );
  }
  return (
    <SignedOut title={t.closedTitle} lead={error.code === 'not_found' ? error.message : texts.offer.noToken}>
      <TextLink to="/">{texts.offer.toSignIn}</TextLink>
    </SignedOut>
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
        label={t.password}
        description={t.passwordHelp}
        autoComplete="new-password"
        {...form.getInputProps('password')}
      />
      <Problem of={trying} />
      <Button type="submit" loading={trying.isPending} fullWidth size="md">
        {t.submit}
      </Button>
    </SignedOut>
  );
}
