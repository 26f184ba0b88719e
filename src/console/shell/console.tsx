/** Signed out: the sign-in page. Signed in: the frame with the URL's page. Invitations open in both cases. */
import { Suspense } from 'react';
import { useLocation } from 'wouter';
import { Failure, Waiting } from '../components/states.tsx';
import { lazily } from '../lazily.ts';
import { SignIn } from '../pages/accounts/sign-in.tsx';
import { Boundary } from './boundary.tsx';
import { Frame } from './frame.tsx';
import { Pages } from './pages.tsx';
import { SessionContext, useSessionQuery } from './session.ts';
import { AskBeforeLeaving } from './unsaved.tsx';

const Invitation = lazily(() => import('../pages/accounts/invitation.tsx'), 'Invitation');

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
