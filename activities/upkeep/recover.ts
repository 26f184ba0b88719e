import { recoverStalled, type Recovered } from '../../src/app/conversations/recover.ts';
import type { ActivityDeps } from '../../src/app/deps.ts';

/** Runs one round of recovery. Returns how many conversations it recovered, by kind. */
export function recoverActivity(deps: ActivityDeps) {
  return async (): Promise<Recovered> => await recoverStalled(deps);
}
