/** Erases what was asked for and what has grown too old, a part at each look. */
import { beating } from './beating.ts';
import type { ActivityDeps } from './deps.ts';
import { eraseDue } from './erase-due.ts';
import { eraseExpired } from './erase-expired.ts';

export function eraseActivity(deps: ActivityDeps) {
  return {
    /** @returns how many were looked at, whatever came of it */
    async erase(): Promise<{ erasures: number; expired: number }> {
      return await beating(async () => ({
        erasures: await eraseDue({ db: deps.db, workflows: deps.workflows }),
        expired: await eraseExpired(deps.db),
      }));
    },
  };
}
