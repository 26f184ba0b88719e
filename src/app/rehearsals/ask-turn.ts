/**
 * Rehearses one recorded turn: sends its input to the agent again. A tool call gets the result of an equal recorded
 * call. If there is no such call, the tool runs if it only reads and the rehearsal allows it. Otherwise, the turn
 * stops at this call.
 */
import { cleanJson, cleanText } from '../../adapters/models/model-text.ts';
import {
  handOverTool,
  ModelFault,
  transferTool,
  type Model,
  type ModelReply,
  type ToolStep,
} from '../../adapters/models/model.ts';
import { askAgent } from '../../adapters/models/models.ts';
import {
  loadAttachments,
  loadDestinations,
  loadHistoryBefore,
} from '../../adapters/postgres/conversations/transcript.ts';
import type {
  ModelCallOfTurn,
  RecordedTurn,
  RunningRehearsal,
} from '../../adapters/postgres/rehearsals/rehearsal-turns.ts';
import type { TurnOutcome } from '../../contract/rehearsals/rehearsals.ts';
import { unknownOutcome } from '../../domain/conversations/approval-reasons.ts';
import {
  creditsOf,
  decideStep,
  inputText,
  joinInputs,
  maxSteps,
  stepLimitSentence,
} from '../../domain/conversations/model-call.ts';
import {
  compareTurns,
  differenceOfUnrecorded,
  RecordedResults,
  refusalOfCall,
  type Call,
} from '../../domain/rehearsals/compare-turns.ts';
import { fittingModel } from '../conversations/fit-output.ts';
import { callBudget } from '../data/call-budget.ts';
import type { RehearsalDeps } from './deps.ts';

const maxTries = 3;
const retryDelaysMs = [1000, 2000];
const maxRetryAfterMs = 30_000;

/** The result of a rehearsed turn. */
export interface TurnResult {
  outcome: TurnOutcome;
  /**
   * True if the turn stopped because a tool call has no recorded result and could not be run. False if the call was
   * refused.
   */
  diverged: boolean;
  text: string;
  calls: Call[];
  transferTo: string | null;
  error?: string;
  credits: number;
  modelCalls: ModelCallOfTurn[];
  modelMs: number;
}

interface Asked {
  rehearsal: RunningRehearsal;
  position: number;
  recorded: RecordedTurn;
  signal: AbortSignal;
}

/**
 * Rehearses one turn, and compares the agent's actions with the recorded ones.
 * @returns the agent's actions and, in `outcome`, the first difference. `refused`: the agent's settings forbid one of
 * its calls or newly require an approval for it, or the agent requests a transfer that is not allowed and was not
 * recorded. `failed`: the model failed, or the agent still calls tools in step `maxSteps`.
 * @throws NoSlot if no model slot becomes free in time; CreditsBusy if calls in progress have reserved the remaining
 * credits of a cap; the signal's reason or AbortError if the signal is aborted
 */
export async function askTurn(deps: RehearsalDeps, asked: Asked): Promise<TurnResult> {
  const spent: Spent = { credits: 0, modelCalls: [], modelMs: 0 };
  const calls: Call[] = [];
  const end = (outcome: TurnOutcome, rest: Partial<TurnResult> = {}): TurnResult => {
    return { outcome, diverged: false, text: '', calls, transferTo: null, ...rest, ...spent };
  };
  try {
    return await follow(deps, asked, { spent, calls, end });
  } catch (error) {
    if (error instanceof ModelFault) return end('failed', { error: error.message });
    throw error;
  }
}

type Spent = Pick<TurnResult, 'credits' | 'modelCalls' | 'modelMs'>;

interface Following {
  spent: Spent;
  calls: Call[];
  end: (outcome: TurnOutcome, rest?: Partial<TurnResult>) => TurnResult;
}

async function follow(
  deps: RehearsalDeps,
  asked: Asked,
  { spent, calls, end }: Following,
): Promise<TurnResult> {
  const { rehearsal, recorded } = asked;
  const { content, organization_id: organizationId } = rehearsal;
  const model = fittingModel(deps.models.find(rehearsal, organizationId), content.output_schema);
  const targets = await loadDestinations(deps.db, organizationId, content.transfers_to);
  const results = new RecordedResults(
    recorded.calls.map(({ status, ...call }) => ({ ...call, failed: status !== 'succeeded' })),
  );
  const then = { tools: recorded.tools, toolPolicies: recorded.tool_policies };
  const now = { tools: content.tools, toolPolicies: content.tool_policies };
  const was = { calls: recorded.calls, text: recorded.text, transferTo: recorded.transfer_to };
  const steps: ToolStep[] = [];
  for (;;) {
    const reply = await ask(deps, asked, { model, targets, steps, spent });
    if (steps.length >= maxSteps - 1 && reply.calls.length > 0)
      return end('failed', { error: stepLimitSentence });
    const handsOver = content.may_hand_over ? handOverTool : undefined;
    const decision = decideStep(reply, {
      transfers: 0,
      targets,
      transferTool,
      handOverTool: handsOver,
      mustFit: content.output_schema != null,
    });
    const text = cleanText(decision.text);
    if (decision.kind === 'hand_over') calls.push({ name: handOverTool, input: { reason: decision.reason } });
    if (decision.kind !== 'tools') {
      const transferTo = decision.kind === 'transfer' ? decision.to : null;
      return end(compareTurns(was, { calls, text, transferTo }), { text, transferTo });
    }
    const step: ToolStep = { text, calls: [] };
    for (const { call_id: callId, name, input: given, result: refusal } of decision.calls) {
      const input = cleanJson(given);
      const call = { name, input };
      calls.push(call);
      const refused = refusalOfCall(then, now, call);
      if (refused !== undefined) return end('refused', { text, error: refused });
      const known = results.take(call);
      // The reply requests a transfer that is not allowed, and this call was not recorded. In this case, `decideStep`
      // has refused all calls of the reply.
      if (known === undefined && refusal !== undefined) return end('refused', { text, error: refusal });
      const result = known ?? (await read(deps, asked, call, calls.length));
      if (result === undefined) return end(differenceOfUnrecorded(was.calls, call), { text, diverged: true });
      const { failed } = result;
      step.calls.push({ callId, name, input, result: result.result ?? unknownOutcome, failed });
    }
    steps.push(step);
  }
}

/**
 * Runs a tool if it only reads, the rehearsal allows it, and the agent has it.
 * @returns the result; undefined if the tool did not run
 */
async function read(deps: RehearsalDeps, asked: Asked, { name, input }: Call, number: number) {
  const { rehearsal, recorded, position, signal } = asked;
  const { content, organization_id: organizationId } = rehearsal;
  if (!rehearsal.runs_read_only_tools || !content.tools.includes(name)) return undefined;
  const done = await deps.tools.read(name, input, {
    organizationId,
    signal,
    runId: recorded.run_id,
    agentId: rehearsal.agent.id,
    conversationId: recorded.conversation_id,
    idempotencyKey: `${rehearsal.id}/${position}/${number}`,
    connections: content.connections ?? null,
  });
  return done && { result: done.text, failed: !done.successful };
}

interface Asking {
  model: Model;
  targets: Awaited<ReturnType<typeof loadDestinations>>;
  steps: ToolStep[];
  spent: Spent;
}

/**
 * Makes a model call, and repeats it after a retryable failure. Adds the duration of each attempt, and the credits and
 * tokens of the successful one, to `spent`.
 * @throws ModelFault if the failure is not retryable, or if attempt `maxTries` fails too; NoSlot, CreditsBusy or the
 * error of an aborted signal, as `askTurn` does
 */
async function ask(
  deps: RehearsalDeps,
  asked: Asked,
  { model, targets, steps, spent }: Asking,
): Promise<ModelReply> {
  const { rehearsal, recorded, position, signal } = asked;
  const { agent, content, organization_id: organizationId } = rehearsal;
  const tools = content.tools;
  const offered =
    tools.length === 0
      ? []
      : await deps.tools.definitionsFor({ tools, connections: content.connections ?? null }, organizationId);
  const measured = async (call: () => Promise<ModelReply>) => {
    const began = performance.now();
    try {
      return await call();
    } finally {
      spent.modelMs += performance.now() - began;
    }
  };
  const attempt = () =>
    askAgent(deps, model, measured, {
      agent: { ...agent, instructions: content.instructions, script: content.script ?? null },
      parameters: content,
      organizationId,
      conversationId: `${rehearsal.id}/${position}`,
      kind: 'message',
      input: joinInputs(recorded.inputs.map(inputText)),
      history: () => loadHistoryBefore(deps.db, recorded),
      files: (hold) => loadAttachments(deps.db, recorded.conversation_id, recorded.ordinal, hold),
      steps,
      tools: offered,
      targets,
      mayHandOver: content.may_hand_over,
      step: steps.length,
      signal,
      ...(rehearsal.is_capped && {
        budget: callBudget(deps, { organizationId, runId: null, agentId: agent.id, model: model.id }),
      }),
    });
  for (let tries = 1; ; tries++) {
    try {
      const reply = await attempt();
      const tokens = { input: reply.inputTokens, output: reply.outputTokens };
      spent.credits += creditsOf(deps.prices, model.id, tokens);
      spent.modelCalls.push(modelCallOf(model.id, reply));
      return reply;
    } catch (error) {
      if (!(error instanceof ModelFault) || !error.retryable || tries >= maxTries) throw error;
      const delayMs = error.retryAfterMs ?? retryDelaysMs[tries - 1] ?? 0;
      await deps.sleep(Math.min(delayMs, maxRetryAfterMs), undefined, { signal });
    }
  }
}

/** @returns the tokens of the reply, as they are recorded with the turn */
export const modelCallOf = (model: string, reply: ModelReply): ModelCallOfTurn => ({
  model,
  input_tokens: reply.inputTokens,
  output_tokens: reply.outputTokens,
  cached_input_tokens: reply.cachedInputTokens ?? 0,
});
