/** Stores which members get an email when a conversation begins to wait, and takes the emails that are due. */
import { z } from 'zod';
import { queryRows, statement, type Database } from '../database.ts';
import { roleColumns, roleFrom } from './members.ts';

type Member = [organizationId: string, userId: string];

/** @returns true if the member gets an email when a conversation begins to wait */
export const getsWaitingMails = statement('gets-waiting-mails').hasRow<Member>`
  select from console_members where organization_id = $1 and user_id = $2 and mails_waiting`;

/** Stores whether the member gets an email when a conversation begins to wait. */
export const setWaitingMails = statement('set-waiting-mails').write<[...Member, wanted: boolean]>`
  update console_members set mails_waiting = $3 where organization_id = $1 and user_id = $2`;

const due = statement('organizations-with-waiting-mails', z.object({ organization_id: z.string() }))`
  select organization_id from waiting_mails group by organization_id order by min(created_at) limit $1`;

/** @returns the organizations with conversations that began to wait, the one that waits longest first */
export async function findOrganizationsToMail(db: Database, limit: number): Promise<string[]> {
  return (await queryRows(db, due, [limit])).map((row) => row.organization_id);
}

const waitingRow = z.object({ id: z.string(), assignee_id: z.string().nullable() });
const take = statement('take-waiting-mails', waitingRow)`
  with taken as (delete from waiting_mails where organization_id = $1 returning conversation_id)
  select c.id, c.assignee_id from taken t join conversations c on c.id = t.conversation_id
    where c.waiting_since > clock_timestamp() - interval '1 hour' order by c.waiting_since`;
const recipientRow = roleColumns.extend({ id: z.string(), email: z.string() });
const mailed = statement('members-to-mail', recipientRow)`
  select m.user_id as id, u.email, m.role, r.label, r.permission
    from console_members m join console_users u on u.id = m.user_id
      left join console_roles r on r.organization_id = m.organization_id and r.role = m.role
    where m.organization_id = $1 and m.mails_waiting order by m.user_id`;

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
  const conversations = await queryRows(db, take, [organizationId]);
  if (conversations.length === 0) return [];
  const recipients = (await queryRows(db, mailed, [organizationId])).filter((row) =>
    roleFrom(row).capabilities.includes('conversations.view'),
  );
  return conversations.flatMap(({ id, assignee_id }) =>
    recipients
      .filter((one) => assignee_id === null || one.id === assignee_id)
      .map((one) => ({ conversationId: id, userId: one.id, email: one.email })),
  );
}
