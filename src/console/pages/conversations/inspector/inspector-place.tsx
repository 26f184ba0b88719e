import { Suspense, useState } from 'react';
import { lazily } from '../../../lazily.ts';
import { useInspector } from './use-inspector.ts';

const Inspector = lazily(() => import('./inspector.tsx'), 'Inspector');

/** The place of the inspector in a page. Its code loads when it is first opened. */
export function InspectorPlace() {
  const { runId } = useInspector();
  const [wasOpened, setOpened] = useState(false);
  if (runId !== undefined && !wasOpened) setOpened(true);
  // Stays after it is closed, for the transition and to return the focus.
  return wasOpened || runId !== undefined ? (
    <Suspense fallback={null}>
      <Inspector />
    </Suspense>
  ) : null;
}
