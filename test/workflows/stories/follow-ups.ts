/** Stories of silence: follow-ups, what cancels them, what brings them back. */
import { acceptInput } from '../../../src/adapters/postgres/conversations/inputs.ts';
import { planted, type Story } from './stage.ts';

const after = (...seconds: number[]) =>
  seconds.map((after_seconds) => ({ after_seconds, instructions: planted }));
const script = [{ on: 'follow_up', reply: 'Still there?' }, { reply: 'Hi' }];
const agent = (...seconds: number[]) => ({ script, follow_ups: after(...seconds) });

export const followUps: Story[] = [
  {
    name: 'two-follow-ups-to-the-end',
    play: async (stage) => {
      const { workflowId } = await stage.begin(agent(1, 1), { webhook_url: stage.webhook() });
      await stage.atRest(workflowId, 3);
      return workflowId;
    },
  },
  {
    name: 'follow-up-cancelled-by-an-input',
    play: async (stage) => {
      const begun = await stage.begin(agent(3600));
      await stage.atRest(begun.workflowId);
      await stage.send(begun);
      await stage.atRest(begun.workflowId, 2);
      return begun.workflowId;
    },
  },
  {
    name: 'follow-up-cancelled-by-an-open-group',
    play: async (stage) => {
      const begun = await stage.begin({ ...agent(3600), grouping_window_seconds: 3 });
      await stage.atRest(begun.workflowId);
      await stage.send(begun);
      await stage.doing(begun.workflowId, /window/);
      await stage.send(begun, 'and one that moves the window');
      await stage.atRest(begun.workflowId, 2);
      return begun.workflowId;
    },
  },
  {
    name: 'follow-up-superseded-by-an-input-whose-nudge-was-lost',
    play: async (stage) => {
      const begun = await stage.begin({ ...agent(2), grouping_window_seconds: 0.2 });
      await stage.atRest(begun.workflowId);
      const { organizationId, db } = stage.stack;
      await stage.stack.api.changeAgent(begun.agent.id, { grouping_window_seconds: 20 });
      const { agent: target, conversationId } = begun;
      await acceptInput(db, {
        caller: { kind: 'system' },
        organizationId,
        targetId: target.id,
        conversationId,
        text: planted,
        sync: false,
      });
      await stage.doing(begun.workflowId, /closes/, 1);
      return begun.workflowId;
    },
  },
  {
    name: 'follow-up-whose-model-fails',
    play: async (stage) => {
      const fail = { message: planted, retryable: false };
      const { workflowId } = await stage.begin({
        ...agent(1, 1),
        script: [{ on: 'follow_up', fail }, { reply: 'Hi' }],
      });
      await stage.atRest(workflowId, 2);
      return workflowId;
    },
  },
  {
    name: 'follow-up-planned-from-the-rows',
    play: async (stage) => {
      const begun = await stage.begin(agent(3));
      await stage.atRest(begun.workflowId);
      await stage.handle(begun.workflowId).terminate('its host is gone');
      await stage.nudge(begun);
      await stage.atRest(begun.workflowId);
      return begun.workflowId;
    },
  },
];
