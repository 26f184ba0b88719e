import { activityInfo, cancellationSignal } from '@temporalio/activity';
import { startFollowUp } from '../../src/app/conversations/advance-run.ts';
import type { ActivityDeps } from '../../src/app/deps.ts';
import type { RunOutcome } from '../../src/domain/conversations/run-outcome.ts';

/**
 * Claims a follow-up and makes its first model call. A repeated call continues the run that an earlier attempt claimed,
 * or returns its outcome if it has ended.
 * @returns the outcome of the step; `superseded` if the follow-up is no longer due, for example because the user has
 * written
 * @throws ApplicationFailure: retryable if the call may succeed later; otherwise `RunFailed`, which is not retried
 */
export function startFollowUpActivity(deps: ActivityDeps) {
  return async (conversationId: string, of: string, number: number): Promise<RunOutcome> =>
    await startFollowUp(deps, conversationId, {
      of,
      number,
      repeated: activityInfo().attempt > 1,
      signal: cancellationSignal(),
    });
}
