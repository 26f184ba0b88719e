/** Policies of a shape: the claim, the model call with its record, and the callback are an activity each. */
import { proxyActivities } from '@temporalio/workflow';
import type { RunOutcome } from '../../../src/domain/conversations/run-outcome.ts';
import { modelActivities as real } from '../../../workflows/policies.ts';
import type { ShapeActivities } from './activities.ts';

export {
  callbackActivities,
  cleaningActivities,
  erasingActivities,
  housekeepingActivities,
  recordActivities,
  recoveryActivities,
  toolActivities,
} from '../../../workflows/policies.ts';

const { claimOnly } = proxyActivities<ShapeActivities>({ startToCloseTimeout: '10s' });

export const modelActivities = {
  ...real,
  startRun: {
    executeWithOptions: async (options: { summary: string }, [id]: [string]): Promise<RunOutcome> => {
      const claimed = await claimOnly(id);
      return claimed.next === 'run'
        ? await real.continueRun.executeWithOptions(options, [claimed.runId, 0])
        : claimed;
    },
  },
};
