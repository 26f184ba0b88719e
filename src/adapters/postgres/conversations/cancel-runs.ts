import { z } from 'zod';
import { queryResult, resultRow, statement, type Database } from '../database.ts';

const cancel = statement('cancel-runs', resultRow(z.array(z.string())))`select cancel_runs($1, $2) as result`;

/**
 * Cancels the conversation's runs that have not ended (see `functions/cancel_runs.sql`). Idempotent.
 * @param now the time, given by tests; default: the database's clock
 * @returns the ids of the inputs of these runs, which will not be answered, in the order of the conversation
 */
export async function cancelRuns(db: Database, conversationId: string, now?: Date): Promise<string[]> {
  return await queryResult(db, cancel, [conversationId, now ?? null]);
}
