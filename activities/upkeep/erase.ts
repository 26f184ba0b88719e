import { eraseDue, eraseExpired } from '../../src/app/data/erase-due.ts';
import type { ActivityDeps } from '../../src/app/deps.ts';

/**
 * Runs one round of erasure. Safe to repeat.
 * @returns how many erasures and expired conversations were processed, including those that failed and are retried in a
 * later round
 */
export function eraseActivity(deps: ActivityDeps) {
  return async (): Promise<{ erasures: number; expired: number }> => ({
    erasures: await eraseDue(deps),
    expired: await eraseExpired(deps),
  });
}
