/** The product's activities, cut in other places. Takes the place of activities/index.ts in a worker of a shape. */
import { activityInfo } from '@temporalio/activity';
import { createActivities as createReal } from '../../../activities/index.ts';
import type { ActivityDeps } from '../../../src/app/deps.ts';
import { Outbox } from '../../../src/app/conversations/post-callback.ts';
import type { RunOutcome } from '../../../src/domain/conversations/run-outcome.ts';

type Claimed = Exclude<RunOutcome, { next: 'answer' }> | { next: 'run'; runId: string };
export interface ShapeActivities {
  claimOnly: (conversationId: string) => Promise<Claimed>;
}

/** Leaves every callback to its own activity. */
class LaterOutbox extends Outbox {
  override post(): Promise<never> {
    return Promise.reject(new Error('posted by its own activity'));
  }
}

export function createActivities(deps: ActivityDeps) {
  const real = createReal(deps);
  const later = createReal({ ...deps, outbox: new LaterOutbox() });
  const claimOnly: ShapeActivities['claimOnly'] = async (conversationId) => {
    const { activityId, attempt, workflowExecution } = activityInfo();
    const claimant = { id: `${workflowExecution?.runId ?? ''}/${activityId}`, repeated: attempt > 1 };
    const claim = await deps.runs.claim(conversationId, deps.prices, claimant);
    if (claim.next === 'run') return { next: 'run', runId: claim.run.id };
    return claim.next === 'answer' ? { next: 'idle' } : claim;
  };
  return { ...later, ...callbacksOf(real), claimOnly };
}

/** Of the activities that post what they are told to. */
function callbacksOf({ ...real }: ReturnType<typeof createReal>) {
  return { deliverCallback: (deliveryId: string) => real.deliverCallback(deliveryId) };
}
