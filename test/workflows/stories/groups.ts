/** Stories of grouping: windows, inputs during a run, nudges that come twice or not at all. */
import { setTimeout as delay } from 'node:timers/promises';
import { planted, type Story } from './stage.ts';

const script = [{ reply: 'Hi' }];

export const groups: Story[] = [
  {
    name: 'three-in-a-sliding-window',
    play: async (stage) => {
      const begun = await stage.begin({ script, grouping_window_seconds: 2.5 });
      for (const message of ['second', 'third']) {
        await delay(1000);
        await stage.send(begun, message);
      }
      await stage.atRest(begun.workflowId);
      return begun.workflowId;
    },
  },
  {
    name: 'short-window-waited-for-by-the-claim',
    play: async (stage) => {
      const begun = await stage.begin({ script, grouping_window_seconds: 0.3 });
      await stage.send(begun);
      await stage.atRest(begun.workflowId);
      return begun.workflowId;
    },
  },
  {
    name: 'sync-closes-an-open-group',
    play: async (stage) => {
      const begun = await stage.begin({ script, grouping_window_seconds: 30 });
      await stage.stack.api.ask(begun.agent.id, { message: planted, conversation_id: begun.conversationId });
      await stage.atRest(begun.workflowId, 2);
      return begun.workflowId;
    },
  },
  {
    name: 'inputs-during-a-run',
    play: async (stage) => {
      const begun = await stage.begin({ script: [{ delay_ms: 1500, reply: 'Hi' }] });
      await stage.doing(begun.workflowId, /running/);
      for (const message of ['second', 'third']) await stage.send(begun, message);
      await stage.atRest(begun.workflowId, 3);
      return begun.workflowId;
    },
  },
  {
    name: 'nudged-twice',
    play: async (stage) => {
      const begun = await stage.begin({ script });
      await stage.nudge(begun);
      await stage.atRest(begun.workflowId);
      await stage.nudge(begun);
      await stage.doing(begun.workflowId, /running/);
      await stage.atRest(begun.workflowId);
      return begun.workflowId;
    },
  },
  {
    name: 'open-while-a-group-is-open',
    play: async (stage) => {
      const { workflowId } = await stage.begin({ script, grouping_window_seconds: 60 });
      await stage.doing(workflowId, /window/);
      return workflowId;
    },
  },
  {
    name: 'open-while-the-model-is-asked',
    play: async (stage) => {
      const { workflowId } = await stage.begin({ script: [{ delay_ms: 60_000, reply: 'Hi' }] });
      await stage.doing(workflowId, /running/);
      return workflowId;
    },
  },
];
