import { z } from 'zod';
import { queryRow, queryRows, statement, type Database } from '../database.ts';
import type { ToolUsage } from '../workspace/tool-usage.ts';

const toolCall = z.object({
  name: z.string(),
  input: z.unknown(),
  organization_id: z.string(),
  conversation_id: z.string(),
  agent_id: z.string(),
  /** True if the tool is among the tools of the run's current agent. */
  allowed: z.boolean(),
  /** Ids of the workspaces that the agent's tools use; null: the organization's workspace, if it has only one. */
  connections: z.array(z.string()).nullable(),
  call_id: z.string(),
  /** True if the run belongs to a trial or a read-only conversation, in which no tool may change data. */
  reads_only: z.boolean(),
  /** True if the run has a stream, because its caller asked for one. */
  streamed: z.boolean(),
});
export type ToolCall = z.infer<typeof toolCall>;

const claim = statement('claim-tool-call', toolCall)`
  update tool_calls t set status = 'attempting', started_at = coalesce(t.started_at, clock_timestamp())
    from runs r cross join lateral agent_at(r.agent_id, r.agent_version) a
    where t.run_id = $1 and t.step = $2 and t.position = $3 and t.status in ('pending', 'attempting') and r.id = t.run_id and r.state = 'running'
      and not exists (select from approvals p where p.run_id = t.run_id and p.step = t.step and p.position = t.position
        and (p.status <> 'approved' or p.arguments_hash <> approval_hash(t.name, t.input)
          or (t.status = 'pending' and (not p.tool = any(a.tools) or not a.active or a.deleted_at is not null))))
    returning t.name, t.input, r.organization_id, r.conversation_id, r.agent_id, t.name = any(a.tools) as allowed, a.connections,
      t.call_id, (select c.read_only or c.tries_run is not null from conversations c where c.id = r.conversation_id) as reads_only,
      exists (select from run_streams w where w.run_id = r.id) as streamed`;

/**
 * Claims a tool call: sets its status to `attempting`. A call in this status can be claimed again, for example by a
 * retried activity.
 * @returns undefined if the call has a result or was erased, its run is no longer in progress, or its approval does not
 * permit the call. In the last case, `settleApproval` returns the approval.
 */
export async function claimToolCall(
  db: Database,
  runId: string,
  step: number,
  position: number,
): Promise<ToolCall | undefined> {
  return await queryRow(db, claim, [runId, step, position]);
}

const finished = `update tool_calls set status = $4, result = $5, finished_at = clock_timestamp()
  where run_id = $1 and step = $2 and position = $3 and status = 'attempting'`;
const finish = statement('finish-tool-call')`${finished}`;
/** Adds the tool's model usage to the step that called the tool, unless the result is already recorded. */
const finishPaid = statement('finish-paid-tool-call')`
  with done as (${finished} returning run_id, step)
    update run_steps s set input_tokens = s.input_tokens + $6, output_tokens = s.output_tokens + $7,
        credits = round((s.credits + $8)::numeric, 6)::double precision
      from done where s.run_id = done.run_id and s.step = done.step`;

/**
 * Records the result of a claimed call, without NUL characters, which Postgres cannot store. Does nothing if a result
 * is already recorded.
 * @param usage tokens and credits of the tool's own model calls, which are added to the step that called the tool
 */
export async function finishToolCall(
  db: Database,
  runId: string,
  step: number,
  position: number,
  status: 'succeeded' | 'failed' | 'unknown',
  result: string,
  usage?: ToolUsage,
): Promise<void> {
  const values = [runId, step, position, status, result.replaceAll('\0', '')];
  if (usage === undefined) await queryRows(db, finish, values);
  else {
    const { input_tokens, output_tokens, credits } = usage;
    await queryRows(db, finishPaid, [...values, input_tokens, output_tokens, credits]);
  }
}
