/** Erases conversations that are older than their organization's retention, a batch per run. */
import { log } from '@temporalio/activity';
import type { Database } from '../../adapters/postgres/database.ts';
import { eraseExpiredPart, findExpired } from '../../adapters/postgres/data/retention.ts';

/** Maximum time of one run, so that other recovery work is not delayed. */
const budgetMs = 10_000;
const batch = 200;

/** @returns how many conversations were processed */
export async function eraseExpired(db: Database): Promise<number> {
  const end = performance.now() + budgetMs;
  let looked = 0;
  for (const expired of await findExpired(db, batch)) {
    if (performance.now() > end) break;
    looked += 1;
    try {
      await eraseExpiredPart(db, expired);
    } catch (error) {
      // A failing conversation must not delay the others.
      log.warn('an expired conversation could not be erased', { conversationId: expired.id, error });
    }
  }
  return looked;
}
