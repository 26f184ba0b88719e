/** Assigns conversations to members. */
import { z } from 'zod';
import { queryRow, statement, type Database } from '../database.ts';

// Locks the membership before the conversation, in the order in which a removal of the member locks them.
const assign = statement('assign-conversation', z.object({ assignee: z.string().nullable() }))`
  with assignee as (select user_id from console_members where organization_id = $1 and user_id = $3 for key share)
    update conversations set assignee_id = (select user_id from assignee)
      where organization_id = $1 and id = $2 and assignee_id is distinct from (select user_id from assignee)
        and (not $4 or assignee_id is null)
      returning (select email from console_users where id = assignee_id) as assignee`;

/** Locks the membership until the end of the transaction, so that the member cannot be removed meanwhile. */
export const lockMembership = statement('lock-membership').write<[organizationId: string, userId: string]>`
  select from console_members where organization_id = $1 and user_id = $2 for key share`;

/**
 * Assigns a conversation to a member, or to nobody if `userId` is null or no member of the organization.
 * @param options.ifNobody true: only if the conversation is assigned to nobody
 * @returns the member's email, or null for nobody; undefined if nothing has changed
 */
export async function assignConversation(
  db: Database,
  organizationId: string,
  id: string,
  userId: string | null,
  { ifNobody = false } = {},
): Promise<string | null | undefined> {
  return (await queryRow(db, assign, [organizationId, id, userId, ifNobody]))?.assignee;
}
