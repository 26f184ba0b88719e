/** Policies of a shape: the whole turn in one local activity. The floor: an operator sees nothing of it, and a slow
 *  model call holds its workflow task. */
import { proxyLocalActivities } from '@temporalio/workflow';
import type { Activities } from '../../../activities/index.ts';
import { modelActivities as real } from '../../../workflows/policies.ts';

export {
  callbackActivities,
  cleaningActivities,
  erasingActivities,
  housekeepingActivities,
  recordActivities,
  recoveryActivities,
  toolActivities,
} from '../../../workflows/policies.ts';

const { startRun } = proxyLocalActivities<Pick<Activities, 'startRun'>>({ startToCloseTimeout: '60s' });
export const modelActivities = {
  ...real,
  startRun: { executeWithOptions: async (_options: unknown, [id]: [string]) => await startRun(id) },
};
