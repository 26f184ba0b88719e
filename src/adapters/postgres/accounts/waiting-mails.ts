/** Stores which members get an email when a conversation begins to wait, and takes the emails that are due. */
import { z } from 'zod';
import { statement, type Database } from '../database.ts';
import { listMembersWith } from './members.ts';

type Member = [organizationId: string, userId: string];

/** @returns true if the member gets an email when a conversation begins to wait */
export const getsWaitingMails = statement('gets-waiting-mails').hasRow<Member>`
  select from console_members where organization_id = $1 and user_id = $2 and mails_waiting`;

/** Stores whether the member gets an email when a conversation begins to wait. */
export const setWaitingMails = statement('set-waiting-mails').write<[...Member, wanted: boolean]>`
  update console_members set mails_waiting = $3 where organization_id = $1 and user_id = $2`;

/** @returns ids of the organizations with conversations that began to wait, the one that waits longest first */
export const findOrganizationsToMail = statement('organizations-with-waiting-mails').ids<[limit: number]>`
  select organization_id as id from waiting_mails group by organization_id order by min(created_at) limit $1`;

const waitingRow = z.object({ id: z.string(), assignee_id: z.string().nullable() });
const take = statement('take-waiting-mails', waitingRow).rows<[organizationId: string]>`
  with taken as (delete from waiting_mails where organization_id = $1 returning conversation_id)
  select c.id, c.assignee_id from taken t join conversations c on c.id = t.conversation_id
    where c.waiting_since > clock_timestamp() - interval '1 hour' order by c.waiting_since`;

/**
 * Takes the emails of an organization that are due. Each wait is returned to one caller, once, so its emails are sent
 * at most once.
 * @returns an entry for each conversation that still waits, for at most an hour, and each member who gets the email:
 * its assignee or, without one, everybody, as far as they want emails and may view conversations
 */
export async function takeWaitingMails(
  db: Database,
  organizationId: string,
): Promise<{ conversationId: string; userId: string; email: string }[]> {
  const conversations = await take(db, organizationId);
  if (conversations.length === 0) return [];
  const viewers = await listMembersWith(db, organizationId, 'conversations.view');
  const recipients = viewers.filter((one) => one.mails_waiting);
  return conversations.flatMap(({ id, assignee_id }) =>
    recipients
      .filter((one) => assignee_id === null || one.id === assignee_id)
      .map((one) => ({ conversationId: id, userId: one.id, email: one.email })),
  );
}
