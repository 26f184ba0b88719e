import { queryResult, type Database, type Statement } from '../database.ts';

const cancel: Statement = { name: 'cancel-runs', text: 'select cancel_runs($1, $2) as result' };

/**
 * Ends what is not answered yet (`functions/cancel_runs.sql` says what stays).
 * @param now for tests that keep their own clock
 * @returns the ids of the inputs that will not be answered, in their order
 */
export async function cancelRuns(db: Database, conversationId: string, now?: Date): Promise<string[]> {
  return await queryResult(db, cancel, [conversationId, now ?? null]);
}
