import { activityInfo, cancellationSignal } from '@temporalio/activity';
import { continueRun } from '../../src/app/conversations/advance-run.ts';
import type { ActivityDeps } from '../../src/app/deps.ts';
import type { RunOutcome } from '../../src/domain/conversations/run-outcome.ts';

/**
 * Makes the next model call of a run, after tools, attachments or a transfer. Idempotent: if the step is already
 * recorded, returns the recorded outcome without a model call. Returns `gone` if the run was erased.
 * @throws ApplicationFailure: retryable, or `RunFailed` if the run cannot continue
 */
export function continueRunActivity(deps: ActivityDeps) {
  return async (runId: string, step: number): Promise<RunOutcome> =>
    await continueRun(deps, runId, step, {
      repeated: activityInfo().attempt > 1,
      signal: cancellationSignal(),
    });
}
