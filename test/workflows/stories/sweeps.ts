/** Stories of the small workflows: recovery and cleanup, and an action that an API call runs. */
import {
  recoveryWorkflow,
  toolActionWorkflow,
  toolActionWorkflowId,
  type Workflows,
} from '../../../src/contract/workflows.ts';
import { until } from '../../support/until.ts';
import type { Story } from './stage.ts';

export const sweeps: Story[] = [
  {
    name: 'sweep-that-looks-twice',
    play: async (stage) => {
      const { workflowId } = await stage.housekeeping(recoveryWorkflow, { everyMs: 1000, times: 2 });
      await stage.ended(workflowId);
      return workflowId;
    },
  },
  {
    name: 'open-while-the-sweep-waits',
    play: async (stage) => {
      const handle = await stage.housekeeping(recoveryWorkflow, { everyMs: 3_600_000, times: 3 });
      await until('its first look', async () => (await handle.describe()).historyLength > 10);
      return handle.workflowId;
    },
  },
  {
    name: 'tool-action-whose-row-is-gone',
    play: async (stage) => {
      const executionId = crypto.randomUUID();
      const { workflowId } = await stage.stack.temporal.client.workflow.start<Workflows['toolAction']>(
        toolActionWorkflow,
        {
          workflowId: toolActionWorkflowId(executionId),
          taskQueue: 'agents',
          args: [executionId],
        },
      );
      await stage.ended(workflowId);
      return workflowId;
    },
  },
  {
    name: 'tool-action-that-names-no-row',
    play: async (stage) => {
      const { workflowId } = await stage.stack.temporal.client.workflow.start<Workflows['toolAction']>(
        toolActionWorkflow,
        {
          workflowId: toolActionWorkflowId('by-hand'),
          taskQueue: 'agents',
          args: ['no id'],
        },
      );
      await stage.ended(workflowId);
      return workflowId;
    },
  },
];
