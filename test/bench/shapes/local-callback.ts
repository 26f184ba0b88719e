/** Policies of a shape: the callback is a local activity of the workflow's worker, never quick within the step before. */
import { proxyLocalActivities } from '@temporalio/workflow';
import type { Activities } from '../../../activities/index.ts';

export {
  cleaningActivities,
  erasingActivities,
  housekeepingActivities,
  modelActivities,
  recordActivities,
  recoveryActivities,
  toolActivities,
} from '../../../workflows/policies.ts';

const { deliverCallback } = proxyLocalActivities<Pick<Activities, 'deliverCallback'>>({
  startToCloseTimeout: '30s',
});
export const callbackActivities = {
  deliverCallback: {
    executeWithOptions: async (_options: unknown, [deliveryId]: [string]) =>
      await deliverCallback(deliveryId),
  },
};
