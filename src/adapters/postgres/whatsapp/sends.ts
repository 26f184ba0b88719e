/**
 * Reads the replies of channels. Claims their parts, so that one worker at a time sends a part, and records outcomes.
 */
import { z } from 'zod';
import { storedFile } from '../conversations/attachments.ts';
import { uuidForm } from '../cursor.ts';
import { queryResult, queryRow, queryRows, resultRow, statement, type Database } from '../database.ts';

const replyView = z.object({
  id: z.string(),
  status: z.string(),
  event: z.enum(['message.completed', 'message.error']),
  age_ms: z.number(),
  text: z.string().nullable(),
  message_id: z.string().nullable(),
  conversation_id: z.string(),
  organization_id: z.string(),
  channel_agent_id: z.string(),
  /** True if a human agent wrote the reply. Such a reply is sent even while the agent is paused. */
  by_person: z.boolean(),
  paused: z.boolean(),
  /** True if an agent wrote the reply and the contact has written since. */
  overtaken: z.boolean(),
});
export type ReplyView = z.infer<typeof replyView>;

const contactAddress = z.object({
  number: z.string(),
  channel_agent_id: z.string(),
  paused: z.boolean(),
});

const replyFile = storedFile.extend({ id: z.string() });
export type ReplyFile = z.infer<typeof replyFile>;

const sendRow = z.object({
  part_no: z.number(),
  status: z.enum(['attempting', 'retry', 'sent', 'unknown', 'failed']),
  attempts: z.number(),
  /** Number of attempts without a response that shows whether the part was sent. Excludes an attempt in progress. */
  uncertain_attempts: z.number(),
  /**
   * Number of attempts that the gateway reported as failed or postponed, or that did not reach the gateway. Waits for a
   * session or for credentials do not count.
   */
  failures: z.number(),
  checks: z.number(),
  attempted_ms_ago: z.number(),
  finished: z.boolean(),
  error: z.string().nullable(),
  /** True if the gateway refused the file, so a link to it is sent instead. */
  as_link: z.boolean(),
});
export type SendRow = z.infer<typeof sendRow>;

/** Reads a reply, with the current state of its conversation. @returns undefined if the reply was erased */
export const findReply = statement('reply-view', replyView).row<[deliveryId: string]>`
  select d.id, d.status, d.event, extract(epoch from clock_timestamp() - d.created_at)::double precision * 1000 as age_ms,
      m.text, d.message_id, d.conversation_id, d.organization_id, c.target_id as channel_agent_id,
      coalesce(m.origin = 'human_agent', false) as by_person,
      coalesce(c.paused_until > clock_timestamp() and c.paused_by is distinct from 'agent' and m.origin <> 'human_agent', false) as paused,
      coalesce(m.origin = 'agent', true) and exists (select from messages n where n.conversation_id = d.conversation_id and n.seq > m.seq and n.origin = 'user') as overtaken
    from deliveries d join conversations c on c.id = d.conversation_id left join messages m on m.id = d.message_id
    where d.id = $1`;

/** Finds the contact's current address. @returns undefined if the conversation has no contact of a channel */
export const findContactAddress = statement('contact-address', contactAddress).row<[conversationId: string]>`
  select contact_address(k) as number, c.target_id as channel_agent_id,
    coalesce(c.paused_until > clock_timestamp(), false) as paused
  from conversations c join channel_contacts k on k.id = c.channel_contact_id
  where c.id = $1`;

/** Loads all stored files of a message into memory, in their order in the message. */
export const findReplyFiles = statement('reply-files', replyFile).rows<[messageId: string]>`
  select id, filename, content_type, content from attachments
    where message_id = $1 and state = 'stored' order by position`;

/** @returns one row for each part of the reply that was claimed, in the order of the parts */
export const findSends = statement('gateway-sends', sendRow).rows<[deliveryId: string]>`
  select part_no, status, attempts, uncertain_attempts, failures, checks, finished_at is not null as finished, error, as_link,
    extract(epoch from clock_timestamp() - attempted_at)::double precision * 1000 as attempted_ms_ago
  from gateway_sends where delivery_id = $1 order by part_no`;

const sendClaim = z.discriminatedUnion('outcome', [
  /** `number` is the contact's current number or LID, which may have changed since the reply was written. */
  z.object({ outcome: z.literal('claimed'), number: z.string() }),
  /** Nothing was claimed, because the agent is paused and no human agent wrote the reply. */
  z.object({ outcome: z.literal('paused') }),
  /**
   * Nothing was claimed, because another attempt has claimed or ended the part, or because this is the first claim and
   * the reply is no longer pending.
   */
  z.object({ outcome: z.literal('elsewhere') }),
]);

const claim = statement('claim-gateway-send', resultRow(sendClaim))`
  select claim_gateway_send($1, $2, $3, $4) as result`;

export type SendClaim = z.infer<typeof sendClaim>;

/**
 * Claims a part before it is sent. Of concurrent calls, at most one succeeds.
 * @param earlier the previous attempt as the caller read it; undefined for the first. A previous attempt without an
 * outcome is counted as uncertain.
 */
export async function claimSend(
  db: Database,
  send: { deliveryId: string; partNo: number; agentId: string },
  earlier?: { status: SendRow['status']; attempts: number },
): Promise<SendClaim> {
  const before = earlier && JSON.stringify({ status: earlier.status, attempts: earlier.attempts });
  const values = [send.deliveryId, send.partNo, send.agentId, before ?? null];
  return await queryResult(db, claim, values);
}

const settle = statement('settle-gateway-send')`
  update gateway_sends set status = $3, error = $4, gateway_message_id = coalesce($5, gateway_message_id),
    finished_at = case when $6 then clock_timestamp() end, uncertain_attempts = uncertain_attempts + case when $7 then 1 else 0 end, as_link = as_link or $8,
    failures = failures + case when $9 then 1 else 0 end
  where delivery_id = $1 and part_no = $2 and status in ('attempting', 'unknown', 'retry') and finished_at is null`;
/**
 * Records the outcome of an attempt to send a part. Does nothing if the part has a final outcome.
 * @param result.final true if no further attempt follows
 * @param result.uncertain true if the message of this attempt may have arrived
 * @param result.failed true if this attempt counts among the part's failures
 */
export async function settleSend(
  db: Database,
  send: { deliveryId: string; partNo: number },
  result: {
    status: SendRow['status'];
    error?: string;
    gatewayMessageId?: string | null;
    final: boolean;
    uncertain?: boolean;
    failed?: boolean;
    asLink?: boolean;
  },
): Promise<void> {
  const { status, error = null, gatewayMessageId = null, final } = result;
  const { uncertain = false, asLink = false, failed = false } = result;
  const values = [status, error, gatewayMessageId, final, uncertain, asLink, failed];
  await queryRows(db, settle, [send.deliveryId, send.partNo, ...values]);
}

const countCheck = statement('count-gateway-check', z.object({ checks: z.number() }))`
  update gateway_sends set checks = checks + 1 where delivery_id = $1 and part_no = $2 returning checks`;
/**
 * Counts a search for the part's message that the gateway did not answer reliably. Not idempotent.
 * @returns the number of such searches since the last attempt to send the part
 */
export async function countSendCheck(db: Database, deliveryId: string, partNo: number): Promise<number> {
  return (await queryRow(db, countCheck, [deliveryId, partNo]))?.checks ?? 0;
}

const echo = statement('echoed-gateway-send')`
  with asked as (update approval_messages set status = 'sent', error = null, gateway_message_id = coalesce($4, gateway_message_id)
    where approval_id = $1 and position = $2 and agent_id = $3 and status in ('attempting', 'unknown')),
  hello as (update channel_hellos set status = 'sent', problem = null, gateway_message_id = coalesce($4, gateway_message_id),
      arrived_at = clock_timestamp(), arrived_by = 'event'
    where id = $1 and $2 = 0 and agent_id = $3 and arrived_at is null)
  update gateway_sends set status = 'sent', error = null, gateway_message_id = coalesce($4, gateway_message_id),
    finished_at = clock_timestamp()
  where delivery_id = $1 and part_no = $2 and agent_id = $3 and status <> 'sent' and finished_at is null`;
/**
 * Records a part of a reply, or a message to an approver, as sent, and a hello as arrived, because the echo has arrived
 * from the gateway. Does nothing if the track id names none of these in this channel, if the part has a final outcome,
 * or if the message is pending, sent or failed.
 * @param messageId the gateway's id of the message; null if the echo has none
 */
export async function settleByEcho(db: Database, agentId: string, trackId: string, messageId: string | null) {
  const [deliveryId = '', partNo = ''] = trackId.split(':');
  if (!uuidForm.test(deliveryId) || !/^\d{1,4}$/.test(partNo)) return;
  await queryRows(db, echo, [deliveryId, Number(partNo), agentId, messageId]);
}

const finish = statement('finish-reply')`
  update deliveries set status = $2, error = $3, finished_at = clock_timestamp(),
    attempted_at = coalesce(attempted_at, (select min(s.attempted_at) from gateway_sends s where s.delivery_id = $1))
  where id = $1 and status = 'pending'`;
/** Records the final status of a reply. Does nothing if the reply is no longer pending. */
export async function finishReply(
  db: Database,
  deliveryId: string,
  status: 'delivered' | 'failed' | 'blocked' | 'unknown',
  error?: string,
): Promise<void> {
  await queryRows(db, finish, [deliveryId, status, error ?? null]);
}
