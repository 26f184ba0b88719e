/** Deletes what nobody needs any more, in small batches: other statements go on in between. */
import { log } from '@temporalio/activity';
import { cleanUps, deleteBatch } from '../../src/adapters/postgres/data/clean-ups.ts';
import { beating } from '../../src/worker/heartbeat.ts';
import type { ActivityDeps } from '../../src/app/deps.ts';

const batch = 1000;
/** Of one table at one look: the rest waits for the next. */
const budgetMs = 10_000;

export function cleanUpActivity({ db }: Pick<ActivityDeps, 'db'>) {
  return {
    /** @returns how many rows of each table, of those that had any */
    async cleanUp(): Promise<Record<string, number>> {
      return await beating(async () => {
        const deleted: Record<string, number> = {};
        for (const one of cleanUps) {
          const end = performance.now() + budgetMs;
          try {
            for (let rows = batch; rows === batch && performance.now() < end;) {
              rows = await deleteBatch(db, one, batch);
              if (rows > 0) deleted[one.table] = (deleted[one.table] ?? 0) + rows;
            }
          } catch (error) {
            // One that fails must not hold up the others.
            log.warn('a table could not be cleaned up', { table: one.table, error });
          }
        }
        return deleted;
      });
    },
  };
}
