import { Suspense, useState } from 'react';
import { lazily } from '../../../lazily.ts';
import { useInspector } from './use-inspector.ts';

const Inspector = lazily(() => import('./inspector.tsx'), 'Inspector');

/** Renders the inspector. Its code loads when a run is first inspected. */
export function InspectorPlace() {
  const { runId } = useInspector();
  const [wasOpened, setOpened] = useState(false);
  if (runId !== undefined && !wasOpened) setOpened(true);
  // The inspector stays rendered after it is closed, so that its transition runs and it returns the focus.
  return wasOpened || runId !== undefined ? (
    <Suspense fallback={null}>
      <Inspector />
    </Suspense>
  ) : null;
}
