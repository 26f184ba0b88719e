/**
 * Sign-in through identity providers: the buttons that open a provider's page, and the page to which the provider
 * redirects the browser afterwards.
 */
import { Anchor, Button, Divider, Loader, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import type { SignInOffer } from '../../../contract/accounts/identity-providers.ts';
import { call } from '../../client.ts';
import { GoogleMark, IconKey } from '../../components/icons.tsx';
import { SignedOut } from '../../components/page.tsx';
import { useRead } from '../../components/queries.ts';
import { Problem } from '../../components/states.tsx';
import { texts } from '../../messages.ts';
import { useSessionChanged } from '../../shell/session.ts';
import { CodeForm } from './code-form.tsx';

const t = texts.providers;

const providersPath = '/sign-in-providers';

/** Reads what the sign-in page offers: identity providers, and whether a reset link can be asked for. */
export const useSignInOffer = () =>
  useRead<SignInOffer>(['sign-in-providers'], providersPath, { staleTime: Infinity });

/**
 * Shows a button for each identity provider that the operator has configured. Renders nothing if there are none.
 * @param props.invitation token of the invitation that the user accepts by signing in
 */
export function ProviderButtons({ invitation }: { invitation?: string }) {
  const { data: { data: offered } = { data: [] } } = useSignInOffer();
  const leaving = useMutation({
    mutationFn: async (id: string) => {
      const body = invitation === undefined ? {} : { invitation };
      const { url } = await call<{ url: string }>('POST', `${providersPath}/${id}`, { body });
      window.location.assign(url);
    },
  });
  if (offered.length === 0) return null;
  return (
    <Stack gap="sm">
      <Divider label={t.or} />
      {offered.map(({ id, label }) => (
        <Button
          key={id}
          variant="default"
          size="md"
          fullWidth
          leftSection={/^google$/i.test(label) ? <GoogleMark /> : <IconKey />}
          loading={leaving.isPending && leaving.variables === id}
          onClick={() => leaving.mutate(id)}
        >
          {t.continueWith(label)}
        </Button>
      ))}
      <Problem of={leaving} />
    </Stack>
  );
}

/** Removes the provider's parameters from the URL, and completes the sign-in with them. */
export function ProviderReturn() {
  const [path, navigate] = useLocation();
  const [returned] = useState(() => ({ path, parameters: window.location.search.slice(1) }));
  const changed = useSessionChanged();
  const finishing = useMutation({
    mutationFn: () =>
      call<{ second_factor: true } | undefined>(
        'POST',
        `${providersPath}/${returned.path.replace(/^\/sign-in\//, '')}/finish`,
        { body: { parameters: returned.parameters } },
      ),
    onSuccess: async (answer) => {
      if (answer !== undefined) return;
      navigate('/', { replace: true });
      await changed();
    },
  });
  const { mutate } = finishing;
  useEffect(() => {
    window.history.replaceState(null, '', returned.path);
    mutate();
  }, [returned, mutate]);
  const toSignIn = () => navigate('/', { replace: true });
  if (finishing.data !== undefined) return <CodeForm done={toSignIn} back={toSignIn} />;
  if (finishing.error === null) {
    return (
      <SignedOut title={t.finishing} lead={t.finishingLead}>
        <Loader size="sm" role="status" aria-label={texts.common.loading} />
      </SignedOut>
    );
  }
  return (
    <SignedOut title={texts.signIn.failed} lead={t.failedLead}>
      <Problem of={finishing} />
      <Anchor component="button" type="button" size="sm" onClick={toSignIn}>
        {t.toSignIn}
      </Anchor>
    </SignedOut>
  );
}
