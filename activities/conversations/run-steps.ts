/** The activities that advance a run: claim the next group and call the model, call it again, end the run. */
import { activityInfo, cancellationSignal } from '@temporalio/activity';
import type { Claim, RunView } from '../../src/adapters/postgres/conversations/runs.ts';
import {
  shortWaitMs,
  type StepOutcome,
  type TurnOutcome,
} from '../../src/domain/conversations/run-outcome.ts';
import { noteIds } from '../../src/observability/ids.ts';
import { countRun, measureLag } from '../../src/observability/worker-metrics.ts';
import type { NotedAttempt, Work } from '../../src/worker/attempts.ts';
import type { ActivityDeps } from '../../src/app/deps.ts';
import { postCallback } from '../../src/app/conversations/post-callback.ts';
import { withHeartbeat } from '../../src/worker/heartbeat.ts';
import { inClaimedRun } from '../../src/worker/trace-activities.ts';
import { modelStep } from '../../src/app/conversations/model-step.ts';

/**
 * If a group is due within this time, the activity waits for it, and checks it at this interval: a new input may close
 * it early.
 */
const lookAgainMs = 200;

/** Slower callbacks get an activity of their own, which shows in the history. */
const quickCallbackMs = 1000;

export function runStepActivities(deps: ActivityDeps) {
  const ask = async (run: RunView, step: number, attempt: NotedAttempt | undefined) =>
    await withHeartbeat(() => modelStep(deps, run, step, { attempt, signal: cancellationSignal() }));
  const begin = async (claim: Claim, attempt: NotedAttempt | undefined): Promise<TurnOutcome> => {
    switch (claim.kind) {
      case 'gone':
      case 'superseded':
        return { next: claim.kind };
      case 'idle':
        return { next: 'idle', ...(claim.silence && { silence: claim.silence }) };
      case 'waiting':
        return { next: 'waiting', wakeAt: claim.wake_at };
      case 'deliver':
        return { next: 'deliver', deliveryId: claim.delivery_id };
      case 'ended':
        return claim.outcome;
      case 'run': {
        const { run } = claim;
        noteIds(idsOfRun(run));
        if (run.steps === 0 && run.mode !== 'follow_up') measureLag({}, run.lag_ms / 1000);
        // The run continues after a crash at its last recorded step.
        return await inClaimedRun(deps.db, run, run.steps === 0, async () =>
          withCallback(deps, await ask(run, Math.max(0, run.steps - 1), attempt)),
        );
      }
    }
  };
  const failed = (outcome: StepOutcome | undefined) => {
    if (outcome?.next === 'failed') countRun({ outcome: 'failed' });
    return outcome && { ...outcome, ...(outcome.next === 'failed' && { because: 'workers_lost' as const }) };
  };
  /** A conversation has one run in progress at a time, so the lost run is the one recorded as running. */
  const turn = async (conversationId: string, work: Work<TurnOutcome>['work']): Promise<TurnOutcome> =>
    await deps.attempts.guardedByClaim<TurnOutcome>(`turn/${conversationId}`, activityInfo().attempt > 1, {
      work,
      giveUp: async (why) => failed(await deps.runs.failRunning(conversationId, why)),
    });
  return {
    /** Claims the next due group of the conversation and makes its first model call. */
    async startRun(conversationId: string, flush = false): Promise<TurnOutcome> {
      const { activityId, attempt, workflowExecution } = activityInfo();
      const claimant = { id: `${workflowExecution?.runId ?? ''}/${activityId}`, repeated: attempt > 1 };
      return await turn(conversationId, async (noted) => {
        for (;;) {
          const claim = await deps.runs.claim(conversationId, deps.prices, claimant, flush, noted);
          if (claim.kind !== 'waiting' || claim.wait_ms > shortWaitMs) return await begin(claim, noted);
          await deps.sleep(Math.min(claim.wait_ms, lookAgainMs), cancellationSignal());
        }
      });
    },

    /** Claims the next follow-up and makes its first model call, unless the user has written since. */
    async startFollowUp(conversationId: string, of: string, attempt: number): Promise<TurnOutcome> {
      return await turn(conversationId, async (noted) =>
        begin(await deps.runs.claimFollowUp(conversationId, of, attempt, deps.prices, noted), noted),
      );
    },

    /** Makes the model's next step in a run: after tools, attachments or a transfer. */
    async continueRun(runId: string, step: number): Promise<StepOutcome> {
      return await deps.attempts.guardedByClaim<StepOutcome>(`run/${runId}`, activityInfo().attempt > 1, {
        work: async (attempt) => {
          const run = await deps.runs.view(runId, attempt);
          if (run === null) return { next: 'gone' };
          noteIds(idsOfRun(run));
          return await withCallback(deps, await ask(run, step, attempt));
        },
        giveUp: async (why) => failed(await deps.runs.fail(runId, why)),
      });
    },

    /** Ends a run without an answer; the reason is the last recorded failure of its model. */
    async failRun(runId: string): Promise<StepOutcome> {
      noteIds({ run_id: runId });
      const outcome = await deps.runs.fail(runId);
      if (outcome.next === 'failed') countRun({ outcome: 'failed' });
      return outcome;
    },
  };
}

function idsOfRun({ id, conversation_id, organization_id }: RunView) {
  return { run_id: id, conversation_id, organization_id };
}

/** Posts the message's callback at once. A slow or failing one is left to an activity of its own. */
async function withCallback(deps: ActivityDeps, outcome: StepOutcome): Promise<StepOutcome> {
  if (outcome.next !== 'answer' && outcome.next !== 'transfer') return outcome;
  const { deliveryId, ...rest } = outcome;
  if (deliveryId === undefined) return outcome;
  const posting = deps.outbox.post(deliveryId, () => postCallback(deps, deliveryId));
  const callback = await Promise.race([posting.catch(() => undefined), soonOver(deps)]);
  return callback === undefined || callback === 'channel' ? outcome : { callback, ...rest };
}

async function soonOver(deps: ActivityDeps): Promise<undefined> {
  await deps.sleep(quickCallbackMs, cancellationSignal()).catch(() => undefined);
}
