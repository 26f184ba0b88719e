/**
 * Records which messages a member has seen, which conversation a member has open, and which conversations are done.
 */
import { z } from 'zod';
import { colleague, type Colleague } from '../../../contract/conversations/teamwork.ts';
import { queryRow, queryRows, statement, type Database } from '../database.ts';
import type { Reader } from './conversation-rows.ts';

const seen = statement('conversation-seen')`
  insert into conversation_reads (conversation_id, user_id, organization_id, seen_seq)
    select id, $3, organization_id, least($4, last_seq) from conversations where organization_id = $1 and id = $2
    on conflict (conversation_id, user_id) do update set seen_seq = greatest(conversation_reads.seen_seq, excluded.seen_seq)
    returning conversation_id`;

/**
 * Records that the member has seen a conversation up to a message. A later call for an earlier message has no effect.
 * @param seq number of the message in the conversation, from 1
 * @returns false if the organization has no such conversation
 */
export async function recordConversationSeen(
  db: Database,
  { organizationId, userId }: Reader,
  id: string,
  seq: number,
): Promise<boolean> {
  return (await queryRows(db, seen, [organizationId, id, userId, seq])).length > 0;
}

type Visit = [organizationId: string, conversationId: string, userId: string];
const isPresent = statement('conversation-present').hasRow<Visit>`
  insert into conversation_reads (conversation_id, user_id, organization_id, seen_seq, viewed_at)
    select id, $3, organization_id, 0, clock_timestamp() from conversations where organization_id = $1 and id = $2
    on conflict (conversation_id, user_id) do update set viewed_at = excluded.viewed_at
    returning conversation_id`;
const alsoPresent = statement('conversation-also-present', colleague).rows<Visit>`
  select u.id, u.name from conversation_reads r join console_users u on u.id = r.user_id
    where r.organization_id = $1 and r.conversation_id = $2 and r.user_id <> $3
      and r.viewed_at > statement_timestamp() - interval '30 seconds'
    order by u.name, u.id limit 10`;

/**
 * Records that the member has a conversation open. This counts for 30 s.
 * @returns the other members who have it open, at most 10; undefined if the organization has no such conversation
 */
export async function recordPresence(
  db: Database,
  { organizationId, userId }: Reader,
  id: string,
): Promise<Colleague[] | undefined> {
  const visit: Visit = [organizationId, id, userId];
  return (await isPresent(db, ...visit)) ? await alsoPresent(db, ...visit) : undefined;
}

const readAll = statement('inbox-read')`
  update console_members set inbox_read_at = clock_timestamp() where organization_id = $1 and user_id = $2`;

/** Marks all current messages of the organization as read by the member. */
export async function recordInboxRead(db: Database, { organizationId, userId }: Reader): Promise<void> {
  await queryRows(db, readAll, [organizationId, userId]);
}

/**
 * Marks a conversation as done, which also ends its wait for a human agent. Idempotent: the first member and time
 * stay. What begins a wait opens the conversation, so none that is done waits.
 * @param byName the member's name
 */
export const markDone = statement('conversation-done').write<[id: string, byName: string]>`
  update conversations set waiting_since = null, done_at = clock_timestamp(), done_by_name = $2
    where id = $1 and done_at is null`;

/** Opens a conversation that is done. Counts as an activity, so that `closeQuiet` does not close it at once. Idempotent. */
export const reopen = statement('conversation-reopened').write<[id: string]>`
  update conversations set done_at = null, done_by_name = null, updated_at = clock_timestamp()
    where id = $1 and done_at is not null`;

/** After this time without an activity, an open conversation that waits for nobody is done. Chosen. */
const quietDays = 7;
const quiet = statement('close-quiet', z.object({ rows: z.number() }))`
  with quiet as (
    select c.id from conversations c
      where c.done_at is null and c.waiting_since is null and not c.is_test
        and c.updated_at < statement_timestamp() - interval '${quietDays} days'
        and not exists (select from approvals p where p.conversation_id = c.id and p.status = 'waiting')
      order by c.updated_at limit $1 for no key update skip locked)
  , done as (
    update conversations set done_at = clock_timestamp() where id = any(array(select id from quiet)) returning 1)
  select count(*)::integer as rows from done`;

/**
 * Marks conversations without an activity in the last `quietDays` days as done, the quietest first; except tests, those
 * that wait for a person or for an approval, and locked ones.
 * @returns how many were marked, at most `maxRows`
 */
export async function closeQuiet(db: Database, maxRows: number): Promise<number> {
  return (await queryRow(db, quiet, [maxRows]))?.rows ?? 0;
}
