/**
 * Repeats the activity that rehearses the next turns, until the rehearsal has ended. Postgres stores which turns have
 * an outcome.
 */
import { ApplicationFailure, setCurrentDetails } from '@temporalio/workflow';
import { isRowId } from '../../src/contract/workflows.ts';
import { rehearsalActivities } from '../policies.ts';

/**
 * @throws ApplicationFailure NoRehearsal, not retryable, if the argument is not a row's id; the failures of the
 * activity
 */
export async function rehearsal(id: string): Promise<void> {
  if (!isRowId(id))
    throw ApplicationFailure.nonRetryable('The argument must be the id of a rehearsal.', 'NoRehearsal');
  for (let runs = true; runs;) {
    const progress = await rehearsalActivities.rehearse(id);
    setCurrentDetails(`Asked ${progress.done} of ${progress.done + progress.left} turns.`);
    ({ runs } = progress);
  }
}
