import { activityInfo, cancellationSignal } from '@temporalio/activity';
import { continueRun } from '../../src/app/conversations/advance-run.ts';
import type { ActivityDeps } from '../../src/app/deps.ts';
import type { RunOutcome } from '../../src/domain/conversations/run-outcome.ts';

/**
 * Makes the next model call of a run, after tools, attachments or a transfer, and records the step. Makes no call if
 * the step is already recorded.
 * @returns the outcome of the step: an answer, tools, a transfer or attachments; `cancelled` if the run was cancelled;
 * `failed` if too many of its workers were lost; `gone` if the run was erased or has ended otherwise
 * @throws ApplicationFailure: retryable if the call may succeed later; otherwise `RunFailed`, which is not retried
 */
export function continueRunActivity(deps: ActivityDeps) {
  return async (runId: string, step: number): Promise<RunOutcome> =>
    await continueRun(deps, runId, step, {
      repeated: activityInfo().attempt > 1,
      signal: cancellationSignal(),
    });
}
