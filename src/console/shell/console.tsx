/** Signed out: the sign-in page. Signed in: the frame with the URL's page. Invitations open in both cases. */
import { Center, Loader } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useLocation } from 'wouter';
import { Failure } from '../components/failure.tsx';
import { words } from '../messages.ts';
import { Boundary } from './boundary.tsx';
import { Frame } from './frame.tsx';
import { Pages } from './pages.tsx';
import { AskBeforeLeaving } from './unsaved.tsx';
import { SessionContext, useSessionQuery } from './session.ts';
import { SignIn } from '../pages/accounts/sign-in.tsx';

const Invitation = lazy(async () => ({
  default: (await import('../pages/accounts/invitation.tsx')).Invitation,
}));

export function Console() {
  const [path] = useLocation();
  const { data: session, error, isPending, refetch } = useSessionQuery();
  if (isPending) return <Waiting />;
  if (session === undefined) {
    return (
      <div className="signed-out">
        <Failure error={error} retry={() => void refetch()} />
      </div>
    );
  }
  if (path === '/invitation') {
    return (
      <Suspense fallback={<Waiting />}>
        <Invitation />
      </Suspense>
    );
  }
  if (session === null) return <SignIn />;
  return (
    <SessionContext value={session}>
      <AskBeforeLeaving>
        <Frame>
          <Boundary key={path}>
            <Pages />
          </Boundary>
        </Frame>
      </AskBeforeLeaving>
    </SessionContext>
  );
}

function Waiting() {
  return (
    <Center mih="100vh">
      <Loader aria-label={words.common.loading} role="status" />
    </Center>
  );
}
