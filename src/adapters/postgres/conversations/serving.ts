/**
 * Finds the activity attempt that serves a conversation, ends its serving, and finds served conversations that have due
 * work. An attempt serves a conversation while it answers the conversation's inputs one after another;
 * `conversations.served_by` stores the attempt.
 */
import { z } from 'zod';
import { idRow, queryIds, queryRow, queryRows, statement, type Database } from '../database.ts';

const end = statement('end-serving', z.object({ due: z.date().nullable() }))`
  select end_serving($1, $2) as due`;

/**
 * Ends the serving of a conversation by this activity attempt. Does not end the serving by another attempt. Idempotent.
 * @returns when the conversation's earliest unclaimed group or pending delivery is due (epoch ms), because the workflow
 * may not have been nudged for it; undefined if there is none
 */
export async function endServing(
  db: Database,
  conversationId: string,
  by: string,
): Promise<number | undefined> {
  const row = await queryRow(db, end, [conversationId, by]);
  return row?.due?.getTime();
}

/** Ends the serving of a conversation by any activity attempt, and notifies that attempt's worker. Idempotent. */
export async function takeOverServing(db: Database, conversationId: string): Promise<void> {
  await queryRows(db, end, [conversationId, null]);
}

const servedBy = statement('served-by', z.object({ served_by: z.string().nullable() }))`
  select served_by from conversations where id = $1 and served_until > clock_timestamp()`;

/** @returns the activity attempt that serves the conversation, as `served_by` stores it; undefined if there is none */
export async function findServing(db: Database, conversationId: string): Promise<string | undefined> {
  const row = await queryRow(db, servedBy, [conversationId]);
  return row?.served_by ?? undefined;
}

const due = statement('due-of-served', idRow)`
  select conversation_id as id from runs where state in ('collecting', 'ready') and closes_at <= clock_timestamp()
      and conversation_id = any($1::uuid[])
  union select conversation_id from deliveries where status = 'pending' and conversation_id = any($1::uuid[])
  union select s.id from unnest($1::uuid[], $2::text[]) as s(id, by) left join conversations c on c.id = s.id
    where c.served_by is distinct from s.by`;

/**
 * Finds conversations that their activity attempts must check.
 * @param served conversations, each with the activity attempt that served it last
 * @returns the ids of those that have a due group or a pending delivery, or that their attempt no longer serves
 */
export async function findDueOfServed(
  db: Database,
  served: readonly { conversationId: string; by: string }[],
): Promise<string[]> {
  const values = [served.map(({ conversationId }) => conversationId), served.map(({ by }) => by)];
  return await queryIds(db, due, values);
}
