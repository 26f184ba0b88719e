/** Stories of the housekeeping workflow. */
import { sweepWorkflow } from '../../../workflows/messages.ts';
import { until } from '../../support/until.ts';
import type { Stage, Story } from './stage.ts';

async function start(stage: Stage, everyMs: number, times: number) {
  return await stage.stack.temporal.client.workflow.start(sweepWorkflow, {
    workflowId: `housekeeping/sweep-${times}`,
    taskQueue: 'agents',
    args: [{ everyMs, times }],
  });
}

export const sweeps: Story[] = [
  {
    name: 'sweep-that-looks-twice',
    play: async (stage) => {
      const { workflowId } = await start(stage, 1000, 2);
      await stage.ended(workflowId);
      return workflowId;
    },
  },
  {
    name: 'sweep-under-way',
    play: async (stage) => {
      const handle = await start(stage, 3_600_000, 3);
      await until('its first look', async () => (await handle.describe()).historyLength > 10);
      return handle.workflowId;
    },
  },
];
