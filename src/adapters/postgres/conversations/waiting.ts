/** Reads the conversations that wait for a person, and counts those of the inbox's views. */
import { z } from 'zod';
import { countedAmong } from '../../../contract/conversations/limits.ts';
import {
  maxWaitingCounted,
  maxWaitingListed,
  type WaitingConversation,
  type WaitingConversations,
} from '../../../contract/conversations/waiting.ts';
import { queryRow, queryRows, statement, type Database } from '../database.ts';
import { awaitingApproval, hasFailed, isUnread, type Reader } from './conversation-rows.ts';

const waitingRow = z.object({
  id: z.string(),
  contact: z.string().nullable(),
  agent_name: z.string(),
  waiting_since: z.date(),
  waiting_handed_over: z.boolean(),
  count: z.number(),
  from_newest: z.number(),
  from_oldest: z.number(),
});
const waiting = statement('waiting-conversations', waitingRow)`
  with newest as (
    select * from conversations where organization_id = $1 and waiting_since is not null and not is_test
      order by updated_at desc, id desc limit ${maxWaitingCounted}),
  ranked as (
    select *, count(*) over ()::integer as count, row_number() over (order by waiting_since desc, id)::integer as from_newest,
        row_number() over (order by waiting_since, id)::integer as from_oldest
      from newest)
  select c.id, coalesce(c.contact_name, c.contact_id) as contact, a.name as agent_name, c.waiting_since, c.waiting_handed_over,
      c.count, c.from_newest, c.from_oldest
    from ranked c join agents a on a.id = c.agent_id
    where c.from_newest <= ${maxWaitingListed} or c.from_oldest <= ${maxWaitingListed}
    order by c.from_newest`;

const countsRow = z.object({
  unread: z.number(),
  approval: z.number(),
  failed: z.number(),
  all: z.number(),
  unassigned: z.number(),
  mine: z.number(),
});
const counts = statement('conversation-counts', countsRow)`
  with reader as (
    select inbox_read_at as at from console_members where organization_id = $1 and user_id = $2),
  newest as (
    select id, assignee_id, updated_at from conversations where organization_id = $1 and done_at is null and not is_test
      order by updated_at desc, id desc limit ${countedAmong}),
  mine as (
    select from conversations where organization_id = $1 and assignee_id = $2 and done_at is null and not is_test
      order by updated_at desc, id desc limit ${countedAmong})
  select (select count(*)::integer from newest c left join conversation_reads s on s.conversation_id = c.id and s.user_id = $2
        where c.updated_at > (select at from reader)
          and exists (select from messages m where m.conversation_id = c.id and m.origin = 'user'
            and ${isUnread('(select at from reader)')})) as unread,
      (select count(*)::integer from (select from conversations c where c.id = any(array(${awaitingApproval('$1')})) and not c.is_test
        limit ${countedAmong}) x) as approval,
      (select count(*)::integer from newest c where ${hasFailed}) as failed,
      (select count(*)::integer from newest) as all,
      (select count(*)::integer from newest where assignee_id is null) as unassigned,
      (select count(*)::integer from mine) as mine`;

/**
 * Counts the conversations that wait for a person, at most `maxWaitingCounted`: those that were active last. Lists those of
 * them that began to wait last, and those that wait longest. Also counts the conversations of the inbox's other views, at most `countedAmong`.
 */
export async function findWaiting(db: Database, reader: Reader): Promise<WaitingConversations> {
  const { organizationId, userId } = reader;
  const [rows, counted] = await Promise.all([
    queryRows(db, waiting, [organizationId]),
    queryRow(db, counts, [organizationId, userId]),
  ]);
  return {
    ...(counted ?? { unread: 0, approval: 0, failed: 0, all: 0, unassigned: 0, mine: 0 }),
    count: rows[0]?.count ?? 0,
    newest: rows.filter(({ from_newest }) => from_newest <= maxWaitingListed).map(shown),
    oldest: rows
      .filter(({ from_oldest }) => from_oldest <= maxWaitingListed)
      .toSorted((a, b) => a.from_oldest - b.from_oldest)
      .map(shown),
  };
}

const shown = (row: z.infer<typeof waitingRow>): WaitingConversation => ({
  id: row.id,
  contact: row.contact,
  agent_name: row.agent_name,
  waiting_since: row.waiting_since.toISOString(),
  reason: row.waiting_handed_over ? 'hand_over' : 'message',
});
