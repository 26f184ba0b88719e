import { activityInfo, cancellationSignal } from '@temporalio/activity';
import { startRun } from '../../src/app/conversations/advance-run.ts';
import type { ActivityDeps } from '../../src/app/deps.ts';
import type { TurnsOutcome } from '../../src/domain/conversations/run-outcome.ts';

/**
 * Claims the next due group of the conversation and makes its first model call. With WARM_TURNS above 1, also answers
 * inputs that arrive soon afterwards. A repeated call continues the run that an earlier attempt claimed.
 * @returns `waiting` if a group is open but not due; `idle` if no group is open; otherwise the outcome of the last run,
 * with the outcomes of the runs before it in `earlier`
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
