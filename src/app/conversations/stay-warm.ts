/**
 * While the user answers quickly, waits for the next input in the activity of the last run and answers it there, so
 * that Temporal stores one activity for several runs. The activity claims a further input only while it serves the
 * conversation (conversations.served_by). An input is thus answered once, even if several activities are notified.
 */
import { ApplicationFailure } from '@temporalio/common';
import { endServing } from '../../adapters/postgres/conversations/serving.ts';
import { followUpDueAt } from '../../domain/conversations/follow-up-plan.ts';
import type { EarlierRun, RunOutcome, TurnsOutcome } from '../../domain/conversations/run-outcome.ts';
import { warmActivityMs } from '../../domain/time-limits.ts';
import { countRun } from '../../observability/worker-metrics.ts';
import { noteDoing } from '../../worker/around-activities.ts';
import type { WarmConversation, WarmConversations } from '../../worker/warm-conversations.ts';
import type { ActivityDeps } from '../deps.ts';

/** The outcome of one claim and, if it started a run, of that run's step. */
export interface StartedRun {
  outcome: RunOutcome;
  /**
   * Present if the activity serves the conversation from now on. `modelTimeoutSeconds` is the agent's own time limit
   * for a model call; null if the installation's limit applies.
   */
  served?: { organizationId: string; modelTimeoutSeconds: number | null };
}

/**
 * Makes one claim and, if the claim starts a run, makes the run's first step.
 * @param limit calls `claim` once the limits on claims allow it
 */
export type StartNext = (limit: (claim: () => Promise<void>) => Promise<void>) => Promise<StartedRun>;

/** Minimum milliseconds until the next follow-up for which the activity still waits for the next message. Chosen. */
const minFollowUpMs = 5000;
/**
 * Milliseconds between the end of the wait and the first follow-up, so that the workflow's timer can start the
 * follow-up. Chosen.
 */
const beforeFollowUpMs = 1000;
/**
 * Maximum milliseconds for which the activity waits until the open group is due. If the group is due later, the
 * activity ends, and the workflow's timer waits. Chosen.
 */
const maxWindowMs = 60_000;
/** A due time (epoch ms) that is past on every clock, so that the workflow checks for due work at once. */
const now = 0;

interface Warm {
  all: WarmConversations;
  one: WarmConversation;
  signal: AbortSignal;
}

/**
 * Waits for inputs that follow the first run quickly, and answers them.
 * @param first the first run; `began` is the time of its claim, by performance.now()
 * @param startNext makes the next claim and, if it starts a run, the run's first step
 * @returns the last run's outcome, with the runs before it as `earlier`, and with `dueAt` (epoch ms) if there is work
 * for which the workflow may not have been nudged
 */
export async function stayWarm(
  deps: Pick<ActivityDeps, 'db' | 'runs'>,
  conversationId: string,
  { all, one, signal }: Warm,
  first: Required<StartedRun> & { began: number },
  startNext: StartNext,
): Promise<TurnsOutcome> {
  const { maxRuns, waitMs } = all.limits;
  const { by } = one;
  const { began } = first;
  const { organizationId, modelTimeoutSeconds } = first.served;
  // Uses the time limit of the first run's agent. The next runs usually belong to this agent, because a transfer ends
  // the wait.
  const activityMs = Math.min(all.limits.activityMs, warmActivityMs(modelTimeoutSeconds ?? 0));
  const earlier: EarlierRun[] = [];
  let outcome = first.outcome;
  let answeredAt = 0;
  let idleSince = 0;
  /** Milliseconds until the open group is due; undefined if none is open. */
  let groupMs: number | undefined;
  let dueAt: number | undefined;
  const runEnded = (claimedAt: number) => {
    answeredAt = Date.now();
    idleSince = performance.now();
    // `wakeAt` means that another group of inputs is open. The activity may not have been notified of these inputs,
    // because they may have been accepted before the activity served the conversation.
    if ('wakeAt' in outcome) one.notify();
    all.runEnded({
      run_id: 'runId' in outcome ? outcome.runId : undefined,
      outcome: outcome.next,
      callback: 'callback' in outcome ? outcome.callback : undefined,
      duration_ms: Math.round(idleSince - claimedAt),
    });
  };
  runEnded(began);

  while (mayWaitAfter(outcome) && earlier.length + 1 < maxRuns && all.mayWait) {
    const idleMs = waitAfter(outcome, waitMs) - (performance.now() - idleSince);
    const leftMs = activityMs - (performance.now() - began);
    const ms = groupMs ?? idleMs;
    if (ms > leftMs || (groupMs === undefined && ms <= 0)) break;
    const answered = { answered: earlier.length + 1, last: outcome.runId };
    const what = groupMs === undefined ? 'next message' : "group's window";
    noteDoing({ doing: `waiting for the ${what}`, ...answered });
    const end = await one.wait(ms, signal);
    if (end === 'ended' || (end === 'timeout' && groupMs === undefined)) break;
    groupMs = undefined;
    noteDoing({ doing: 'running the agent', ...answered });
    const claimedAt = performance.now();
    const next = await orRetry(deps, () => startNext((claim) => all.limitClaims(organizationId, claim)));
    if (next === 'retry') {
      dueAt = now;
      break;
    }
    if (next.next === 'idle' && next.deliveries === undefined) continue;
    if (next.next === 'waiting' && next.deliveries === undefined && next.waitMs <= maxWindowMs) {
      groupMs = next.waitMs;
      continue;
    }
    if (!('runId' in next)) break;
    earlier.push(asEarlier(outcome, answeredAt));
    outcome = next;
    runEnded(claimedAt);
  }
  dueAt = earliest(dueAt, await endServing(deps.db, conversationId, by));
  return {
    ...(outcome.next === 'answer' ? { ...outcome, answeredAt: outcome.answeredAt ?? answeredAt } : outcome),
    ...(earlier.length > 0 && { earlier }),
    ...(dueAt !== undefined && { dueAt }),
  };
}

/**
 * Calls `startRun`. Never rejects. Otherwise, Temporal would retry the activity, and the outcomes of its earlier runs
 * would be lost. If the run cannot continue (`RunFailed`), records it as failed.
 * @returns the outcome; `retry` if another activity must claim the run, because `startRun` failed in another way or
 * the failed run could not be recorded
 */
async function orRetry(
  deps: Pick<ActivityDeps, 'runs'>,
  startRun: () => Promise<StartedRun>,
): Promise<RunOutcome | 'retry'> {
  try {
    return (await startRun()).outcome;
  } catch (error) {
    const failed = error instanceof ApplicationFailure && error.type === 'RunFailed' && error.details?.[0];
    if (typeof failed !== 'string') return 'retry';
    const outcome = await deps.runs.fail(failed).catch(() => undefined);
    if (outcome === undefined) return 'retry';
    if (outcome.next === 'failed') countRun({ outcome: 'failed' });
    return outcome;
  }
}

/**
 * True for an answer without a delivery, or whose delivery has ended. The workflow handles every other outcome, such
 * as a tool call.
 */
function mayWaitAfter(outcome: RunOutcome): outcome is RunOutcome & { next: 'answer' } {
  return outcome.next === 'answer' && outcome.delivery === undefined;
}

/** @returns the milliseconds for which the activity waits for the next message; 0 if a follow-up is due too soon */
function waitAfter({ followUps }: RunOutcome & { next: 'answer' }, waitMs: number): number {
  if (followUps === undefined) return waitMs;
  const since = Date.now();
  const followUpMs = (followUpDueAt({ attempt: 1, since, after: followUps }) ?? Infinity) - since;
  return followUpMs < minFollowUpMs ? 0 : Math.min(waitMs, followUpMs - beforeFollowUpMs);
}

function asEarlier(outcome: RunOutcome & { next: 'answer' }, answeredAt: number): EarlierRun {
  const { runId, callback } = outcome;
  return {
    runId,
    outcome: 'answer',
    at: outcome.answeredAt ?? answeredAt,
    ...(callback !== undefined && { callback }),
  };
}

function earliest(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}
