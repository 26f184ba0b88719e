/**
 * Advances a run by one model call. Claims the next group of inputs or a follow-up, or continues a run; makes the
 * call; records its result before the run continues; posts the step's callback, and waits at most `quickCallbackMs`
 * for its end.
 */
import { randomInt } from 'node:crypto';
import { v7 as newId } from 'uuid';
import {
  CreditsBusy,
  handOverTool,
  ModelFault,
  transferTool,
  type Model,
  type ModelReply,
} from '../../adapters/models/model.ts';
import { askAgent, type ModelChoice } from '../../adapters/models/models.ts';
import type { Claimed, RunView, Serving } from '../../adapters/postgres/conversations/runs.ts';
import { endServing } from '../../adapters/postgres/conversations/serving.ts';
import {
  loadAttachments,
  loadDestinations,
  loadHistory,
  loadToolSteps,
  loadUncarriedCredits,
} from '../../adapters/postgres/conversations/transcript.ts';
import type { Notifications } from '../../adapters/postgres/notifications.ts';
import type { ChannelName } from '../../contract/conversations/channel-name.ts';
import { scriptedModelId } from '../../contract/models/scripted.ts';
import {
  bothFailed,
  creditsOf,
  decideStep,
  joinInputs,
  maxSteps,
  notInTest,
  stepLimitSentence,
  type Decision,
} from '../../domain/conversations/model-call.ts';
import { approvalCode, comparableNumber } from '../../domain/conversations/approval-request.ts';
import {
  decideCall,
  expiryOf,
  maxApprovalsPerStep,
  notExecuted,
} from '../../domain/conversations/tool-policy.ts';
import { shortWaitMs, type RunOutcome, type TurnsOutcome } from '../../domain/conversations/run-outcome.ts';
import { NoSlot } from '../../limits/limiter.ts';
import { addIds, inSpan, isTracing } from '../../observability/spans.ts';
import {
  countRun,
  countShareReached,
  measureAnswer,
  measureLag,
} from '../../observability/worker-metrics.ts';
import { runFailed, transient } from '../../worker/failures.ts';
import type { TextFeed } from '../../worker/stream-outbox.ts';
import { noteDoing, type NotedAttempt } from '../../worker/around-activities.ts';
import { inClaimedRun } from '../../worker/trace-activities.ts';
import type { ActivityDeps } from '../deps.ts';
import { callBudget } from '../data/call-budget.ts';
import { whileTyping } from '../whatsapp/show-typing.ts';
import { fittingModel } from './fit-output.ts';
import { postCallback } from './post-callback.ts';
import { stayWarm, type StartedRun } from './stay-warm.ts';

/**
 * Milliseconds between two claims of a group that is due soon. `startRun` polls, because a new input may close the
 * group early. Chosen.
 */
const pollMs = 200;

/**
 * Maximum milliseconds for which a step waits for its callback. A slower callback gets a separate activity, so that
 * the workflow's history shows that it is slow. Chosen.
 */
const quickCallbackMs = 1000;

export interface Advancing {
  /** True if an earlier attempt of the activity has begun. It may have claimed the run, and lost its worker. */
  repeated: boolean;
  signal: AbortSignal;
}

interface Starting extends Advancing {
  /** Id of the activity, which is the same in all of its attempts. */
  claimant: string;
  /** True to claim the open group before its window ends. */
  flush: boolean;
}

/**
 * Claims the next due group of the conversation and makes its first model call. If the user writes again soon, also
 * answers the next inputs, within the limits of `deps.warm`. A repeated call continues the run that an earlier attempt
 * claimed, or returns its outcome if it has ended.
 * @returns `idle` if the conversation has no open group; `waiting` if the group is not due yet, or deliveries must be
 * sent first; otherwise as `continueRun`
 * @throws ApplicationFailure `RunFailed`, which is not retried, if the run cannot continue, for example because its
 * model has failed permanently; other errors, which are retried
 */
export async function startRun(
  deps: ActivityDeps,
  conversationId: string,
  starting: Starting,
): Promise<TurnsOutcome> {
  const { warm: all } = deps;
  const one = all?.register(conversationId);
  if (all === undefined || one === undefined)
    return (await startOneRun(deps, conversationId, starting)).outcome;
  const { by } = one;
  const { waitMs: warmMs } = all.limits;
  try {
    const began = performance.now();
    noteDoing({ doing: 'running the agent', answered: 0 });
    const first = await startOneRun(deps, conversationId, starting, { by, warmMs, lingering: false }).catch(
      async (error: unknown) => {
        // The activity fails or is retried, perhaps by another worker, so this attempt must receive no further inputs.
        await endServing(deps.db, conversationId, by).catch(() => undefined);
        throw error;
      },
    );
    const { outcome, served } = first;
    if (served === undefined) return outcome;
    const warm = { all, one, signal: starting.signal };
    const next = { ...starting, repeated: false, flush: false };
    return await stayWarm(deps, conversationId, warm, { outcome, served, began }, (limit) =>
      startOneRun(deps, conversationId, next, { by, warmMs, lingering: true }, limit),
    );
  } finally {
    one.unregister();
  }
}

async function startOneRun(
  deps: ActivityDeps,
  conversationId: string,
  { claimant, flush, ...advancing }: Starting,
  serving?: Serving,
  limit: (claim: () => Promise<void>) => Promise<void> = (claim) => claim(),
): Promise<StartedRun> {
  const { repeated, signal } = advancing;
  let served: StartedRun['served'];
  const outcome = await guarded(deps, conversationId, advancing, async (attempt) => {
    for (;;) {
      const by = { id: claimant, repeated };
      let claimed: Claimed | undefined;
      await limit(async () => {
        claimed = await deps.runs.claim(conversationId, deps.prices, by, flush, attempt, serving);
      });
      if (claimed === undefined) throw new Error('nothing was claimed');
      if (claimed.next === 'run' && claimed.served) {
        const { organization_id: organizationId, agent } = claimed.run;
        served = { organizationId, modelTimeoutSeconds: agent.model_timeout_seconds };
      }
      if (claimed.next !== 'waiting' || claimed.deliveries || claimed.waitMs > shortWaitMs) return claimed;
      await deps.sleep(Math.min(claimed.waitMs, pollMs), undefined, { signal });
    }
  });
  return { outcome, ...(served && { served }) };
}

/**
 * Claims a follow-up and makes its first model call. A repeated call continues the follow-up, or returns its outcome
 * if it has ended.
 * @param of id of the run whose answer the user has not replied to
 * @param number number of the follow-up after that answer, from 1
 * @returns `superseded` if the follow-up is no longer due, for example because the user has written or the agent is
 * paused (claim_follow_up.sql lists all reasons); otherwise as `continueRun`
 * @throws as `startRun`
 */
export async function startFollowUp(
  deps: ActivityDeps,
  conversationId: string,
  { of, number, ...advancing }: Advancing & { of: string; number: number },
): Promise<RunOutcome> {
  return await guarded(deps, conversationId, advancing, (attempt) =>
    deps.runs.claimFollowUp(conversationId, of, number, deps.prices, attempt),
  );
}

/**
 * Makes the next model call of a run, after tools, attachments or a transfer. If the step is already recorded, only
 * returns its outcome.
 * @returns the outcome of the step: an answer, tools, a transfer or attachments; `cancelled` if the run was cancelled;
 * `failed` if too many of its workers were lost; `gone` if the run was erased or has already ended
 * @throws as `startRun`
 */
export async function continueRun(
  deps: ActivityDeps,
  runId: string,
  step: number,
  { repeated, signal }: Advancing,
): Promise<RunOutcome> {
  return await deps.attempts.guardedByClaim<RunOutcome>(`run/${runId}`, repeated, {
    work: async (attempt) => {
      const run = await deps.runs.view(runId, attempt);
      if (run === null) return { next: 'gone' };
      addRunIds(run);
      return await advance(deps, run, step, attempt, signal);
    },
    giveUp: async (why) => workersLost(await deps.runs.fail(runId, why)),
  });
}

/**
 * Claims a run and advances it. If too many workers were lost, fails the conversation's run in progress. A conversation
 * has at most one, so it is the run that these workers had claimed.
 */
async function guarded(
  deps: ActivityDeps,
  conversationId: string,
  { repeated, signal }: Advancing,
  claim: (attempt: NotedAttempt | undefined) => Promise<Claimed>,
): Promise<RunOutcome> {
  return await deps.attempts.guardedByClaim<RunOutcome>(`turn/${conversationId}`, repeated, {
    work: async (attempt) => {
      const claimed = await claim(attempt);
      if (claimed.next !== 'run') return claimed;
      const { run } = claimed;
      addRunIds(run);
      if (run.lag_ms !== null && run.steps === 0 && run.mode !== 'follow_up') {
        // The lag is negative if a flush claimed the group before it was due.
        measureLag({}, Math.max(0, run.lag_ms) / 1000);
      }
      // A run that is claimed again after a crash continues with the outcome of its last recorded step.
      const step = Math.max(0, run.steps - 1);
      const work = () => advance(deps, run, step, attempt, signal);
      return isTracing() ? await inClaimedRun(deps.db, run, run.steps === 0, work) : await work();
    },
    giveUp: async (why) => workersLost(await deps.runs.failRunning(conversationId, why)),
  });
}

function addRunIds({ id, conversation_id, organization_id }: RunView): void {
  addIds({ run_id: id, conversation_id, organization_id });
}

function workersLost(outcome: RunOutcome | undefined): RunOutcome | undefined {
  if (outcome?.next !== 'failed') return outcome;
  countRun({ outcome: 'failed' });
  return { ...outcome, because: 'workers_lost' };
}

/**
 * Makes the step and posts its callback. If the callback ends in time, the outcome contains its status. If it is slow
 * or its attempt fails, the outcome contains the delivery, so that the workflow posts it in a separate activity.
 */
async function advance(
  deps: ActivityDeps,
  run: RunView,
  step: number,
  attempt: NotedAttempt | undefined,
  signal: AbortSignal,
): Promise<RunOutcome> {
  const outcome = await modelStep(deps, run, step, { attempt, signal });
  if (outcome.next !== 'answer' && outcome.next !== 'transfer') return outcome;
  const { delivery, ...rest } = outcome;
  if (delivery?.kind !== 'callback') return outcome;
  const posting = deps.outbox.post(delivery.id, () => postCallback(deps, delivery.id));
  const late = deps.sleep(quickCallbackMs, undefined, { signal });
  const callback = await Promise.race([posting, late]).catch(() => undefined);
  return callback === undefined ? outcome : { callback, ...rest };
}

const maxModelFailures = 3;
const retryDelaysMs = [1000, 2000];

/**
 * Makes and records a step. Idempotent: a step that is already recorded is not made again.
 * @returns the outcome of the recorded step; `attachments` if files must be fetched first; `cancelled` if the run was
 * cancelled; `gone` if the run was erased or has ended otherwise
 * @throws ApplicationFailure, retryable, if the model may succeed later, no slot is free, or other calls hold the
 * remaining credits; `RunFailed` if the model has failed permanently or too often
 */
async function modelStep(
  deps: ActivityDeps,
  run: RunView,
  step: number,
  { attempt, signal }: { attempt: NotedAttempt | undefined; signal: AbortSignal },
): Promise<RunOutcome> {
  let asked = run;
  for (;;) {
    if (asked.state === 'cancelled') {
      countRun({ outcome: 'cancelled' });
      return { next: 'cancelled', runId: run.id };
    }
    const outcome = await deps.changes.during(run.id, (changed) =>
      deps.shares.use(run.organization_id, () =>
        askAndRecord(deps, asked, step, { signal: AbortSignal.any([signal, changed]), changed, attempt }),
      ),
    );
    if (outcome.next !== 'gone' && outcome.next !== 'stale') return outcome;
    const now = await deps.runs.view(run.id);
    if (now === null || (now.state !== 'cancelled' && outcome.next === 'gone')) return { next: 'gone' };
    // If the run was cancelled, the next iteration returns `cancelled`. If another input joined the run, the next
    // iteration calls the model again with all inputs.
    asked = now;
  }
}

/** Duration of the model call in milliseconds, without the wait for a slot; 0 until the call has ended. */
interface Stopwatch {
  ms: number;
}

type ToolsDecision = Extract<Decision, { kind: 'tools' }>;

interface Asking {
  /** Aborts the model call if the activity is cancelled or the run has changed. */
  signal: AbortSignal;
  changed: AbortSignal;
  attempt: NotedAttempt | undefined;
}

/**
 * Makes the model call of a step, and records the decision that follows from the reply. If a credit cap refuses the
 * call, may record the agent's `cap_message` instead. If the step is already recorded, only returns its outcome.
 * @returns the outcome of the recorded step; `attachments` if files must be fetched first; `gone` if the run was
 * erased or has ended; `stale` if the run changed during the call
 * @throws retryable failures if no model slot or no credits are free; for a ModelFault, the result of `failureOf`;
 * database errors
 */
async function askAndRecord(
  deps: ActivityDeps,
  run: RunView,
  step: number,
  { signal, changed, attempt }: Asking,
): Promise<RunOutcome | { next: 'stale' }> {
  if (run.steps > step) {
    const outcome = (await deps.runs.outcome(run.id, step)) ?? { next: 'gone' };
    // An earlier attempt may have recorded the transfer and crashed before it published the event.
    if (outcome.next === 'transfer') await publishTransfer(deps, run, step, run.agent);
    return outcome;
  }
  if (run.unfetched.length > 0)
    return { next: 'attachments', runId: run.id, step, attachments: run.unfetched };
  const began = performance.now();
  let feed: TextFeed | undefined;
  const stopwatch: Stopwatch = { ms: 0 };
  try {
    const found = deps.models.find(choiceOf(run), run.organization_id);
    const model = fittingModel(found, run.agent.output_schema);
    if (model.id === scriptedModelId) refuseNote(run, deps.isProduction);
    feed = run.streamed ? await deps.streams.feed(run.id, step) : undefined;
    const { reply, targets } = await ask(deps, model, run, step, { feed, signal, stopwatch });
    if (step >= maxSteps - 1 && reply.calls.length > 0) {
      throw new ModelFault(stepLimitSentence, { retryable: false });
    }
    const decision = decideStep(reply, {
      transfers: run.transfers,
      targets,
      transferTool,
      handOverTool: run.agent.may_hand_over ? handOverTool : undefined,
      mustFit: run.agent.output_schema !== null,
    });
    const credits = creditsOf(run.prices, model.id, { input: reply.inputTokens, output: reply.outputTokens });
    const earlier = run.steps === 0 ? 0 : await loadUncarriedCredits(deps.db, run.id);
    // Stream readers must get all of the text before they get the end of the run.
    await feed?.settle();
    const made = {
      run_id: run.id,
      step,
      inputs: run.inputs.length,
      kind: decision.kind === 'hand_over' ? ('answer' as const) : decision.kind,
      text: decision.text,
      truncated: reply.truncated,
      structured: reply.structured ?? false,
      model: reply.model,
      input_tokens: reply.inputTokens,
      output_tokens: reply.outputTokens,
      cached_input_tokens: reply.cachedInputTokens ?? 0,
      credits,
      message_credits: credits + earlier,
      agent_version: run.agent.version,
      model_id: model.id,
      ...(run.fell_back && {
        fallback: { failed_model: run.fell_back.model, reason: run.fell_back.error },
      }),
      model_ms: Math.round(stopwatch.ms),
      history_turns: reply.historyTurns,
      was_cut: reply.wasCut,
      ...(decision.kind === 'transfer' && { transfer_to: decision.to }),
      ...(decision.kind === 'hand_over' && {
        hand_over: { call_id: decision.call_id, name: handOverTool, reason: decision.reason },
      }),
      ...(decision.kind === 'tools' && { calls: await permittedCalls(deps, run, decision.calls) }),
    };
    const outcome = await deps.runs.record(made, attempt);
    if (outcome.next === 'answer') {
      const { mode } = run;
      countRun({ outcome: 'answered' });
      if (mode !== 'follow_up')
        measureAnswer({ mode }, Math.max(0, run.age_ms + performance.now() - began) / 1000);
    }
    if (decision.kind === 'transfer' && outcome.next === 'transfer') {
      const to = targets.find(({ id }) => id === decision.to);
      if (to !== undefined) await publishTransfer(deps, run, step, to);
    }
    return outcome;
  } catch (error) {
    if (changed.aborted) return { next: 'stale' };
    if (error instanceof CreditsBusy) throw creditsBusy();
    if (error instanceof ModelFault && error.code === 'credit_cap_reached') {
      const outcome = await answerAtCap(deps, run, step, { feed, attempt });
      if (outcome !== undefined) return outcome;
    }
    if (error instanceof ModelFault)
      throw await failureOf(
        deps,
        run,
        { step, ms: Math.round(stopwatch.ms), streamed: feed?.hasText === true },
        error,
      );
    if (error instanceof NoSlot) {
      countShareReached({ of: 'model_calls' });
      throw noSlot();
    }
    throw error;
  } finally {
    feed?.close();
  }
}

/** Returns the model for the run's calls: the agent's or, once that has failed for good in this run, its fallback. */
function choiceOf({ agent, provider, fell_back, fallback_provider }: RunView): ModelChoice {
  const { model, fallback_model, model_timeout_seconds: timeoutSeconds } = agent;
  return fell_back === null
    ? { model, provider, timeoutSeconds }
    : { model: fallback_model, provider: fallback_provider, timeoutSeconds };
}

/**
 * Records the agent's `cap_message` as the run's answer, because a credit cap has refused the model call.
 * @returns the result of `Runs.record`; undefined if nothing was recorded, because the agent has no `cap_message`, or
 * because the run is a follow-up, for which no user waits
 */
async function answerAtCap(
  { db, runs }: ActivityDeps,
  run: RunView,
  step: number,
  { feed, attempt }: { feed: TextFeed | undefined; attempt: NotedAttempt | undefined },
): Promise<RunOutcome | { next: 'stale' } | undefined> {
  const { cap_message: text, version } = run.agent;
  if (text === null || text === '' || run.mode === 'follow_up') return undefined;
  feed?.push(text);
  await feed?.settle();
  const earlier = run.steps === 0 ? 0 : await loadUncarriedCredits(db, run.id);
  const asked = { run_id: run.id, step, inputs: run.inputs.length, kind: 'answer' as const, text };
  const outcome = await runs.record(
    {
      ...asked,
      truncated: false,
      model: noModel,
      model_id: noModel,
      model_ms: 0,
      input_tokens: 0,
      output_tokens: 0,
      credits: 0,
      message_credits: earlier,
      agent_version: version,
      history_turns: 0,
      was_cut: false,
    },
    attempt,
  );
  if (outcome.next === 'answer') countRun({ outcome: 'answered' });
  return outcome;
}

/** Recorded as the model of an answer that no model wrote. */
const noModel = 'none';

/**
 * Applies the agent's policies to the calls of a step: refuses calls, and requests approvals. Requests at most
 * `maxApprovalsPerStep` approvals, and refuses further calls that need one. In a trial or a read-only conversation,
 * refuses all calls that need an approval, and calls of tools that may change data. A refusal is stored as the call's
 * result, so that workers of older versions do not execute the call either.
 */
async function permittedCalls(
  { tools }: ActivityDeps,
  { reads_only, agent, organization_id }: RunView,
  calls: ToolsDecision['calls'],
): Promise<ToolsDecision['calls']> {
  if (!reads_only && agent.tool_policies.length === 0) return calls;
  let asked = 0;
  return await Promise.all(
    calls.map(async (call) => {
      if (call.result !== undefined || !agent.tools.includes(call.name)) return call;
      const policy = agent.tool_policies.find(({ tool }) => tool === call.name);
      const decision = decideCall(policy, call.input);
      if (decision === 'refuse') return { ...call, result: notExecuted.never(call.name) };
      if (reads_only) {
        const isRun = decision === 'run' && (await tools.reads(call.name, organization_id));
        return isRun ? call : { ...call, result: notInTest(call.name) };
      }
      if (decision === 'run') return call;
      asked += 1;
      if (asked > maxApprovalsPerStep) return { ...call, result: notExecuted.tooMany };
      const request = { id: newId(), delivery_id: newId(), ...expiryOf(policy), ...askedOnWhatsApp(agent) };
      return { ...call, approval: request };
    }),
  );
}

/**
 * @returns the code of an approval, and the people whom Parley asks for it on WhatsApp; an empty object if the agent's
 * version names no approvers
 */
function askedOnWhatsApp({ approvers }: Pick<RunView['agent'], 'approvers'>) {
  if (approvers.length === 0) return {};
  const asked = approvers.map((one) => ({ ...one, number: comparableNumber(one.phone) }));
  return { code: approvalCode(randomInt), approvers: asked };
}

/**
 * Refuses to answer for an agent that has neither a model nor a script, or that falls back to the scripted model without
 * a script. Without this check, a customer would get the scripted model's note that no rule matched. Outside
 * production, callers of the API do get that note.
 * @throws ModelFault, not retryable
 */
function refuseNote({ agent, channel, fell_back }: RunView, isProduction: boolean): void {
  const wasChosen = (agent.model !== null && fell_back === null) || (agent.script ?? []).length > 0;
  if (wasChosen || (channel === 'api' && !isProduction)) return;
  throw new ModelFault('This agent has no AI model yet. Add a model under Models in the console.', {
    retryable: false,
    othersMayAnswer: true,
  });
}

async function publishTransfer(
  deps: ActivityDeps,
  run: RunView,
  step: number,
  to: { id: string; name: string },
): Promise<void> {
  if (!run.streamed) return;
  const data = JSON.stringify({ step, agent_id: to.id, responding_agent_name: to.name });
  await deps.streams.publish({ run_id: run.id, step, event: 'transfer', data, once: `transfer ${step}` });
}

async function ask(
  deps: ActivityDeps,
  model: Model,
  run: RunView,
  step: number,
  { feed, signal, stopwatch }: { feed: TextFeed | undefined; signal: AbortSignal; stopwatch: Stopwatch },
): Promise<{ reply: ModelReply; targets: Awaited<ReturnType<typeof loadDestinations>> }> {
  const { agent } = run;
  const followUp = agent.follow_ups[(run.follow_up_attempt ?? 0) - 1];
  const [targets, steps, tools] = await Promise.all([
    loadDestinations(deps.db, run.organization_id, agent.transfers_to),
    step === 0 ? [] : loadToolSteps(deps.db, run.id, agent.id),
    agent.tools.length === 0 ? [] : deps.tools.definitionsFor(agent, run.organization_id),
  ]);
  const attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': model.id,
    'parley.step': step,
  };
  const measured = (call: () => Promise<ModelReply>) =>
    inSpan(`chat ${model.id}`, { kind: 'CLIENT', attributes }, async (note) => {
      const began = performance.now();
      try {
        const reply = await call();
        const { inputTokens, outputTokens } = reply;
        note({ 'gen_ai.usage.input_tokens': inputTokens, 'gen_ai.usage.output_tokens': outputTokens });
        return reply;
      } catch (error) {
        if (error instanceof ModelFault) note(failureAttributes(error));
        throw error;
      } finally {
        stopwatch.ms = performance.now() - began;
      }
    });
  const asked = () =>
    askAgent(deps, model, measured, {
      agent,
      parameters: agent,
      organizationId: run.organization_id,
      conversationId: run.conversation_id,
      kind: run.mode === 'follow_up' ? 'follow_up' : 'message',
      input: run.mode === 'follow_up' ? (followUp?.instructions ?? '') : joinInputs(run.inputs),
      history: () => loadHistory(deps.db, run),
      files: (hold) => loadAttachments(deps.db, run.conversation_id, run.ordinal, hold),
      steps,
      tools,
      targets,
      mayHandOver: agent.may_hand_over,
      step,
      call: { runId: run.id, step, inputs: run.inputs.length },
      signal,
      ...(run.is_capped && { budget: budgetOf(deps, run, model) }),
      ...(feed && {
        onText: (piece) => {
          feed.push(piece);
        },
      }),
    });
  const reply = await whileThinking[run.channel](deps, run, asked);
  return { reply, targets };
}

function budgetOf(deps: ActivityDeps, run: RunView, model: Model) {
  const { id: runId, organization_id: organizationId, prices: frozen } = run;
  const { model_timeout_seconds: seconds } = run.agent;
  return callBudget(deps, { organizationId, runId, model: model.id, seconds, frozen });
}

/** Runs the model call (`think`). On WhatsApp, the contact sees "typing…" during the call. */
const whileThinking: Record<
  ChannelName,
  <T>(deps: ActivityDeps, run: RunView, think: () => Promise<T>) => Promise<T>
> = {
  api: (_deps, _run, think) => think(),
  whatsapp: whileTyping,
};

const retryMs = { min: 5000, spread: 5000 };

/** @returns a retryable failure with a random delay, so that the calls that found no slot do not all retry at once */
function noSlot(): Error {
  return transient(
    'Busy',
    'The organization has many model calls in this worker; this one is retried later.',
    retryMs.min + Math.random() * retryMs.spread,
  );
}

const busyMs = { min: 500, spread: 1000 };

/**
 * @returns a retryable failure with a random delay. Once the calls in progress have ended, the cap either allows the
 * retried call or refuses it permanently.
 */
function creditsBusy(): Error {
  return transient(
    'CreditsBusy',
    'Calls in progress hold the credits that a cap leaves; this call is tried again when they have ended.',
    busyMs.min + Math.random() * busyMs.spread,
  );
}

function failureAttributes({ message, providerMessage }: ModelFault): Record<string, string> {
  return {
    'parley.error': message,
    ...(providerMessage !== undefined && { 'parley.provider_message': providerMessage }),
  };
}

/**
 * Counts the failed model call in Postgres, so that the loss of a worker does not reset the count. After a retryable
 * failure, the step is retried until it has failed `maxModelFailures` times. If the agent's model has then failed for
 * good and another model may answer, records that the run calls the agent's fallback model from now on; the activity is
 * retried at once, because one attempt has time for one model call only. In this step, the fallback is called once.
 * @param failed.streamed true if readers of the run's stream got text of the failed call
 * @returns the failure to throw: retryable, or `RunFailed`
 */
async function failureOf(
  { models, runs, warn }: ActivityDeps,
  run: RunView,
  { step, ms, streamed }: { step: number; ms: number; streamed: boolean },
  fault: ModelFault,
): Promise<Error> {
  const { agent, fell_back: first } = run;
  const { message: error, providerMessage: provider_message } = fault;
  const model = models.idOf(choiceOf(run));
  const failures = await runs.countModelFailure(run.id, step, {
    error,
    words: provider_message,
    model,
    ms,
    agent,
    code: fault.code,
  });
  warn({ agent_id: agent.id, step, failures, model, error, provider_message }, 'a model call failed');
  const delay = fault.retryAfterMs ?? retryDelaysMs[failures - 1];
  if (fault.retryable && failures < maxModelFailures && delay !== undefined && first?.step !== step)
    return transient(
      'ModelFault',
      `The model call failed (${failures} of ${maxModelFailures}); it is tried again.`,
      delay,
    );
  if (first !== null && fault.othersMayAnswer)
    await runs.describeFailure(run.id, step, bothFailed(first, { model, error }));
  const mayFallBack =
    first === null &&
    fault.othersMayAnswer &&
    !streamed &&
    agent.fallback_model !== null &&
    agent.fallback_model !== model;
  const failed = { agentId: agent.id, model, error, words: provider_message };
  if (!mayFallBack || !(await runs.fallBack(run.id, step, failed))) return runFailed(run.id);
  return transient('ModelFault', "The model call failed for good; the agent's fallback model is called.", 0);
}

/**
 * Aborts those model calls of this process whose run is cancelled, or gets another input during the call. If
 * Postgres's notification is lost, the call continues, but its result is not recorded.
 */
export class RunChanges {
  readonly #asked = new Map<string, Set<AbortController>>();

  constructor(notifications: Pick<Notifications, 'on' | 'connect'>) {
    notifications.on('run_changed', (runId) => {
      for (const asking of this.#asked.get(runId) ?? []) asking.abort();
    });
    notifications.connect();
  }

  /** Calls `work`. @param work gets a signal that is aborted when the run changes */
  async during<T>(runId: string, work: (changed: AbortSignal) => Promise<T>): Promise<T> {
    const asking = new AbortController();
    const all = this.#asked.get(runId) ?? new Set();
    this.#asked.set(runId, all.add(asking));
    try {
      return await work(asking.signal);
    } finally {
      all.delete(asking);
      if (all.size === 0) this.#asked.delete(runId);
    }
  }
}
