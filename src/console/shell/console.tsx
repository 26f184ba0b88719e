/**
 * Shows the sign-in page or, if the user is signed in, the page of the URL inside the frame. The pages of invitations,
 * of reset links and of the return from an identity provider open in both cases, without the frame.
 */
import { useLocation } from 'wouter';
import { Failure, Waiting } from '../components/states.tsx';
import { lazily } from '../lazily.tsx';
import { ProviderReturn } from '../pages/accounts/providers.tsx';
import { SignIn } from '../pages/accounts/sign-in.tsx';
import { Boundary } from './boundary.tsx';
import './held-back.ts';
import { useSessionQuery } from './session.ts';

// Apart from the sign-in, so that a phone without a session does not fetch the frame with the navigation.
const SignedIn = lazily(() => import('./signed-in.tsx'), 'SignedIn', <Waiting />);
const Invitation = lazily(() => import('../pages/accounts/invitation.tsx'), 'Invitation', <Waiting />);
const Reset = lazily(() => import('../pages/accounts/reset.tsx'), 'Reset', <Waiting />);

export function Console() {
  return (
    <Boundary>
      <CurrentPage />
    </Boundary>
  );
}

function CurrentPage() {
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
  if (path === '/invitation') return <Invitation />;
  if (path === '/reset') return <Reset />;
  if (path.startsWith('/sign-in/')) return <ProviderReturn />;
  if (session === null) return <SignIn />;
  return <SignedIn session={session} />;
}
