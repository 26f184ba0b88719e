import { recoverStalled, type Recovered } from '../../src/app/conversations/recover.ts';
import { recoverRehearsals } from '../../src/app/rehearsals/recover-rehearsals.ts';
import type { ActivityDeps } from '../../src/app/deps.ts';

/** Runs one round of recovery, safe to repeat at any time. Returns how many conversations it recovered, by kind. */
export function recoverActivity(deps: ActivityDeps) {
  return async (): Promise<Recovered> => {
    const recovered = await recoverStalled(deps);
    await recoverRehearsals(deps);
    return recovered;
  };
}
