import type { ActivityDeps } from '../../src/app/deps.ts';
import type { RunOutcome } from '../../src/domain/conversations/run-outcome.ts';
import { addIds } from '../../src/observability/spans.ts';
import { countRun } from '../../src/observability/worker-metrics.ts';

/**
 * Records a run as failed, with the last recorded failure of its model as the reason, or a general message if there is
 * none. Idempotent: a run that has ended keeps its outcome, which is returned.
 */
export function failRunActivity({ runs }: ActivityDeps) {
  return async (runId: string): Promise<RunOutcome> => {
    addIds({ run_id: runId });
    const outcome = await runs.fail(runId);
    if (outcome.next === 'failed') countRun({ outcome: 'failed' });
    return outcome;
  };
}
