/**
 * Stores the messages that ask approvers on WhatsApp, and finds the approval that an approver's reply decides. A message
 * is claimed before it is sent, and no message is sent twice.
 */
import { v7 as newId } from 'uuid';
import type { ChannelRow } from './channels.ts';
import { queryRow, queryRows, statement, type Database, type Transaction } from '../database.ts';

export interface DueApprovalMessage {
  approval_id: string;
  position: number;
  phone: string;
  /** Number of times that the message was due, this time included. */
  tries: number;
  organization_id: string;
  agent_name: string;
  tool: string;
  arguments: unknown;
  code: string;
  expires_at: Date;
  on_expiry: 'refuse' | 'approve';
}

const isDue = `p.run_id = $1 and p.status = 'waiting' and p.expires_at > clock_timestamp() and m.approval_id = p.id
  and m.status = 'pending' and m.tries < $2`;
const take = statement('take-approval-messages')`
  update approval_messages m set tries = m.tries + 1 from approvals p join agents a on a.id = p.agent_id where ${isDue}
    returning m.approval_id, m.position, m.phone, m.tries, p.organization_id, a.name as agent_name, p.tool, p.arguments,
      p.code, p.expires_at, p.on_expiry`;

/**
 * Counts a try of each message that is to be sent for the waiting approvals of a run. Claims none.
 * @param maxTries messages with this many tries are left out
 */
export async function takeApprovalMessages(
  db: Database,
  runId: string,
  maxTries: number,
): Promise<DueApprovalMessage[]> {
  return await queryRows<DueApprovalMessage>(db, take, [runId, maxTries]);
}

const isOpen = statement('has-open-approval-messages')`
  select exists (select from approvals p, approval_messages m where ${isDue}
    or p.run_id = $1 and p.status = 'waiting' and m.approval_id = p.id and m.status = 'attempting'
      and m.attempted_at > clock_timestamp() - interval '1 minute') as open`;

/** True if a message of the run is still to be sent, or was claimed within the last minute and has no outcome yet. */
export async function hasOpenApprovalMessages(db: Database, runId: string, maxTries: number) {
  return (await queryRow<{ open: boolean }>(db, isOpen, [runId, maxTries]))?.open ?? false;
}

const findChannel = statement('channel-of-approval')`
  select h.* from approvals p join conversations c on c.id = p.conversation_id join channels h on h.organization_id = p.organization_id
    where p.id = $1 and h.state = 'connected' and h.credentials_refused_at is null
    order by h.agent_id = c.target_id desc, h.agent_id = p.agent_id desc, h.created_at limit 1`;

/**
 * Finds the channel that asks an approval's approvers: the conversation's own, else that of the agent that asks, else
 * the organization's oldest.
 * @returns undefined if none of them is connected with credentials that the gateway accepts
 */
export async function findChannelOfApproval(
  db: Database,
  approvalId: string,
): Promise<ChannelRow | undefined> {
  return await queryRow<ChannelRow>(db, findChannel, [approvalId]);
}

const claim = statement('claim-approval-message')`
  update approval_messages m set status = 'attempting', agent_id = $3, shows_all = $4, attempted_at = clock_timestamp(), error = null
    from approvals p where m.approval_id = $1 and m.position = $2 and m.status = 'pending' and p.id = m.approval_id
      and p.status = 'waiting' and p.expires_at > clock_timestamp()
    returning m.position`;

/**
 * Claims a message for at most one caller, and commits before it is sent.
 * @param by the agent whose channel sends it, and whether the message shows all arguments
 * @returns false if it is claimed or has an outcome, or the approval no longer waits
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

/** Records the outcome of a message. Does nothing if its echo has already shown that it was sent. */
export async function settleApprovalMessage(
  db: Database,
  { approval_id, position }: Pick<DueApprovalMessage, 'approval_id' | 'position'>,
  outcome: { status: 'pending' | 'sent' | 'unknown' | 'failed'; error?: string; messageId?: string | null },
): Promise<void> {
  const { status, error = null, messageId = null } = outcome;
  await queryRows(db, settle, [approval_id, position, status, error, messageId]);
}

/** A number that was asked through a channel, and with what. */
interface Asked {
  approval_id: string;
  name: string;
  phone: string;
  shows_all: boolean;
}

const asked = `from approval_messages m join approvals p on p.id = m.approval_id where m.agent_id = $1 and m.number = $2`;
const wasAsked = statement('was-number-asked')`select exists (select ${asked}) as was`;
const findAsked = statement('find-asked-approver')`
  select m.approval_id, m.name, m.phone, m.shows_all ${asked} and (p.code = $3 or m.gateway_message_id = $4)
    order by p.status = 'waiting' desc, p.id desc limit 1`;

/** True if the channel has asked this number to decide on a tool call that is still kept. */
export async function wasNumberAsked(db: Database, agentId: string, number: string): Promise<boolean> {
  return (await queryRow<{ was: boolean }>(db, wasAsked, [agentId, number]))?.was ?? false;
}

/**
 * Finds the approval that a reply from a number names.
 * @param by its code, or the gateway's id of the quoted message
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
  return await queryRow<Asked>(db, findAsked, [agentId, number, code, quotedId]);
}

const record = statement('record-approval-reply')`
  insert into gateway_events (id, agent_id, gateway_message_id, outcome) values ($1, $2, $3, 'approval')
    on conflict (agent_id, gateway_message_id) where outcome <> 'ignored' do update set repeats = gateway_events.repeats + 1
    returning id`;

/** Records an approver's reply by its message id, without its text. @returns false if the gateway repeats it */
export async function recordApprovalReply(
  tx: Transaction,
  agentId: string,
  messageId: string,
): Promise<boolean> {
  const id = newId();
  return (await queryRow<{ id: string }>(tx, record, [id, agentId, messageId]))?.id === id;
}
