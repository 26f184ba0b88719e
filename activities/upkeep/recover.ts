import { recoverStalled, type Recovered } from '../../src/app/conversations/recover.ts';
import type { ActivityDeps } from '../../src/app/deps.ts';

/** Recovers what a crash left behind: one round over all conversations. */
export function recoverActivity(deps: ActivityDeps) {
  return async (): Promise<Recovered> => await recoverStalled(deps);
}
