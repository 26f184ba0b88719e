/** Reads the delivery log. Claims deliveries, so that none is posted twice, and records their results. */
import { z } from 'zod';
import { approvalRequested, runErrorCode } from '../../../contract/conversations/callback.ts';
import { delivery, deliveryStatus, type Delivery } from '../../../contract/conversations/conversations.ts';
import { JsonText } from '../../../contract/text.ts';
import { idBelow, newestFirst, pageFrom, uuidForm, type Page, type PageQuery } from '../cursor.ts';
import {
  isoDate,
  queryRow,
  queryRows,
  resultRow,
  rowsOf,
  sparseRow,
  statement,
  storedJson,
  type Database,
} from '../database.ts';
import { metadataOf } from './run-metadata.ts';
import { sealedEndpoint } from './webhook-endpoints.ts';

const deliveryState = z.object({
  status: deliveryStatus,
  url: z.string(),
  organization_id: z.string(),
  attempted_ms_ago: z.number().nullable(),
  /** True if the agent wrote the message and a takeover is active, so that the callback must not be sent. */
  is_taken_over: z.boolean(),
  /** For a resend, the id of the first delivery; otherwise null. */
  resend_of: z.string().nullable(),
  /** The organization's webhook endpoints, whose secrets sign callbacks to their URLs; null if there are none. */
  endpoints: z.array(sealedEndpoint).nullable(),
});
/** A callback that has no stored body: its body is built from these fields and those of its event. */
const source = deliveryState.extend({
  body: z.null(),
  /** JSON text as the caller sent it. */
  metadata: z.string().nullable(),
  conversation_id: z.string(),
  agent_id: z.string(),
});
const callbackView = z.discriminatedUnion('event', [
  source.extend({
    event: z.literal('message.completed'),
    message_id: z.string(),
    response: z.string(),
    output: z
      .string()
      .nullable()
      .transform((json) => (json === null ? null : new JsonText(json))),
    model: z.string().nullable(),
    credits_used: z.number().nullable(),
    responding_agent_name: z.string(),
    pre_transfer: z.boolean(),
    by_person: z.boolean(),
    followup_attempt: z.number().nullable(),
    attachments_processed: z.number(),
  }),
  source.extend({
    event: z.literal('message.error'),
    error: z.string().nullable(),
    error_code: runErrorCode.nullable(),
  }),
  source.extend({
    event: z.literal('approval.requested'),
    approval: approvalRequested
      .pick({ approval_id: true, tool: true, arguments_hash: true, on_expiry: true, expires_at: true })
      .extend({ arguments: storedJson }),
  }),
]);
/** A delivery with a stored body: an alert, or a pending resend of a callback that was claimed before. */
const writtenView = deliveryState.extend({ body: z.string() });
const deliveryView = z.union([callbackView, writtenView]);
export type DeliveryView = z.infer<typeof deliveryView>;

/**
 * SQL condition: delivery `d` is the first one of a message that the agent wrote, and a takeover of its conversation is
 * active. If the agent itself handed over, its last message is still sent.
 */
const isTakenOver = `(d.resend_of is null and exists (select from messages w join conversations c on c.id = w.conversation_id
    where w.id = d.message_id and w.origin = 'agent' and c.paused_until > clock_timestamp() and c.paused_by is distinct from 'agent'))`;

const view = statement('delivery-view', resultRow(deliveryView))`
  select jsonb_build_object(
      'status', d.status, 'url', d.url, 'event', d.event, 'conversation_id', d.conversation_id, 'organization_id', d.organization_id,
      'body', case when d.status = 'pending' or d.kind = 'alert' then d.request_body end, 'resend_of', d.resend_of,
      'endpoints', (select jsonb_agg(jsonb_build_object('id', e.id, 'organization_id', e.organization_id, 'url', e.url,
          'secret', e.secret, 'previous_secret', case when e.previous_until > clock_timestamp() then e.previous_secret end))
        from webhook_endpoints e where e.organization_id = d.organization_id),
      'agent_id', coalesce(m.agent_id, r.agent_id, d.agent_id), 'message_id', m.id, 'response', m.text, 'output', case when m.structured then m.text end, 'model', m.model,
      'credits_used', case when m.origin = 'human_agent' then 0 else m.credits_used end, 'by_person', m.origin = 'human_agent', 'is_taken_over', ${isTakenOver},
      'responding_agent_name', m.agent_name, 'pre_transfer', m.pre_transfer, 'error', r.error, 'error_code', r.error_code,
      'followup_attempt', r.follow_up_attempt,
      'approval', (select jsonb_build_object('approval_id', p.id, 'tool', p.tool, 'arguments', p.arguments,
          'arguments_hash', p.arguments_hash, 'on_expiry', p.on_expiry,
          'expires_at', to_char(p.expires_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
        from approvals p where p.id = d.approval_id),
      'attachments_processed', (select count(*) from attachments f join messages i on i.id = f.message_id
        where i.conversation_id = r.conversation_id and i.run_ordinal = r.ordinal),
      'metadata', case when m.origin = 'human_agent' then (select i.metadata from messages i where i.conversation_id = m.conversation_id
          and i.origin = 'user' and i.seq < m.seq order by i.seq desc limit 1) else (${metadataOf('first')}) end::text,
      'attempted_ms_ago', extract(epoch from clock_timestamp() - d.attempted_at) * 1000) as result
    from deliveries d left join runs r on r.id = d.run_id left join messages m on m.id = d.message_id
      left join runs first on first.id = coalesce(r.follow_up_of, r.id)
    where d.id = $1 and d.kind <> 'channel_reply'`;
/**
 * Reads a callback or an alert.
 * @returns its status and the data of its body; null if the delivery was erased or is a channel reply
 */
export async function findDelivery(db: Database, id: string): Promise<DeliveryView | null> {
  return (await queryRow(db, view, [id]))?.result ?? null;
}

const claim = statement('claim-delivery')`
  update deliveries d set status = 'attempting', attempted_at = clock_timestamp(), request_body = $2, signed = $3, error = null
    where d.id = $1 and d.status = 'pending' and not ${isTakenOver} returning d.id`;
/**
 * Claims a pending delivery, before it is posted.
 * @param signed true if the request has a signature
 * @returns true for at most one call per delivery, even if calls are concurrent or repeated; false for all others, and if
 * the agent wrote the message and a takeover has become active
 */
export async function claimDelivery(
  db: Database,
  id: string,
  requestBody: string,
  signed: boolean,
): Promise<boolean> {
  return (await queryRows(db, claim, [id, requestBody, signed])).length === 1;
}

const unresolved = statement('note-unresolved-delivery', z.object({ for_ms: z.number() }))`
  update deliveries set unresolved_since = coalesce(unresolved_since, clock_timestamp()), error = $2
    where id = $1 and status = 'pending'
    returning extract(epoch from clock_timestamp() - unresolved_since)::double precision * 1000 as for_ms`;
/**
 * Records that the receiver's host name could not be looked up.
 * @returns milliseconds since the first such failure of the delivery; undefined if the delivery is no longer pending
 */
export async function recordUnresolved(db: Database, id: string, error: string): Promise<number | undefined> {
  return (await queryRow(db, unresolved, [id, error]))?.for_ms;
}

export interface DeliveryResult {
  status: 'delivered' | 'failed' | 'blocked' | 'unknown';
  httpStatus?: number;
  responseBody?: string;
  error?: string;
  durationMs?: number;
}

const finish = statement('finish-delivery')`
  update deliveries set status = $2, http_status = $3, response_body = $4, error = $5, duration_ms = $6,
    finished_at = clock_timestamp() where id = $1 and status = $7 returning id`;
/**
 * Records the final result of a delivery.
 * @param from the status that the delivery must still have, so that a final status is never overwritten
 * @returns true if this call recorded the result
 */
export async function finishDelivery(
  db: Database,
  id: string,
  from: 'pending' | 'attempting',
  result: DeliveryResult,
): Promise<boolean> {
  const { status, httpStatus = null, responseBody = null, error = null, durationMs } = result;
  const ms = durationMs === undefined ? null : Math.round(durationMs);
  const ended = await queryRows(db, finish, [id, status, httpStatus, responseBody, error, ms, from]);
  return ended.length > 0;
}

const deliveryRow = sparseRow(delivery.extend({ attempted_at: isoDate.optional() }));

/** Excludes the request body, which may be large. */
const publicColumns = `id, event, status, http_status, response_body, error, conversation_id, agent_id, message_id,
  attempted_at, duration_ms, resend_of`;

/**
 * SQL of the columns that the API computes. `url` of a channel reply is `whatsapp:` with the contact's number or LID.
 * `signed` is null unless it is true. `agent_version` is the version of the agent that wrote the delivery's message or,
 * if it has no message, of the agent of its run. It is null for a draft, for an alert and for a message of a human agent.
 * @param d the alias of the table `deliveries`
 */
export const computedColumns = (
  d: string,
): string => `coalesce(${d}.url, 'whatsapp:' || ${d}.recipient) as url,
  nullif(${d}.signed, false) as signed, case when ${d}.message_id is null
    then (select r.agent_version from runs r where r.id = ${d}.run_id and not r.of_draft)
    else (select s.agent_version from run_steps s where s.run_id = ${d}.run_id and s.message_id = ${d}.message_id and not s.of_draft) end as agent_version`;

/**
 * Lists deliveries, newest first. A conversation id that is not a UUID matches nothing.
 * @param query.agent_id a UUID: only deliveries of this agent's runs, of its channel's alerts, and of messages that
 * human agents wrote in its conversations
 * @throws PublicError validation_failed if the cursor is malformed
 */
export async function listDeliveries(
  db: Database,
  organizationId: string,
  query: PageQuery & {
    conversation_id?: string | undefined;
    status?: Delivery['status'] | undefined;
    agent_id?: string | undefined;
  },
): Promise<Page<Delivery>> {
  const before = idBelow(query.cursor);
  if (query.conversation_id !== undefined && !uuidForm.test(query.conversation_id))
    return { data: [], next_cursor: null };
  const ofAgent = { ...(query.agent_id !== undefined && { of_agent_id: query.agent_id }) };
  const listed = db
    .knex('deliveries')
    .where({ ...(query.status !== undefined && { status: query.status }), ...ofAgent });
  // A conversation has few deliveries, so newestFirst() is not needed.
  if (query.conversation_id !== undefined)
    void listed
      .where({ organization_id: organizationId, conversation_id: query.conversation_id })
      .where('id', '<', before)
      .orderBy('id', 'desc');
  else newestFirst(listed, 'deliveries', { ...ofAgent, ...byStatus(query.status, organizationId) }, before);
  const columns = db.knex.raw(`${publicColumns}, ${computedColumns('deliveries')}`);
  const rows = await rowsOf(deliveryRow, listed.limit(query.limit + 1).select(columns));
  return pageFrom(rows, query.limit, (row) => row.id);
}

/**
 * Returns the columns and values with which newestFirst() finds deliveries of a status. If `status` is undefined or
 * `delivered`, returns only the organization, because the index by status excludes delivered deliveries.
 */
export function byStatus(status: string | undefined, organizationId: string): Record<string, string> {
  const organization = { organization_id: organizationId };
  return status === undefined || status === 'delivered' ? organization : { status, ...organization };
}
