import { activityInfo, cancellationSignal } from '@temporalio/activity';
import { startFollowUp } from '../../src/app/conversations/advance-run.ts';
import type { ActivityDeps } from '../../src/app/deps.ts';
import type { RunOutcome } from '../../src/domain/conversations/run-outcome.ts';

/**
 * Claims a follow-up and makes its first model call. Returns the outcome of the step, or `superseded` if the follow-up
 * is no longer due, for example because the user has written. A repeated call continues the run that an earlier attempt
 * claimed.
 * @throws ApplicationFailure: retryable, or `RunFailed` if the run cannot continue
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
