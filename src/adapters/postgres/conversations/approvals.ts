/** Reads approvals of tool calls, records decisions on them, and ends approvals that can no longer be used. */
import { z } from 'zod';
import type { Approval, ApprovalStatus } from '../../../contract/conversations/approvals.ts';
import type { ChannelName } from '../../../contract/conversations/channel-name.ts';
import { idBelow, newestFirst, pageFrom, type Page, type PageQuery } from '../cursor.ts';
import { queryResult, queryRow, statement, type Database } from '../database.ts';

type ApprovalRow = Pick<
  Approval,
  | 'id'
  | 'status'
  | 'agent_id'
  | 'agent_name'
  | 'conversation_id'
  | 'tool'
  | 'arguments'
  | 'arguments_hash'
  | 'on_expiry'
> & {
  organization_id: string;
  contact: { id: string; name: string | null } | null;
  run_id: string;
  requested_at: Date;
  expires_at: Date;
  decided_at: Date | null;
  decided_by_kind: 'person' | 'token' | 'system' | null;
  decided_by: string | null;
  decided_by_phone: string | null;
  asked: NonNullable<Approval['asked']> | null;
  note: string | null;
  finished_at: Date | null;
};

/** An approval, with the fields of its conversation that are needed to nudge the conversation's workflow. */
export interface FoundApproval {
  approval: Approval;
  conversation: { id: string; organizationId: string; agentId: string; channel: ChannelName };
}

const columns = `p.id, p.organization_id, p.conversation_id, p.agent_id, (select a.name from agents a where a.id = p.agent_id) as agent_name,
  (select json_build_object('id', k.contact_id, 'name', k.contact_name) from conversations k where k.id = p.conversation_id and k.contact_id is not null) as contact,
  p.run_id, p.tool, p.arguments, p.arguments_hash, p.status, p.on_expiry, p.requested_at, p.expires_at, p.decided_at, p.decided_by_kind, p.decided_by, p.decided_by_phone, p.note, p.finished_at,
  (select json_agg(json_strip_nulls(json_build_object('name', m.name, 'phone', m.phone, 'error', m.error,
      'status', case when m.status <> 'attempting' then m.status when m.attempted_at < clock_timestamp() - interval '1 minute' then 'unknown' else 'pending' end))
      order by m.position) from approval_messages m where m.approval_id = p.id) as asked`;

const find = statement('find-approval')`
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
  type Row = ApprovalRow & { channel: ChannelName; now_agent_id: string };
  const row = await queryRow<Row>(db, find, [organizationId, id]);
  if (row === undefined) return undefined;
  const { conversation_id, now_agent_id: agentId, channel } = row;
  return {
    approval: approvalFrom(row),
    conversation: { id: conversation_id, organizationId, agentId, channel },
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
  query: PageQuery & {
    status?: ApprovalStatus | undefined;
    agent_id?: string | undefined;
    conversation_id?: string | undefined;
  },
): Promise<Page<Approval>> {
  const { status, agent_id, conversation_id } = query;
  const listed = db.knex<ApprovalRow>('approvals as p');
  const having = {
    ...(agent_id !== undefined && { agent_id }),
    ...(status !== undefined && conversation_id === undefined && { status }),
    organization_id: organizationId,
    ...(conversation_id !== undefined && { conversation_id }),
  };
  // A conversation has few approvals, so filtering them by status needs no index.
  if (conversation_id !== undefined && status !== undefined) void listed.where('p.status', status);
  newestFirst(listed, 'p', having, idBelow(query.cursor));
  const rows = await listed.limit(query.limit + 1).select<ApprovalRow[]>(db.knex.raw(columns));
  return pageFrom(rows, query.limit, (row) => row.id, approvalFrom);
}

function approvalFrom(row: ApprovalRow): Approval {
  return {
    id: row.id,
    status: row.status,
    agent_id: row.agent_id,
    agent_name: row.agent_name,
    conversation_id: row.conversation_id,
    ...(row.contact && {
      contact: { id: row.contact.id, ...(row.contact.name !== null && { name: row.contact.name }) },
    }),
    tool: row.tool,
    arguments: row.arguments,
    arguments_hash: row.arguments_hash,
    requested_at: row.requested_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    on_expiry: row.on_expiry,
    ...(row.decided_at && { decided_at: row.decided_at.toISOString() }),
    ...(row.decided_by_kind !== null && {
      decided_by: {
        kind: row.decided_by_kind,
        ...(row.decided_by !== null && { name: row.decided_by }),
        ...(row.decided_by_phone !== null && { phone: row.decided_by_phone }),
      },
    }),
    ...(row.note !== null && { note: row.note }),
    ...(row.asked && { asked: row.asked }),
    ...(row.finished_at && { finished_at: row.finished_at.toISOString() }),
  };
}

const decide = statement('decide-approval')`select decide_approval($1, null) as result`;

export interface ApprovalDecision {
  id: string;
  organizationId: string;
  approve: boolean;
  by: { kind: 'person'; name: string; phone?: string } | { kind: 'token'; tokenId: string };
  note: string | undefined;
  /** If the call is refused, the model reads this text as the call's result. */
  result: string;
}

const tokenName = statement('name-of-deciding-token')`
  select 'API token ' || name || ' (' || prefix || '…)' as name from api_tokens where id = $1
  union all select 'MCP client ' || c.name from mcp_grants g join mcp_clients c on c.id = g.client_id where g.id = $1`;

/**
 * Records a decision (see `functions/decide_approval.sql`). If several calls decide at the same time, the first one
 * wins.
 * @returns true if this call has decided; false if the approval was already decided or has ended; undefined if the
 * organization has no such approval
 */
export async function decideApproval(
  db: Database,
  { id, organizationId, approve, by, note, result }: ApprovalDecision,
): Promise<boolean | undefined> {
  const name =
    by.kind === 'person'
      ? by.name
      : ((await queryRow<{ name: string }>(db, tokenName, [by.tokenId]))?.name ?? 'an API token');
  const phone = by.kind === 'person' ? by.phone : undefined;
  const decider = { kind: by.kind, by: name, phone };
  const decision = { id, organization_id: organizationId, approve, ...decider, note, result };
  const outcome = z.object({ decided: z.boolean() }).nullable();
  return (await queryResult(db, decide, [JSON.stringify(decision)], outcome))?.decided;
}

const settle = statement('settle-approval')`
  select to_jsonb(s) as result from approvals p, settle_approval(p.id, true, null) s
    where p.run_id = $1 and p.step = $2 and p.position = $3`;

const settled = z
  .object({
    id: z.uuid(),
    organization_id: z.uuid(),
    tool: z.string(),
    status: z.enum(['waiting', 'approved', 'refused', 'expired', 'executed', 'unknown']),
    expires_at: z.coerce.date(),
  })
  .optional();

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
): Promise<z.infer<typeof settled>> {
  const row = await queryRow<{ result: unknown }>(db, settle, [runId, step, position]);
  return settled.parse(row?.result ?? undefined);
}

const waits = statement('conversation-waits-for-approval')`
  select exists (select from approvals where conversation_id = $1 and status in ('waiting', 'approved')) as waits`;

/** True if a tool call of the conversation waits for a decision, or was approved and has not ended. */
export async function waitsForApproval(db: Database, conversationId: string): Promise<boolean> {
  return (await queryRow<{ waits: boolean }>(db, waits, [conversationId]))?.waits ?? false;
}
