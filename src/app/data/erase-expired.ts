/** Erases conversations that are older than their organization's retention, a batch per run. */
import type { ActivityDeps } from '../deps.ts';
import { eraseExpiredPart, findExpired } from '../../adapters/postgres/data/retention.ts';

/** Maximum time of one run, so that other recovery work is not delayed. */
const budgetMs = 10_000;
const batch = 200;

/** @returns how many conversations were processed */
export async function eraseExpired({ db, warn }: Pick<ActivityDeps, 'db' | 'warn'>): Promise<number> {
  const end = performance.now() + budgetMs;
  let looked = 0;
  for (const expired of await findExpired(db, batch)) {
    if (performance.now() > end) break;
    looked += 1;
    try {
      await eraseExpiredPart(db, expired);
    } catch (error) {
      // A failing conversation must not delay the others.
      warn({ conversation_id: expired.id, err: error }, 'an expired conversation could not be erased');
    }
  }
  return looked;
}
