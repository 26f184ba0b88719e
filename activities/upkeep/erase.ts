/** Erases requested and expired data, a part per round. */
import { withHeartbeat } from '../../src/worker/heartbeat.ts';
import type { ActivityDeps } from '../../src/app/deps.ts';
import { eraseDue } from '../../src/app/data/erase-due.ts';
import { eraseExpired } from '../../src/app/data/erase-expired.ts';

export function eraseActivity(deps: ActivityDeps) {
  return {
    /** @returns how many were processed, whatever their outcome */
    async erase(): Promise<{ erasures: number; expired: number }> {
      return await withHeartbeat(async () => ({
        erasures: await eraseDue(deps),
        expired: await eraseExpired(deps),
      }));
    },
  };
}
