/** Policies of a shape: activities go through the task queue instead of coming back with the workflow task. */
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../../activities/index.ts';

export {
  callbackActivities,
  cleaningActivities,
  erasingActivities,
  housekeepingActivities,
  recordActivities,
  recoveryActivities,
  toolActivities,
} from '../../../workflows/policies.ts';

export const modelActivities = proxyActivities<
  Pick<Activities, 'startRun' | 'continueRun' | 'startFollowUp'>
>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '15s',
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '5s' },
  allowEagerDispatch: false,
});
