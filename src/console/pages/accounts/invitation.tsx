/**
 * The page behind an invitation link: shows the invitation and accepts it. The token is the part of the URL after #. It
 * is sent only in request bodies, so that no access log contains it.
 */
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { OfferedInvitation } from '../../../contract/accounts/invitations.ts';
import { ApiProblem, call } from '../../client.ts';
import { SignedOut } from '../../components/page.tsx';
import { Failure, Waiting, Problem } from '../../components/states.tsx';
import { required, useServerForm } from '../../components/use-server-form.ts';
import { Hint, TextLink } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import { useSessionChanged } from '../../shell/session.ts';
import { ProviderButtons } from './providers.tsx';

const t = texts.offer;

export function Invitation() {
  const [token] = useState(() => window.location.hash.slice(1));
  const offer = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => call<OfferedInvitation>('POST', '/invitation', { body: { token } }),
    staleTime: Infinity,
  });
  if (offer.data !== undefined) return <Offer offer={offer.data} token={token} />;
  if (offer.error === null) return <Waiting />;
  const { error } = offer;
  if (!(error instanceof ApiProblem) || (error.code !== 'not_found' && error.code !== 'validation_failed')) {
    return (
      <div className="signed-out">
        <Failure error={error} retry={() => void offer.refetch()} />
      </div>
    );
  }
  return (
    <SignedOut title={t.closedTitle} lead={error.code === 'not_found' ? error.message : t.noToken}>
      <TextLink to="/">{t.toSignIn}</TextLink>
    </SignedOut>
  );
}

function Offer({ offer, token }: { offer: OfferedInvitation; token: string }) {
  const { email, organization, role_name, invited_by, signed_in } = offer;
  const changed = useSessionChanged();
  const [, navigate] = useLocation();
  const accepting = useServerForm({
    values: { name: '', password: '' },
    check: signed_in ? {} : { password: required },
    send: ({ name, password }) => {
      const fields = signed_in ? {} : { password, ...(name.trim() !== '' && { name }) };
      return call('POST', '/invitation/accept', { body: { token, ...fields } });
    },
    sent: async () => {
      navigate('/', { replace: true });
      await changed();
    },
  });
  const { form, trying, submit } = accepting;
  return (
    <SignedOut title={t.title(organization)} lead={t.lead(invited_by, role_name)} submit={submit}>
      <TextInput label={t.as} value={email} readOnly autoComplete="username" />
      {signed_in ? (
        <Hint>{t.signedIn}</Hint>
      ) : (
        <>
          <TextInput
            label={t.name}
            description={t.nameHelp}
            autoComplete="name"
            maxLength={100}
            {...form.getInputProps('name')}
          />
          <PasswordInput
            required
            label={t.password}
            description={t.passwordHelp}
            autoComplete="current-password"
            {...form.getInputProps('password')}
          />
        </>
      )}
      <Problem of={trying} />
      <Button type="submit" loading={trying.isPending} fullWidth size="md">
        {t.accept}
      </Button>
      {!signed_in && <ProviderButtons invitation={token} />}
    </SignedOut>
  );
}
