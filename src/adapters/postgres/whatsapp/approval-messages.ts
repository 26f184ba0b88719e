/**
 * Claims the messages that ask approvers on WhatsApp, records their outcomes, and finds the approval to which an
 * approver's reply refers. A message is claimed before it is sent, so that it is sent at most once.
 */
import { v7 as newId } from 'uuid';
import { z } from 'zod';
import { channelRow } from './channels.ts';
import { queryRow, queryRows, statement, type Database, type Transaction } from '../database.ts';

const dueApprovalMessage = z.object({
  approval_id: z.string(),
  position: z.number(),
  phone: z.string(),
  /** Number of tries so far, including this one. */
  tries: z.number(),
  organization_id: z.string(),
  agent_name: z.string(),
  tool: z.string(),
  arguments: z.unknown(),
  code: z.string(),
  expires_at: z.date(),
  on_expiry: z.enum(['refuse', 'approve']),
});
export type DueApprovalMessage = z.infer<typeof dueApprovalMessage>;

const isDue = `p.run_id = $1 and p.status = 'waiting' and p.expires_at > clock_timestamp() and m.approval_id = p.id
  and m.status = 'pending' and m.tries < $2`;
/** The approver whom a message asked, and the approval that the message is about. */
const askedApprover = z.object({
  approval_id: z.string(),
  name: z.string(),
  phone: z.string(),
  shows_all: z.boolean(),
});
type Asked = z.infer<typeof askedApprover>;

/**
 * Finds the pending messages about those of a run's approvals that wait for a decision and have not expired, and counts
 * a try of each message. Does not claim them. Not idempotent: each call counts another try.
 * @param maxTries excludes messages that already have this many tries
 */
export const takeApprovalMessages = statement('take-approval-messages', dueApprovalMessage).rows<
  [runId: string, maxTries: number]
>`
  update approval_messages m set tries = m.tries + 1 from approvals p join agents a on a.id = p.agent_id where ${isDue}
    returning m.approval_id, m.position, m.phone, m.tries, p.organization_id, a.name as agent_name, p.tool, p.arguments,
      p.code, p.expires_at, p.on_expiry`;

/**
 * Returns true if a message of the run's waiting approvals can still be tried, or was claimed within the last minute
 * and has no outcome. A message can be tried while it is pending, has fewer than `maxTries` tries, and its approval has
 * not expired.
 */
export const hasOpenApprovalMessages = statement('has-open-approval-messages', z.boolean()).result<
  [runId: string, maxTries: number]
>`
  select exists (select from approvals p, approval_messages m where ${isDue}
    or p.run_id = $1 and p.status = 'waiting' and m.approval_id = p.id and m.status = 'attempting'
      and m.attempted_at > clock_timestamp() - interval '1 minute') as result`;

/**
 * Finds the channel through which the approvers of an approval are asked. Considers the organization's connected
 * channels whose credentials were not refused. Prefers the channel of the conversation's target, then that of the
 * approval's agent, then the oldest.
 * @returns undefined if the organization has no such channel, or the approval does not exist
 */
export const findChannelOfApproval = statement('channel-of-approval', channelRow).row<[approvalId: string]>`
  select h.* from approvals p join conversations c on c.id = p.conversation_id join channels h on h.organization_id = p.organization_id
    where p.id = $1 and h.state = 'connected' and h.credentials_refused_at is null
    order by h.agent_id = c.target_id desc, h.agent_id = p.agent_id desc, h.created_at limit 1`;

const claim = statement('claim-approval-message')`
  update approval_messages m set status = 'attempting', agent_id = $3, shows_all = $4, attempted_at = clock_timestamp(), error = null
    from approvals p where m.approval_id = $1 and m.position = $2 and m.status = 'pending' and p.id = m.approval_id
      and p.status = 'waiting' and p.expires_at > clock_timestamp()
    returning m.position`;

/**
 * Claims a pending message before it is sent. Of concurrent calls, at most one succeeds.
 * @param by the agent whose channel sends the message, and whether the message shows all arguments
 * @returns false if the message is not pending, or the approval has been decided or has expired
 */
export async function claimApprovalMessage(
  db: Database,
  { approval_id, position }: Pick<DueApprovalMessage, 'approval_id' | 'position'>,
  by: { agentId: string; showsAll: boolean },
): Promise<boolean> {
  const values = [approval_id, position, by.agentId, by.showsAll];
  return (await queryRows(db, claim, values)).length === 1;
}

const settle = statement('settle-approval-message')`
  update approval_messages set status = $3, error = $4, gateway_message_id = coalesce($5, gateway_message_id)
    where approval_id = $1 and position = $2 and status in ('pending', 'attempting')`;

/**
 * Records the outcome of a message. Does nothing if the message already has one, for example because its echo arrived
 * first.
 * @param outcome.status `pending` releases the claim of a message that was certainly not sent
 */
export async function settleApprovalMessage(
  db: Database,
  { approval_id, position }: Pick<DueApprovalMessage, 'approval_id' | 'position'>,
  outcome: { status: 'pending' | 'sent' | 'unknown' | 'failed'; error?: string; messageId?: string | null },
): Promise<void> {
  const { status, error = null, messageId = null } = outcome;
  await queryRows(db, settle, [approval_id, position, status, error, messageId]);
}

const asked = `from approval_messages m join approvals p on p.id = m.approval_id where m.agent_id = $1 and m.number = $2`;

/**
 * Returns true if the channel has asked this number, or has tried to, about an approval that has not been deleted.
 * @param number as `comparableNumber` returns it
 */
export const wasNumberAsked = statement('was-number-asked', z.boolean()).result<
  [agentId: string, number: string]
>`
  select exists (select ${asked}) as result`;
const findAsked = statement('find-asked-approver', askedApprover)`
  select m.approval_id, m.name, m.phone, coalesce(m.shows_all, false) as shows_all ${asked} and (p.code = $3 or m.gateway_message_id = $4)
    order by p.status = 'waiting' desc, p.id desc limit 1`;

/**
 * Finds the approval to which a reply from a number refers. If several match, prefers one that waits, then the newest.
 * @param number as `comparableNumber` returns it
 * @param by the approval's code, or the gateway's id of the message that the reply quotes
 * @returns undefined if the channel has not asked this number about such an approval
 */
export async function findAskedApprover(
  db: Database,
  agentId: string,
  number: string,
  by: { code: string } | { quotedId: string },
): Promise<Asked | undefined> {
  const code = 'code' in by ? by.code : null;
  const quotedId = 'quotedId' in by ? by.quotedId : null;
  return await queryRow(db, findAsked, [agentId, number, code, quotedId]);
}

const record = statement('record-approval-reply', z.object({ id: z.string() }))`
  insert into gateway_events (id, agent_id, gateway_message_id, outcome) values ($1, $2, $3, 'approval')
    on conflict (agent_id, gateway_message_id) where outcome <> 'ignored' do update set repeats = gateway_events.repeats + 1
    returning id`;

/**
 * Records the message id of an approver's reply, but not its text.
 * @returns false if a message with this id is already recorded, because the gateway repeats the event
 */
export async function recordApprovalReply(
  tx: Transaction,
  agentId: string,
  messageId: string,
): Promise<boolean> {
  const id = newId();
  return (await queryRow(tx, record, [id, agentId, messageId]))?.id === id;
}
