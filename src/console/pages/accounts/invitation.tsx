/** The page of an invitation link: shows the invitation, and lets the user accept it. */
import '@mantine/core/styles.layer.css';
import { PasswordInput, TextInput } from '@mantine/core';
import { useLocation } from 'wouter';
import type { OfferedInvitation } from '../../../contract/accounts/invitations.ts';
import { call } from '../../client.ts';
import { fieldsWith } from '../../components/form-values.ts';
import { SignedOut } from '../../components/page.tsx';
import { Submit } from '../../components/states.tsx';
import { required, useServerForm } from '../../components/use-server-form.ts';
import { Hint } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import { useSessionChanged } from '../../shell/session.ts';
import { LinkPage } from './link-page.tsx';
import { ProviderButtons } from './providers.tsx';

const t = texts.offer;

export function Invitation() {
  return (
    <LinkPage
      read={(body) => call<OfferedInvitation>('POST', '/invitation', { body })}
      closedTitle={t.closedTitle}
    >
      {(offer, token) => <Offer offer={offer} token={token} />}
    </LinkPage>
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
  const field = fieldsWith(t, form.getInputProps);
  return (
    <SignedOut title={t.title(organization)} lead={t.lead(invited_by, role_name)} submit={submit}>
      <TextInput label={t.as} value={email} readOnly autoComplete="username" />
      {signed_in ? (
        <Hint>{t.signedIn}</Hint>
      ) : (
        <>
          <TextInput autoComplete="name" maxLength={100} {...field('name')} />
          <PasswordInput required autoComplete="current-password" {...field('password')} />
        </>
      )}
      <Submit of={trying} label={t.accept} fullWidth size="md" />
      {!signed_in && <ProviderButtons invitation={token} />}
    </SignedOut>
  );
}
