/**
 * Shows the sign-in page or, if the user is signed in, the page of the URL inside the frame. The pages of invitations,
 * of reset links and of the return from an identity provider open in both cases, without the frame.
 */
import { Alert, Button, Stack } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { Failure, Waiting } from '../components/states.tsx';
import { lazily } from '../lazily.tsx';
import { texts } from '../messages.ts';
import { ProviderReturn } from '../pages/accounts/providers.tsx';
import { SignIn } from '../pages/accounts/sign-in.tsx';
import { Pages } from './pages.tsx';
import { pageOf } from './place.ts';
import { SessionContext, useSessionQuery } from './session.ts';
import { AskBeforeLeaving } from './unsaved.tsx';

// Apart from the sign-in, so that a phone without a session does not fetch the navigation and the search.
const Frame = lazily(() => import('./frame.tsx'), 'Frame', <Waiting />);
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
  return (
    <SessionContext value={session}>
      <AskBeforeLeaving>
        <Frame>
          <Boundary key={pageOf(path)}>
            <Pages />
          </Boundary>
        </Frame>
      </AskBeforeLeaving>
    </SessionContext>
  );
}

/**
 * Shows an error instead of a page that throws while it renders or whose code cannot be fetched. Inside the frame, the
 * navigation stays usable.
 */
class Boundary extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError(): { broken: boolean } {
    return { broken: true };
  }

  override render(): ReactNode {
    if (!this.state.broken) return this.props.children;
    return (
      <Alert color="red" title={texts.common.somethingWrong} role="alert">
        <Stack align="start">
          <Button variant="default" onClick={() => window.location.reload()}>
            {texts.common.reload}
          </Button>
        </Stack>
      </Alert>
    );
  }
}
