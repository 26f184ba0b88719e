/** Lists and ends the console sessions of one user. accounts.ts ends all of them. */
import { z } from 'zod';
import { rowsOf, statement, type Transaction } from '../database.ts';

const browserRow = z.object({ browser: z.string().nullable(), system: z.string().nullable() });
const sessionRow = browserRow.extend({ id: z.string(), created_at: z.date(), updated_at: z.date() });
export type SessionRow = z.infer<typeof sessionRow>;

/**
 * Lists the valid sessions of a user: the session `currentId` first, then the one that was used last. A session is used
 * at its `updated_at` or up to 10 minutes later (`refreshSeconds` of src/adapters/accounts/auth.ts).
 * @param begunAfter sessions that began earlier are not valid
 * @param limit maximum number of sessions
 */
export const listSessions = statement('list-sessions', sessionRow).rows<
  [userId: string, currentId: string, begunAfter: Date, limit: number]
>`
  select id, browser, system, created_at, updated_at from console_sessions
    where user_id = $1 and expires_at > now() and created_at > $3
    order by id = $2 desc, updated_at desc, id limit $4`;

/**
 * Ends one session of a user.
 * @returns its browser and operating system; undefined if the user has no session with this id
 */
export async function endSession(
  tx: Transaction,
  userId: string,
  sessionId: string,
): Promise<z.infer<typeof browserRow> | undefined> {
  const ended = tx
    .knex('console_sessions')
    .where({ id: sessionId, user_id: userId })
    .delete(['browser', 'system']);
  return (await rowsOf(browserRow, ended))[0];
}
