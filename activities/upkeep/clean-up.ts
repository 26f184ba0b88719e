import { log } from '@temporalio/activity';
import {
  deleteExpiredAudit,
  findExpiredAudit,
  findUnsealed,
  sealAudit,
} from '../../src/adapters/postgres/accounts/audit-chain.ts';
import type { Database } from '../../src/adapters/postgres/database.ts';
import { closeQuiet } from '../../src/adapters/postgres/conversations/inbox-state.ts';
import { cleanUps, deleteBatch } from '../../src/adapters/postgres/data/clean-ups.ts';
import { expireCredits, maxExpired } from '../../src/adapters/postgres/data/credit-caps.ts';
import type { ActivityDeps } from '../../src/app/deps.ts';

const batch = 1000;
/**
 * Milliseconds for which a round works on one table. Afterwards, it starts no further batch of the table, or no
 * further pass over the organizations. The next round, about a minute later, handles the remaining rows. Chosen.
 */
const budgetMs = 10_000;
const organizationsAtOnce = 100;

/**
 * Deletes expired rows in small batches, so that no statement runs for long, and ends credit reservations whose calls
 * were lost. Marks quiet conversations as done. Then adds new audit events to the hash chain, and deletes audit events
 * that are older than the organization's audit retention. If a table fails, logs the error and continues with the next
 * table. Safe to repeat and to run concurrently.
 * @returns the number of deleted rows, ended reservations and done conversations by table, without tables that had none
 */
export function cleanUpActivity({ db }: Pick<ActivityDeps, 'db'>) {
  return async (): Promise<Record<string, number>> => {
    const deleted: Record<string, number> = {};
    const counted = async (table: string, work: Promise<number>) => {
      const rows = await work;
      if (rows > 0) deleted[table] = (deleted[table] ?? 0) + rows;
      return rows;
    };
    for (const one of cleanUps)
      await unlessItFails(one.table, () => inBatches(() => counted(one.table, deleteBatch(db, one, batch))));
    await unlessItFails('credit_reservations', () =>
      inBatches(() => counted('credit_reservations', expireCredits(db, null)), maxExpired),
    );
    await unlessItFails('conversations', () =>
      inBatches(() => counted('conversations', closeQuiet(db, batch))),
    );
    await unlessItFails('audit_log', () => perOrganization(db, findUnsealed, sealAudit));
    await unlessItFails('audit_log', () =>
      perOrganization(db, findExpiredAudit, (_, id) => counted('audit_log', deleteExpiredAudit(db, id))),
    );
    return deleted;
  };
}

/**
 * Logs an error of `work` instead of throwing it, so that a failure in one table or organization does not stop the
 * cleanup of the others.
 */
async function unlessItFails(table: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    log.warn('a table could not be cleaned up', { table, error });
  }
}

/**
 * Repeats `work` until it handles fewer than `full` rows, or `budgetMs` have passed.
 * @param work handles one batch, and returns the number of rows that it handled
 * @param full the number of rows of a full batch, after which more rows may be left
 */
async function inBatches(work: () => Promise<number>, full = batch): Promise<void> {
  const end = performance.now() + budgetMs;
  for (let rows = full; rows === full && performance.now() < end;) rows = await work();
}

/**
 * Handles one batch of each organization in turn, so that a busy organization does not delay the others. Makes further
 * passes until one handles no rows, or ends more than `budgetMs` after the start of the first.
 * @param find returns the ids of at most `limit` organizations that have rows to handle
 * @param work handles one batch of an organization, and returns the number of rows that it handled
 */
async function perOrganization(
  db: Database,
  find: (db: Database, limit: number) => Promise<string[]>,
  work: (db: Database, organizationId: string) => Promise<number>,
): Promise<void> {
  const end = performance.now() + budgetMs;
  for (let rows = 1; rows > 0 && performance.now() < end;) {
    rows = 0;
    for (const id of await find(db, organizationsAtOnce))
      await unlessItFails('audit_log', async () => {
        rows += await work(db, id);
      });
  }
}
