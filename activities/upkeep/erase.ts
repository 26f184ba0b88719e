import { eraseDue, eraseExpired } from '../../src/app/data/erase-due.ts';
import type { ActivityDeps } from '../../src/app/deps.ts';

/** Erases requested and expired data, a part per round. Returns how many were processed, whatever their outcome. */
export function eraseActivity(deps: ActivityDeps) {
  return async (): Promise<{ erasures: number; expired: number }> => ({
    erasures: await eraseDue(deps),
    expired: await eraseExpired(deps),
  });
}
