/** Stories of single runs: the decisions of the model, and how its answers leave. */
import { planted, type Stage, type Story } from './stage.ts';

const tool = { action: `DOCS_FETCH_DATA_${planted}`, input: { query: planted } };
const slowly = { delayMs: 1800 };
const failing = { message: `the model refuses ${planted}`, retryable: false };

async function played(stage: Stage, agent: Parameters<Stage['begin']>[0], message: object = {}, turns = 1) {
  const begun = await stage.begin(agent, { ...message });
  await stage.atRest(begun.workflowId, turns);
  return begun.workflowId;
}

/** An agent that hands over to a second one. */
async function pair(stage: Stage, second: Record<string, unknown>, reply?: string) {
  const destination = await stage.agent(second);
  return {
    transfers_to: [destination.id],
    script: [{ transfer_to: destination.name, ...(reply !== undefined && { reply }) }],
  };
}

export const runs: Story[] = [
  {
    name: 'answered-without-callback',
    play: (stage) => played(stage, { script: [{ reply: 'Hi' }] }),
  },
  {
    name: 'answered-with-callback',
    play: (stage) => played(stage, { script: [{ reply: 'Hi' }] }, { webhook_url: stage.webhook() }),
  },
  {
    name: 'answered-in-the-call',
    play: (stage) => played(stage, { script: [{ reply: 'Hi' }] }, { sync: true }),
  },
  {
    name: 'empty-answer',
    play: (stage) => played(stage, { script: [{ reply: '' }] }, { webhook_url: stage.webhook() }),
  },
  {
    name: 'slow-callback',
    play: (stage) => played(stage, { script: [{ reply: 'Hi' }] }, { webhook_url: stage.webhook(slowly) }),
  },
  {
    name: 'callback-refused',
    play: (stage) =>
      played(stage, { script: [{ reply: 'Hi' }] }, { webhook_url: stage.webhook({ status: 500 }) }),
  },
  {
    name: 'callback-blocked',
    play: (stage) =>
      played(stage, { script: [{ reply: 'Hi' }] }, { webhook_url: `http://10.0.0.1/${planted}` }),
  },
  {
    name: 'tool-then-answer',
    play: (stage) => played(stage, { script: [{ tool }] }),
  },
  {
    name: 'two-tools-one-after-the-other',
    play: (stage) =>
      played(stage, {
        tools: ['DOCS_LIST_USERS'],
        script: [
          { tool },
          {
            on: 'tool_result',
            when: 'FETCH_DATA',
            tool: { action: 'DOCS_LIST_USERS', input: { query: planted } },
          },
          { on: 'tool_result', reply: 'Done' },
        ],
      }),
  },
  {
    name: 'attachment-fetched',
    play: (stage) =>
      played(
        stage,
        { script: [{ reply: 'Seen' }] },
        { attachments: [{ url: `https://${stage.stack.receiver.host}/${planted}.png` }] },
      ),
  },
  {
    name: 'transferred',
    play: async (stage) => {
      const first = await pair(stage, { script: [{ reply: 'Second here' }] }, 'One moment');
      return await played(stage, first, { webhook_url: stage.webhook() });
    },
  },
  {
    name: 'transferred-with-slow-callbacks',
    play: async (stage) => {
      const first = await pair(stage, { script: [{ reply: 'Second here' }] }, 'One moment');
      return await played(stage, first, { webhook_url: stage.webhook(slowly) });
    },
  },
  {
    name: 'transferred-then-tool',
    play: async (stage) => {
      const first = await pair(stage, { script: [{ tool }] });
      return await played(stage, first, { webhook_url: stage.webhook() });
    },
  },
  {
    name: 'model-fails-for-good',
    play: (stage) => played(stage, { script: [{ fail: failing }] }, { webhook_url: stage.webhook() }),
  },
  {
    name: 'model-fails-after-a-tool',
    play: (stage) => played(stage, { script: [{ tool }, { on: 'tool_result', fail: failing }] }),
  },
  {
    name: 'model-fails-after-a-transfer',
    play: async (stage) => played(stage, await pair(stage, { script: [{ fail: failing }] })),
  },
  {
    name: 'model-recovers-at-the-third-call',
    play: (stage) =>
      played(stage, { script: [{ fail: { message: planted, retryable: true, times: 2 }, reply: 'Hi' }] }),
  },
  {
    name: 'cancelled-by-a-caller',
    play: async (stage) => {
      const begun = await stage.begin({ script: [{ when: 'And', reply: 'Hi' }, { delay_ms: 60_000 }] });
      await stage.doing(begun.workflowId, /running/);
      await stage.cancel(begun);
      await stage.atRest(begun.workflowId);
      await stage.send(begun);
      await stage.atRest(begun.workflowId, 2);
      return begun.workflowId;
    },
  },
  {
    name: 'failed-then-answered',
    play: async (stage) => {
      const script = [{ fail: { ...failing, times: 1 }, reply: 'Now it works' }];
      const begun = await stage.begin({ script });
      await stage.atRest(begun.workflowId);
      await stage.send(begun);
      await stage.atRest(begun.workflowId, 2);
      return begun.workflowId;
    },
  },
];
