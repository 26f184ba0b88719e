/** Runs one tool call of a run, and records its result, which the run's next model call reads. */
import { cleanText } from '../../adapters/models/model-text.ts';
import { settleApproval } from '../../adapters/postgres/conversations/approvals.ts';
import { recordAudit } from '../../adapters/postgres/accounts/audit-log.ts';
import { inTransaction } from '../../adapters/postgres/database.ts';
import { claimToolCall, finishToolCall } from '../../adapters/postgres/conversations/tool-calls.ts';
import type { ToolUsage } from '../../adapters/postgres/workspace/tool-usage.ts';
import { notInTest } from '../../domain/conversations/model-call.ts';
import type { ToolCallProgress } from '../../domain/conversations/run-outcome.ts';
import { addIds, inSpan } from '../../observability/spans.ts';
import { countTool } from '../../observability/worker-metrics.ts';
import { transient } from '../../worker/failures.ts';
import { askApprovers } from '../whatsapp/ask-approvers.ts';
import type { ActivityDeps } from '../deps.ts';
import type { ToolResult } from '../workspace/tool-box.ts';

interface ToolCallPlace {
  runId: string;
  step: number;
  /** Index of the call in the model's reply. */
  position: number;
}
const ended = { next: 'ended' } as const satisfies ToolCallProgress;

/**
 * Runs a tool call and records its result. Does nothing if the call has a result, or if its run has ended or was
 * erased. If an earlier attempt recorded no result, the tool runs again with the same idempotency key. If too many
 * workers were lost, records the outcome `unknown` instead. Does not run a call that a person must approve first.
 * @returns `ended`; `waits` if a person must still approve the call. Call this function again after a nudge, and at
 * `until` (epoch ms), when the approval expires or an approver must be asked again.
 * @throws a retryable failure if the call must be tried again later
 */
export async function runToolCall(
  deps: ActivityDeps,
  { signal, ...place }: ToolCallPlace & { signal: AbortSignal },
): Promise<ToolCallProgress> {
  return await deps.attempts.guarded<ToolCallProgress>(keyOf(place, 'tool/'), {
    work: () => run(deps, place, signal),
    giveUp: (why) => giveUp(deps, place, why),
  });
}

function keyOf<P extends string>({ runId, step, position }: ToolCallPlace, prefix: P): `${P}${string}` {
  return `${prefix}${runId}/${step}/${position}`;
}

async function run(deps: ActivityDeps, place: ToolCallPlace, signal: AbortSignal): Promise<ToolCallProgress> {
  const claimed = await claim(deps, place);
  if (claimed === undefined) return await unclaimed(deps, place, signal);
  const { call, end, publish } = claimed;
  await publish('started');
  // In trials and read-only conversations, calls of tools that may change data are refused when the step is recorded.
  // This check repeats that, because the tool may have been changed since then.
  if (call.reads_only && call.allowed && !(await deps.tools.reads(call.name, call.organization_id)))
    return await end('failed', notInTest(call.name));
  const { successful, isUnknown, text, usage }: ToolResult =
    call.allowed || deps.tools.belongsToAll(call.name)
      ? await inSpan(`execute_tool ${call.name}`, {}, () =>
          deps.tools.run(call.name, call.input, {
            organizationId: call.organization_id,
            conversationId: call.conversation_id,
            runId: place.runId,
            agentId: call.agent_id,
            idempotencyKey: keyOf(place, ''),
            connections: call.connections,
            signal,
          }),
        )
      : { successful: false, text: `Error: the tool ${call.name} is not among this agent's tools.` };
  return await end(isUnknown === true ? 'unknown' : successful ? 'succeeded' : 'failed', text, usage);
}

/**
 * Handles a call that cannot be claimed: the call or its run has ended or was erased, or the call's approval does not
 * permit it. If the approval waits for a decision, asks the approvers.
 * @returns as `runToolCall`
 * @throws a retryable failure if the call was approved after the attempt to claim it, because the retry can claim it
 */
async function unclaimed(
  deps: ActivityDeps,
  { runId, step, position }: ToolCallPlace,
  signal: AbortSignal,
): Promise<ToolCallProgress> {
  const approval = await inTransaction(deps.db, async (tx) => {
    const settled = await settleApproval(tx, runId, step, position);
    if (settled?.status === 'expired') {
      const system = { kind: 'system', name: 'Parley', organizationId: settled.organization_id } as const;
      await recordAudit(tx, system, 'approval_expired', `${settled.tool}, approval ${settled.id}`);
    }
    return settled;
  });
  if (approval?.status === 'waiting') {
    const expiresAt = approval.expires_at.getTime();
    const againMs = await askApprovers(deps, runId, signal);
    return {
      next: 'waits',
      until: againMs === undefined ? expiresAt : Math.min(expiresAt, Date.now() + againMs),
    };
  }
  if (approval?.status === 'approved')
    throw transient('Approved', 'The call was approved a moment ago; it is claimed next.', 100);
  return ended;
}

/**
 * Records the outcome `unknown` for a call whose workers were lost. The model gets an error as the result, and the run
 * continues.
 */
async function giveUp(deps: ActivityDeps, place: ToolCallPlace, why: string): Promise<ToolCallProgress> {
  const claimed = await claim(deps, place);
  await deps.tools.giveUp(keyOf(place, ''), why);
  return (await claimed?.end('unknown', `Error: ${why} Its changes may remain.`)) ?? ended;
}

async function claim(deps: ActivityDeps, place: ToolCallPlace) {
  const { runId, step, position } = place;
  const call = await claimToolCall(deps.db, runId, step, position);
  if (call === undefined) return undefined;
  const { organization_id, conversation_id } = call;
  addIds({ run_id: runId, organization_id, conversation_id });
  const publish = async (status: 'started' | 'succeeded' | 'failed') => {
    if (!call.streamed) return;
    const data = JSON.stringify({ step, call_id: call.call_id, name: call.name, status });
    const once = `tool ${step}/${position} ${status === 'started' ? status : 'ended'}`;
    await deps.streams.publish({ run_id: runId, step, event: 'tool_call', data, once });
  };
  const end = async (status: 'succeeded' | 'failed' | 'unknown', text: string, usage?: ToolUsage) => {
    // Publishes the end before recording the result. In the opposite order, after a crash between the two, the
    // repeated activity would skip the recorded call and never publish its end.
    await publish(status === 'unknown' ? 'failed' : status);
    await finishToolCall(deps.db, runId, step, position, status, cleanText(text), usage);
    countTool({ outcome: status });
    return ended;
  };
  return { call, publish, end };
}
