/** Reads the conversations that wait for a person, and counts those that a member has not read. */
import { z } from 'zod';
import {
  maxWaitingCounted,
  maxWaitingListed,
  unreadCountedAmong,
  type WaitingConversations,
} from '../../../contract/conversations/waiting.ts';
import { queryRow, queryRows, statement, type Database } from '../database.ts';
import type { Reader } from './conversation-rows.ts';

const waitingRow = z.object({
  id: z.string(),
  contact: z.string().nullable(),
  agent_name: z.string(),
  waiting_since: z.date(),
  waiting_handed_over: z.boolean(),
  count: z.number(),
});
const waiting = statement('waiting-conversations', waitingRow)`
  with newest as (
    select * from conversations where organization_id = $1 and waiting_since is not null and not is_test
      order by updated_at desc, id desc limit ${maxWaitingCounted})
  select c.id, coalesce(c.contact_name, c.contact_id) as contact, a.name as agent_name, c.waiting_since, c.waiting_handed_over,
      (select count(*)::integer from newest) as count
    from newest c join agents a on a.id = c.agent_id
    order by c.waiting_since desc, c.id limit ${maxWaitingListed}`;

// Uses the same condition as the filter `unread` of a list (see conversation-rows.ts).
const unread = statement('unread-conversations', z.object({ unread: z.number(), mine_unread: z.number() }))`
  with reader as (
    select inbox_read_at as at from console_members where organization_id = $1 and user_id = $2),
  newest as (
    select id, assignee_id from conversations
      where organization_id = $1 and not is_test and updated_at > (select at from reader)
      order by updated_at desc, id desc limit ${unreadCountedAmong}),
  unread as (
    select c.assignee_id from newest c left join conversation_reads s on s.conversation_id = c.id and s.user_id = $2
      where exists (select from messages m where m.conversation_id = c.id and m.origin = 'user'
        and m.seq > case when s.seen_seq is null then 0 else s.seen_seq end and m.created_at > (select at from reader)))
  select count(*)::integer as unread, (count(*) filter (where assignee_id = $2))::integer as mine_unread from unread`;

/**
 * Counts the conversations that wait for a person, at most `maxWaitingCounted`: those that were active last. Lists those of
 * them that began to wait last. Counts the conversations that the member has not read, of the `unreadCountedAmong` that
 * were active last.
 */
export async function findWaiting(db: Database, reader: Reader): Promise<WaitingConversations> {
  const { organizationId, userId } = reader;
  const rows = await queryRows(db, waiting, [organizationId]);
  const counts = await queryRow(db, unread, [organizationId, userId]);
  return {
    unread: counts?.unread ?? 0,
    mine_unread: counts?.mine_unread ?? 0,
    count: rows[0]?.count ?? 0,
    newest: rows.map((row) => ({
      id: row.id,
      contact: row.contact,
      agent_name: row.agent_name,
      waiting_since: row.waiting_since.toISOString(),
      reason: row.waiting_handed_over ? 'hand_over' : 'message',
    })),
  };
}
