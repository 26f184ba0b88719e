import { recoverStalled, type Recovered } from '../../src/app/conversations/recover.ts';
import { recoverRehearsals } from '../../src/app/rehearsals/recover-rehearsals.ts';
import type { ActivityDeps } from '../../src/app/deps.ts';

/**
 * Runs one round of recovery: of conversations, then of rehearsals. Safe to repeat at any time.
 * @returns the numbers of conversations nudged, runs failed and workflows replaced; rehearsals are not counted
 */
export function recoverActivity(deps: ActivityDeps) {
  return async (): Promise<Recovered> => {
    const recovered = await recoverStalled(deps);
    await recoverRehearsals(deps);
    return recovered;
  };
}
