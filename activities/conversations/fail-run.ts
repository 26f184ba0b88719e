import type { ActivityDeps } from '../../src/app/deps.ts';
import type { RunOutcome } from '../../src/domain/conversations/run-outcome.ts';
import { addIds } from '../../src/observability/ids.ts';
import { countRun } from '../../src/observability/worker-metrics.ts';

/** Ends a run without an answer; the reason is the last recorded failure of its model. */
export function failRunActivity({ runs }: ActivityDeps) {
  return async (runId: string): Promise<RunOutcome> => {
    addIds({ run_id: runId });
    const outcome = await runs.fail(runId);
    if (outcome.next === 'failed') countRun({ outcome: 'failed' });
    return outcome;
  };
}
