import { activityInfo, cancellationSignal } from '@temporalio/activity';
import { startRun } from '../../src/app/conversations/advance-run.ts';
import type { ActivityDeps } from '../../src/app/deps.ts';
import type { TurnsOutcome } from '../../src/domain/conversations/run-outcome.ts';

/**
 * Claims the next due group of the conversation and makes its first model call. With WARM_TURNS above 1, may also wait
 * for the next inputs and answer them. A repeated call continues the run that an earlier attempt claimed, or returns
 * its outcome if it has ended.
 * @returns `waiting` if the open group is not due yet, or if deliveries must be sent first; `idle` if no group is
 * open; otherwise the outcome of the last run's step. `earlier` contains the outcomes of the runs before the last one.
 * @throws ApplicationFailure: retryable if the call may succeed later; otherwise `RunFailed`, which is not retried
 */
export function startRunActivity(deps: ActivityDeps) {
  return async (conversationId: string, flush = false): Promise<TurnsOutcome> => {
    const { activityId, attempt, workflowExecution } = activityInfo();
    return await startRun(deps, conversationId, {
      claimant: `${workflowExecution?.runId ?? ''}/${activityId}`,
      repeated: attempt > 1,
      flush,
      signal: cancellationSignal(),
    });
  };
}
