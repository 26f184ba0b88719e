/** Records which messages a member has seen, and ends a conversation's wait for a human agent. */
import { queryRows, statement, type Database } from '../database.ts';
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

const readAll = statement('inbox-read')`
  update console_members set inbox_read_at = clock_timestamp() where organization_id = $1 and user_id = $2`;

/** Marks all current messages of the organization as read by the member. */
export async function recordInboxRead(db: Database, { organizationId, userId }: Reader): Promise<void> {
  await queryRows(db, readAll, [organizationId, userId]);
}

/**
 * Ends a conversation's wait for a human agent, after a human agent has handled the conversation without writing a
 * message. Idempotent.
 */
export const endWaiting = statement('waiting-ended').write<[id: string]>`
  update conversations set waiting_since = null where id = $1 and waiting_since is not null`;
