/** Stories of an operator's hand. */
import { controlSignal, nudgeSignal } from '../../../src/contract/workflows.ts';
import { until } from '../../support/until.ts';
import { planted, type Story } from './stage.ts';

const script = [{ on: 'follow_up', reply: 'Still there?' }, { reply: 'Hi' }];
const silent = { script, follow_ups: [{ after_seconds: 3600, instructions: planted }] };

export const operators: Story[] = [
  {
    name: 'operator-flushes-an-open-group',
    play: async (stage) => {
      const { workflowId } = await stage.begin({ script, grouping_window_seconds: 60 });
      await stage.doing(workflowId, /window/);
      await stage.control(workflowId, 'flush');
      await stage.atRest(workflowId);
      return workflowId;
    },
  },
  {
    name: 'operator-stops-follow-ups',
    play: async (stage) => {
      const begun = await stage.begin(silent);
      await stage.doing(begun.workflowId, /follow-up/, 1);
      await stage.control(begun.workflowId, 'stopFollowUps');
      await stage.doing(begun.workflowId, /closes/, 1);
      await stage.nudge(begun);
      await stage.doing(begun.workflowId, /running/);
      await stage.doing(begun.workflowId, /closes/, 1);
      return begun.workflowId;
    },
  },
  {
    name: 'operator-stops-follow-ups-and-the-user-writes-again',
    play: async (stage) => {
      const begun = await stage.begin(silent);
      await stage.doing(begun.workflowId, /follow-up/, 1);
      await stage.control(begun.workflowId, 'stopFollowUps');
      await stage.doing(begun.workflowId, /closes/, 1);
      await stage.send(begun);
      await stage.doing(begun.workflowId, /follow-up/, 2);
      return begun.workflowId;
    },
  },
  {
    name: 'operator-stops-follow-ups-during-a-run',
    play: async (stage) => {
      const { workflowId } = await stage.begin({ ...silent, script: [{ delay_ms: 1500, reply: 'Hi' }] });
      await stage.doing(workflowId, /running/);
      await stage.control(workflowId, 'stopFollowUps');
      await stage.atRest(workflowId);
      return workflowId;
    },
  },
  {
    name: 'operator-closes',
    play: async (stage) => {
      const { workflowId } = await stage.begin(silent);
      await stage.atRest(workflowId);
      await stage.control(workflowId, 'close');
      await stage.ended(workflowId);
      return workflowId;
    },
  },
  {
    name: 'operator-closes-while-a-group-is-open',
    play: async (stage) => {
      const { workflowId } = await stage.begin({ ...silent, grouping_window_seconds: 3 });
      await stage.doing(workflowId, /window/);
      await stage.control(workflowId, 'close');
      await stage.ended(workflowId);
      return workflowId;
    },
  },
  {
    name: 'operator-closes-while-a-group-is-open-that-the-sweep-looks-at',
    play: async (stage) => {
      const begun = await stage.begin({ ...silent, grouping_window_seconds: 3 });
      await stage.doing(begun.workflowId, /window/);
      await stage.control(begun.workflowId, 'close');
      await stage.nudge(begun);
      await stage.ended(begun.workflowId);
      return begun.workflowId;
    },
  },
  {
    name: 'operator-closes-during-a-run',
    play: async (stage) => {
      const { workflowId } = await stage.begin({ ...silent, script: [{ delay_ms: 1500, reply: 'Hi' }] });
      await stage.doing(workflowId, /running/);
      await stage.control(workflowId, 'close');
      await stage.ended(workflowId);
      return workflowId;
    },
  },
  {
    name: 'operator-cancels-while-it-waits',
    play: async (stage) => {
      const { workflowId } = await stage.begin({ script });
      await stage.atRest(workflowId);
      await stage.handle(workflowId).cancel();
      await stage.ended(workflowId);
      return workflowId;
    },
  },
  {
    name: 'operator-cancels-during-a-model-call',
    play: async (stage) => {
      const { workflowId } = await stage.begin({ script: [{ delay_ms: 20_000, reply: 'Hi' }] });
      await stage.doing(workflowId, /running/);
      await stage.handle(workflowId).cancel();
      await stage.ended(workflowId);
      return workflowId;
    },
  },
  {
    name: 'operator-sends-no-command',
    play: async (stage) => {
      const { workflowId } = await stage.begin({ ...silent, grouping_window_seconds: 3 });
      await stage.doing(workflowId, /window/);
      await stage.handle(workflowId).signal(controlSignal.name, 'Flush');
      await stage.doing(workflowId, /follow-up/, 1);
      return workflowId;
    },
  },
  {
    name: 'operator-nudges-without-a-time',
    play: async (stage) => {
      const begun = await stage.begin({ script });
      await stage.atRest(begun.workflowId);
      for (const data of [{ x: 1 }, 'abc', { at: 'now' }]) {
        const { length } = await stage.activities(begun.workflowId);
        await stage.handle(begun.workflowId).signal(nudgeSignal.name, data);
        await until('the look', async () => (await stage.activities(begun.workflowId)).length > length);
        await stage.atRest(begun.workflowId);
      }
      await stage.send(begun);
      await stage.atRest(begun.workflowId, 2);
      return begun.workflowId;
    },
  },
];
