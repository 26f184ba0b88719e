/** The page of the URL inside the frame, for a user who is signed in. */
import '@mantine/core/styles.layer.css';
import { useLocation } from 'wouter';
import { Boundary } from './boundary.tsx';
import { Frame } from './frame.tsx';
import { Pages } from './pages.tsx';
import { pageOf } from './place.ts';
import type { ConsoleSession } from '../../contract/accounts/session.ts';
import { SessionContext } from './session.ts';
import { AskBeforeLeaving } from './unsaved.tsx';

export function SignedIn({ session }: { session: ConsoleSession }) {
  const [path] = useLocation();
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
