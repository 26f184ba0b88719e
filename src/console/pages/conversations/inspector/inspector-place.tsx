import { useState } from 'react';
import { lazily } from '../../../lazily.tsx';
import { useInspector } from './use-inspector.ts';

const Inspector = lazily(() => import('./inspector.tsx'), 'Inspector');

/** Renders the inspector. Its code loads when the user first inspects a run. */
export function InspectorPlace() {
  const { runId } = useInspector();
  const [wasOpened, setOpened] = useState(false);
  if (runId !== undefined && !wasOpened) setOpened(true);
  // The inspector stays rendered after it is closed, so that its closing transition runs and it returns the focus.
  return wasOpened || runId !== undefined ? <Inspector /> : null;
}
