import { log } from '@temporalio/activity';
import { cleanUps, deleteBatch } from '../../src/adapters/postgres/data/clean-ups.ts';
import type { ActivityDeps } from '../../src/app/deps.ts';

const batch = 1000;
/** Maximum time per table and round; the rest waits for the next round. */
const budgetMs = 10_000;

/**
 * Deletes expired rows in small batches, so that other statements run in between. Returns the number of deleted rows,
 * for each table that had any.
 */
export function cleanUpActivity({ db }: Pick<ActivityDeps, 'db'>) {
  return async (): Promise<Record<string, number>> => {
    const deleted: Record<string, number> = {};
    for (const one of cleanUps) {
      const end = performance.now() + budgetMs;
      try {
        for (let rows = batch; rows === batch && performance.now() < end;) {
          rows = await deleteBatch(db, one, batch);
          if (rows > 0) deleted[one.table] = (deleted[one.table] ?? 0) + rows;
        }
      } catch (error) {
        // A failing table must not delay the others.
        log.warn('a table could not be cleaned up', { table: one.table, error });
      }
    }
    return deleted;
  };
}
