import { activityInfo, cancellationSignal } from '@temporalio/activity';
import { startFollowUp } from '../../src/app/conversations/advance-run.ts';
import type { ActivityDeps } from '../../src/app/deps.ts';
import type { RunOutcome } from '../../src/domain/conversations/run-outcome.ts';

/** Claims a follow-up and makes its first model call, unless the user has written since. */
export function startFollowUpActivity(deps: ActivityDeps) {
  return async (conversationId: string, of: string, number: number): Promise<RunOutcome> =>
    await startFollowUp(deps, conversationId, {
      of,
      number,
      repeated: activityInfo().attempt > 1,
      signal: cancellationSignal(),
    });
}
