import type { ActivityDeps } from '../../src/app/deps.ts';
import type { RunOutcome } from '../../src/domain/conversations/run-outcome.ts';
import { addIds } from '../../src/observability/spans.ts';
import { countRun } from '../../src/observability/worker-metrics.ts';

/**
 * Records a run as failed. Its error is the run's last recorded model error or, if there is none, a general message.
 * Idempotent: returns the outcome of a run that has already ended, and `gone` for an erased run.
 */
export function failRunActivity({ runs }: ActivityDeps) {
  return async (runId: string): Promise<RunOutcome> => {
    addIds({ run_id: runId });
    const outcome = await runs.fail(runId);
    if (outcome.next === 'failed') countRun({ outcome: 'failed' });
    return outcome;
  };
}
