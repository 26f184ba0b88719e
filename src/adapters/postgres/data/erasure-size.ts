/** Counts what the erasure of a conversation or a contact would delete. */
import { erasureSize, type ErasureSize } from '../../../contract/data/erasure-size.ts';
import { firstRow, queryRows, statement, type Database } from '../database.ts';

/**
 * Maximum conversations of a contact, and maximum rows of each kind, that are counted. Limits the query's duration.
 * Chosen.
 */
const maxCounted = 10_000;

const rows = (table: string) =>
  `(select count(*)::integer from (select from ${table} t where t.conversation_id in (select id from found) limit ${maxCounted}) x)`;
const counts = `select (select count(*)::integer from found) as conversations, ${rows('messages')} as messages,
      ${rows('attachments')} as files, ${rows('deliveries')} as deliveries`;

const ofConversation = statement('erasure-size-conversation', erasureSize)`
  with found as (select id from conversations where organization_id = $1 and id = $2::uuid)
    ${counts}`;
const ofContact = statement('erasure-size-contact', erasureSize)`
  with found as (select id from conversations_of_contact($1, $2) as id limit ${maxCounted})
    ${counts}`;

/**
 * Counts the conversations, messages, files and deliveries that an erasure would delete, at most `maxCounted` of each.
 * Does not count trials of the conversations, which are erased too.
 * @param of the conversation, or all conversations of the contact
 * @returns zeros if the organization has no such data
 */
export async function measureErasure(
  db: Database,
  organizationId: string,
  of: { conversation_id: string } | { contact_id: string },
): Promise<ErasureSize> {
  const [sql, key] =
    'conversation_id' in of
      ? ([ofConversation, of.conversation_id] as const)
      : ([ofContact, of.contact_id] as const);
  return firstRow(await queryRows(db, sql, [organizationId, key]));
}
