/** Erases what has grown older than its organization keeps things, a part at each look. */
import { log } from '@temporalio/activity';
import type { Database } from '../../adapters/postgres/database.ts';
import { eraseExpiredPart, findExpired } from '../../adapters/postgres/data/retention.ts';

/** Of one look: what was left behind elsewhere waits meanwhile. */
const budgetMs = 10_000;
const batch = 200;

/** @returns how many conversations were looked at */
export async function eraseExpired(db: Database): Promise<number> {
  const end = performance.now() + budgetMs;
  let looked = 0;
  for (const expired of await findExpired(db, batch)) {
    if (performance.now() > end) break;
    looked += 1;
    try {
      await eraseExpiredPart(db, expired);
    } catch (error) {
      // One that fails must not hold up the others.
      log.warn('an expired conversation could not be erased', { conversationId: expired.id, error });
    }
  }
  return looked;
}
