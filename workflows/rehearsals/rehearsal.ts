/** Asks the turns of a rehearsal, part by part, until none is left. Postgres holds which are done. */
import {
  ApplicationFailure,
  continueAsNew,
  setCurrentDetails,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import { isRowId } from '../../src/contract/workflows.ts';
import { rehearsalActivities } from '../policies.ts';

/** The pause after a part that found no free model slot, or no credits. */
const pauseMs = 5000;

export async function rehearsal(id: string): Promise<void> {
  if (!isRowId(id)) throw ApplicationFailure.nonRetryable('It takes the id of a rehearsal.', 'NoRehearsal');
  for (;;) {
    const { done, left, runs, waits } = await rehearsalActivities.rehearse(id);
    setCurrentDetails(`${done} of ${done + left} turns are asked.`);
    if (!runs) return;
    if (waits) await sleep(pauseMs, { summary: 'until models and credits are free' });
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof rehearsal>(id);
  }
}
