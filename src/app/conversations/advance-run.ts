/**
 * Advances a run by one model call: claims the next group or follow-up, or continues a run, and posts a quick
 * callback within the step.
 */
import type { Claimed, RunView, Serving } from '../../adapters/postgres/conversations/runs.ts';
import { shortWaitMs, type RunOutcome, type TurnsOutcome } from '../../domain/conversations/run-outcome.ts';
import { addIds, isTracing } from '../../observability/spans.ts';
import { countRun, measureLag } from '../../observability/worker-metrics.ts';
import type { NotedAttempt } from '../../worker/attempts.ts';
import { inClaimedRun } from '../../worker/trace-activities.ts';
import type { ActivityDeps } from '../deps.ts';
import { modelStep } from './model-step.ts';
import { stayWarm, type StartedRun } from './stay-warm.ts';
import { postCallback } from './post-callback.ts';

/** If a group is due soon, `startRun` polls for it at this interval, because a new input may close it early. */
const pollMs = 200;

/** A callback that takes longer is awaited in an activity of its own, which shows in the history. */
const quickCallbackMs = 1000;

/** The attempt of an activity that advances a run. */
export interface Advancing {
  /** True if an earlier attempt may have claimed a run and lost the result. */
  repeated: boolean;
  signal: AbortSignal;
}

interface Starting extends Advancing {
  /** Identifies the activity; the same in all of its attempts. */
  claimant: string;
  /** True: the open group does not wait for its window. */
  flush: boolean;
}

/**
 * Claims the next due group of the conversation and makes its first model call. If the user answers quickly, it
 * also answers the next inputs, as `deps.warm` allows.
 * @throws ApplicationFailure: retryable, or `RunFailed` if the run cannot continue, for example because its model has
 * failed permanently
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
  try {
    const warm = { all, one, signal: starting.signal };
    return await stayWarm(deps, conversationId, warm, (serving, limit) => {
      const next = serving.lingering ? { ...starting, repeated: false, flush: false } : starting;
      return startOneRun(deps, conversationId, next, serving, limit);
    });
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
  let servedFor: string | undefined;
  const outcome = await guarded(deps, conversationId, advancing, async (attempt) => {
    for (;;) {
      const by = { id: claimant, repeated };
      let claimed: Claimed | undefined;
      await limit(async () => {
        claimed = await deps.runs.claim(conversationId, deps.prices, by, flush, attempt, serving);
      });
      if (claimed === undefined) throw new Error('nothing was claimed');
      if (claimed.next === 'run' && claimed.served) servedFor = claimed.run.organization_id;
      if (claimed.next !== 'waiting' || claimed.deliveries || claimed.waitMs > shortWaitMs) return claimed;
      await deps.sleep(Math.min(claimed.waitMs, pollMs), undefined, { signal });
    }
  });
  return { outcome, ...(servedFor !== undefined && { servedFor }) };
}

/**
 * Claims a follow-up and makes its first model call, unless the user has written since.
 * @param of id of the run whose answer the user has not replied to
 * @param number counts the follow-ups of that answer from 1
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
 * Makes the next model call of a run, after tools, attachments or a transfer. A repeated call returns the outcome of
 * the recorded step.
 * @returns `gone` if the run no longer exists
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
 * Claims a run and advances it. If too many workers were lost, fails the conversation's running run: there is at most
 * one, so it is the one that they were working on.
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

/** Makes the step and posts its callback. A callback that is slow or fails gets an activity of its own. */
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
