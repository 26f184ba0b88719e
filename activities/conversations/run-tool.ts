/** Runs one tool call of a run and records its result before the model gets it. */
import { cancellationSignal } from '@temporalio/activity';
import { claimToolCall, finishToolCall } from '../../src/adapters/postgres/conversations/tool-calls.ts';
import type { ToolUsage } from '../../src/adapters/postgres/workspace/tool-usage.ts';
import { cleanText } from '../../src/adapters/models/model-text.ts';
import { countTool } from '../../src/observability/worker-metrics.ts';
import { noteIds } from '../../src/observability/ids.ts';
import { inSpan } from '../../src/observability/spans.ts';
import { withHeartbeat } from '../../src/worker/heartbeat.ts';
import type { ActivityDeps } from '../../src/app/deps.ts';
import type { ToolResult } from '../../src/app/workspace/tool-box.ts';

type Ended = 'ended';
type ToolEnd = 'succeeded' | 'failed' | 'unknown';

export function runToolActivity(deps: ActivityDeps) {
  return {
    async runTool(runId: string, step: number, position: number): Promise<void> {
      await withHeartbeat(() =>
        deps.attempts.guarded<Ended>(`tool/${runId}/${step}/${position}`, {
          work: () => run(runId, step, position),
          giveUp: (why) => giveUp(runId, step, position, why),
        }),
      );
    },
  };

  async function run(runId: string, step: number, position: number): Promise<Ended> {
    const claimed = await claim(runId, step, position);
    if (claimed === undefined) return 'ended';
    const { call, end, tell } = claimed;
    await tell('started');
    const { successful, text, usage }: ToolResult =
      call.allowed || deps.tools.belongsToAll(call.name)
        ? await inSpan(`execute_tool ${call.name}`, {}, () =>
            deps.tools.run(call.name, call.input, {
              organizationId: call.organization_id,
              conversationId: call.conversation_id,
              runId,
              idempotencyKey: `${runId}/${step}/${position}`,
              signal: cancellationSignal(),
            }),
          )
        : { successful: false, text: `Error: the tool ${call.name} is not among this agent's tools.` };
    return await end(successful ? 'succeeded' : 'failed', text, usage);
  }

  /** Ends a call whose progress is unknown. The model is told so, and the run continues. */
  async function giveUp(runId: string, step: number, position: number, why: string): Promise<Ended> {
    const claimed = await claim(runId, step, position);
    await deps.tools.giveUp(`${runId}/${step}/${position}`, why);
    return (await claimed?.end('unknown', `Error: ${why} What it had done may stand.`)) ?? 'ended';
  }

  async function claim(runId: string, step: number, position: number) {
    const call = await claimToolCall(deps.db, runId, step, position);
    if (call === undefined) return undefined;
    const { organization_id, conversation_id } = call;
    noteIds({ run_id: runId, organization_id, conversation_id });
    const tell = async (status: 'started' | 'succeeded' | 'failed') => {
      if (!call.streamed) return;
      const data = JSON.stringify({ step, call_id: call.call_id, name: call.name, status });
      const once = `tool ${step}/${position} ${status === 'started' ? status : 'ended'}`;
      await deps.streams.tell({ run_id: runId, step, event: 'tool_call', data, once });
    };
    const end = async (status: ToolEnd, text: string, usage?: ToolUsage): Promise<Ended> => {
      // Published before it is recorded: a repeat of this activity would find nothing left to publish.
      await tell(status === 'unknown' ? 'failed' : status);
      await finishToolCall(deps.db, runId, step, position, status, cleanText(text), usage);
      countTool({ outcome: status });
      return 'ended';
    };
    return { call, tell, end };
  }
}
