/** Erases requested and expired data, a part per round. */
import { beating } from '../../src/worker/heartbeat.ts';
import type { ActivityDeps } from '../../src/app/deps.ts';
import { eraseDue } from '../../src/app/data/erase-due.ts';
import { eraseExpired } from '../../src/app/data/erase-expired.ts';

export function eraseActivity(deps: ActivityDeps) {
  return {
    /** @returns how many were processed, whatever their outcome */
    async erase(): Promise<{ erasures: number; expired: number }> {
      return await beating(async () => ({
        erasures: await eraseDue({ db: deps.db, workflows: deps.workflows }),
        expired: await eraseExpired(deps.db),
      }));
    },
  };
}
