/** Stories of an activity that waits for the next message and answers it too. */
import type { Begun, Stage, Story } from './stage.ts';

/** The second message keeps the conversation warm. @returns once its activity waits for the third */
async function begunWarm(stage: Stage, fields: Record<string, unknown> = {}): Promise<Begun> {
  const begun = await stage.begin({ script: [{ reply: 'Hi' }], ...fields });
  await stage.atRest(begun.workflowId);
  await stage.send(begun);
  await stage.stack.api.settled(begun.conversationId, 2, 60_000);
  return begun;
}

export const warm: Story[] = [
  {
    name: 'warm-until-an-operator-stops-follow-ups',
    warm: true,
    play: async (stage) => {
      const begun = await begunWarm(stage);
      await stage.send(begun);
      await stage.stack.api.settled(begun.conversationId, 3, 60_000);
      await stage.control(begun.workflowId, 'stopFollowUps');
      await stage.doing(begun.workflowId, /closes/, 3);
      return begun.workflowId;
    },
  },
  {
    name: 'warm-until-an-operator-stops-follow-ups-while-a-group-is-open',
    warm: true,
    play: async (stage) => {
      const begun = await begunWarm(stage, { grouping_window_seconds: 4 });
      await stage.send(begun);
      await stage.control(begun.workflowId, 'stopFollowUps');
      await stage.doing(begun.workflowId, /window/, 2);
      await stage.stack.api.settled(begun.conversationId, 3, 60_000);
      await stage.control(begun.workflowId, 'stopFollowUps');
      await stage.doing(begun.workflowId, /closes/, 3);
      return begun.workflowId;
    },
  },
];
