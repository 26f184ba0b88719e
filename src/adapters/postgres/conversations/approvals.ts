/** Reads approvals of tool calls, records decisions on them, and ends approvals that can no longer be used. */
import { z } from 'zod';
import {
  approval,
  approvalsQuery,
  maxCustomerMessageChars,
  type Approval,
} from '../../../contract/conversations/approvals.ts';
import { channelName, type ChannelName } from '../../../contract/conversations/channel-name.ts';
import { idBelow, newestFirst, pageFrom, type Page } from '../cursor.ts';
import {
  isoDate,
  queryResult,
  queryRow,
  resultRow,
  rowsOf,
  sparseRow,
  statement,
  storedJson,
  type Database,
} from '../database.ts';

const asked = approval.shape.asked.unwrap().element.extend({ name: z.string(), phone: z.string() });
const approvalFields = approval.extend({
  arguments: storedJson.default(null),
  requested_at: isoDate,
  expires_at: isoDate,
  decided_at: isoDate.optional(),
  asked: z.array(asked).optional(),
  finished_at: isoDate.optional(),
});
const approvalRow = sparseRow(approvalFields);

/** An approval, with the fields of its conversation that are needed to nudge the conversation's workflow. */
export interface FoundApproval {
  approval: Approval;
  conversation: { id: string; organizationId: string; agentId: string; channel: ChannelName };
}

const columns = `p.id, p.conversation_id, p.agent_id, (select a.name from agents a where a.id = p.agent_id) as agent_name,
  (select json_strip_nulls(json_build_object('id', k.contact_id, 'name', k.contact_name)) from conversations k where k.id = p.conversation_id and k.contact_id is not null) as contact,
  (select left(m.text, ${maxCustomerMessageChars}) from runs r join messages m on m.conversation_id = r.conversation_id and m.run_ordinal = r.ordinal
     where r.id = p.run_id and m.origin = 'user' and m.text <> '' order by m.seq desc limit 1) as customer_message,
  p.tool, (select t.description from http_tools t
     where t.organization_id = p.organization_id and lower(t.name) = lower(p.tool) and t.name = p.tool) as tool_description,
  p.arguments, p.arguments_hash, p.status, p.on_expiry, p.requested_at, p.expires_at, p.decided_at, p.note, p.finished_at,
  case when p.decided_by_kind is not null then json_strip_nulls(json_build_object(
    'kind', p.decided_by_kind, 'name', p.decided_by, 'phone', p.decided_by_phone)) end as decided_by,
  (select json_agg(json_strip_nulls(json_build_object('name', m.name, 'phone', m.phone, 'error', m.error,
      'status', case when m.status <> 'attempting' then m.status when m.attempted_at < clock_timestamp() - interval '1 minute' then 'unknown' else 'pending' end))
      order by m.position) from approval_messages m where m.approval_id = p.id) as asked`;

const find = statement(
  'find-approval',
  sparseRow(approvalFields.extend({ channel: channelName, now_agent_id: z.string() })),
)`
  select ${columns}, c.channel, c.agent_id as now_agent_id from approvals p join conversations c on c.id = p.conversation_id
    where p.id = $2 and p.organization_id = $1`;

/**
 * Finds an approval with its conversation.
 * @param id a UUID
 * @returns undefined if the organization has no such approval
 */
export async function findApproval(
  db: Database,
  organizationId: string,
  id: string,
): Promise<FoundApproval | undefined> {
  const row = await queryRow(db, find, [organizationId, id]);
  if (row === undefined) return undefined;
  const { now_agent_id: agentId, channel, ...found } = row;
  return {
    approval: found,
    conversation: { id: found.conversation_id, organizationId, agentId, channel },
  };
}

/**
 * Lists approvals, newest first.
 * @param query `agent_id` and `conversation_id` must be UUIDs
 * @throws PublicError validation_failed if the cursor is malformed
 */
export async function listApprovals(
  db: Database,
  organizationId: string,
  query: z.infer<typeof approvalsQuery>,
): Promise<Page<Approval>> {
  const { agent_id, conversation_id } = query;
  const status = query.status === 'decided' ? undefined : query.status;
  const listed = db.knex('approvals as p');
  const having = {
    ...(agent_id !== undefined && { agent_id }),
    ...(status !== undefined && conversation_id === undefined && { status }),
    organization_id: organizationId,
    ...(conversation_id !== undefined && { conversation_id }),
  };
  // A conversation has few approvals, so filtering them by status needs no index.
  if (conversation_id !== undefined && status !== undefined) void listed.where('p.status', status);
  if (query.status === 'decided') void listed.where('p.status', '<>', 'waiting');
  newestFirst(listed, 'p', having, idBelow(query.cursor));
  const rows = await rowsOf(approvalRow, listed.limit(query.limit + 1).select(db.knex.raw(columns)));
  return pageFrom(rows, query.limit, (row) => row.id);
}

const decision = z.object({ decided: z.boolean() }).nullable();
const decide = statement('decide-approval', resultRow(decision))`select decide_approval($1, null) as result`;

export interface ApprovalDecision {
  id: string;
  organizationId: string;
  approve: boolean;
  by: { kind: 'person'; name: string; phone?: string } | { kind: 'token'; tokenId: string };
  note: string | undefined;
  /** If the call is refused, the model reads this text as the call's result. */
  result: string;
}

const tokenName = statement('name-of-deciding-token', z.object({ name: z.string() }))`
  select 'API token ' || name || ' (' || prefix || '…)' as name from api_tokens where id = $1
  union all select 'MCP client ' || c.name from mcp_grants g join mcp_clients c on c.id = g.client_id where g.id = $1`;

/**
 * Records a decision (see `functions/decide_approval.sql`). If several calls decide at the same time, the first one
 * wins.
 * @returns true if this call has decided; false if the approval was already decided, has expired, or was refused
 * because its call can no longer be executed; undefined if the organization has no such approval
 */
export async function decideApproval(
  db: Database,
  { id, organizationId, approve, by, note, result }: ApprovalDecision,
): Promise<boolean | undefined> {
  const name =
    by.kind === 'person' ? by.name : ((await queryRow(db, tokenName, [by.tokenId]))?.name ?? 'an API token');
  const phone = by.kind === 'person' ? by.phone : undefined;
  const decider = { kind: by.kind, by: name, phone };
  const given = { id, organization_id: organizationId, approve, ...decider, note, result };
  return (await queryResult(db, decide, [JSON.stringify(given)]))?.decided;
}

const settled = z.object({
  id: z.uuid(),
  organization_id: z.uuid(),
  tool: z.string(),
  status: z.enum(['waiting', 'approved', 'refused', 'expired', 'executed', 'unknown']),
  expires_at: z.coerce.date(),
});
const settle = statement('settle-approval', resultRow(settled.nullable()))`
  select to_jsonb(s) as result from approvals p, settle_approval(p.id, true, null) s
    where p.run_id = $1 and p.step = $2 and p.position = $3`;

/**
 * Settles the approval of a tool call (see `functions/settle_approval.sql`). Refuses it if the call can no longer be
 * executed. If it expired while it was waiting, approves it if its `on_expiry` is `approve`, or else sets it to
 * `expired`. If the call has begun, assumes that its worker was lost: the outcome becomes `unknown` if the call cannot
 * be executed again. Idempotent.
 * @returns the approval after these changes; undefined if the call needs no approval, or was erased
 */
export async function settleApproval(
  db: Database,
  runId: string,
  step: number,
  position: number,
): Promise<z.infer<typeof settled> | undefined> {
  return (await queryRow(db, settle, [runId, step, position]))?.result ?? undefined;
}

/** True if a tool call of the conversation waits for a decision, or was approved and has not ended. */
export const waitsForApproval = statement('conversation-waits-for-approval', z.boolean()).result<
  [conversationId: string]
>`
  select exists (select from approvals where conversation_id = $1 and status in ('waiting', 'approved')) as result`;
