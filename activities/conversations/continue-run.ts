import { activityInfo, cancellationSignal } from '@temporalio/activity';
import { continueRun } from '../../src/app/conversations/advance-run.ts';
import type { ActivityDeps } from '../../src/app/deps.ts';
import type { RunOutcome } from '../../src/domain/conversations/run-outcome.ts';

/**
 * Makes the next model call of a run, after tools, attachments or a transfer. A repeated call returns the outcome of
 * the recorded step without a model call. Returns the outcome of the step; `cancelled` if the run was cancelled,
 * `failed` if too many of its workers were lost, `gone` if it was erased or has already ended.
 * @throws ApplicationFailure: retryable, or `RunFailed` if the run cannot continue
 */
export function continueRunActivity(deps: ActivityDeps) {
  return async (runId: string, step: number): Promise<RunOutcome> =>
    await continueRun(deps, runId, step, {
      repeated: activityInfo().attempt > 1,
      signal: cancellationSignal(),
    });
}
