/**
 * Advances a run by one model call: claims the next group or follow-up, or continues a run, and posts a quick
 * callback within the step.
 */
import type { Claimed, RunView } from '../../adapters/postgres/conversations/runs.ts';
import { shortWaitMs, type RunOutcome } from '../../domain/conversations/run-outcome.ts';
import { addIds } from '../../observability/ids.ts';
import { isTracing } from '../../observability/spans.ts';
import { countRun, measureLag } from '../../observability/worker-metrics.ts';
import type { NotedAttempt } from '../../worker/attempts.ts';
import { inClaimedRun } from '../../worker/trace-activities.ts';
import type { ActivityDeps } from '../deps.ts';
import { modelStep } from './model-step.ts';
import { postCallback } from './post-callback.ts';

/** If a group is due soon, `startRun` polls for it at this interval, because a new input may close it early. */
const pollMs = 200;

/** Slower callbacks get an activity of their own, which shows in the history. */
const quickCallbackMs = 1000;

/** The attempt of an activity that advances a run. */
export interface Advancing {
  /** True if an earlier attempt may have claimed a run and lost the result. */
  repeated: boolean;
  signal: AbortSignal;
}

/**
 * Claims the next due group of the conversation and makes its first model call.
 * @param claimant identifies the activity; the same in all of its attempts
 * @param flush true: the open group does not wait for its window
 * @throws a retryable failure, or `runFailed` once the model has failed permanently
 */
export async function startRun(
  deps: ActivityDeps,
  conversationId: string,
  { claimant, flush, ...advancing }: Advancing & { claimant: string; flush: boolean },
): Promise<RunOutcome> {
  const { repeated, signal } = advancing;
  return await guarded(deps, conversationId, advancing, async (attempt) => {
    for (;;) {
      const by = { id: claimant, repeated };
      const claimed = await deps.runs.claim(conversationId, deps.prices, by, flush, attempt);
      if (claimed.next !== 'waiting' || claimed.deliveries || claimed.waitMs > shortWaitMs) return claimed;
      await deps.sleep(Math.min(claimed.waitMs, pollMs), undefined, { signal });
    }
  });
}

/**
 * Claims a follow-up and makes its first model call, unless the user has written since.
 * @param of the run whose answer the user has not replied to
 * @param number of the follow-up, from 1
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
 * Makes the next model call of a run, after tools, attachments or a transfer. A repeated call returns the recorded
 * step.
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

/** A conversation has one run in progress at a time, so the lost run is the one recorded as running. */
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
      if (run.lag_ms !== null && run.steps === 0 && run.mode !== 'follow_up')
        measureLag({}, run.lag_ms / 1000);
      // A run that is claimed again after a crash continues at its last recorded step.
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

/** Makes the step and posts its callback. A slow or failing callback gets an activity of its own. */
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
