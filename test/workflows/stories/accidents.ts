/** Stories of what goes wrong around a conversation, and of its age. */
import { conversationWorkflowId } from '../../../src/contract/workflows.ts';
import { until } from '../../support/until.ts';
import { planted, suggestedHistory, type Story } from './stage.ts';

const script = [{ reply: 'Hi' }];

export const accidents: Story[] = [
  {
    name: 'callback-left-behind-by-a-terminated-workflow',
    play: async (stage) => {
      const begun = await stage.begin({ script }, { webhook_url: stage.webhook({ delayMs: 3000 }) });
      await stage.doing(begun.workflowId, /posting/);
      await stage.handle(begun.workflowId).terminate('an operator was too quick');
      await stage.nudge(begun);
      await stage.atRest(begun.workflowId, 0);
      return begun.workflowId;
    },
  },
  {
    name: 'rows-erased-while-it-waits',
    play: async (stage) => {
      const begun = await stage.begin({ script });
      await stage.atRest(begun.workflowId);
      await stage.eraseRows(begun);
      await stage.nudge(begun);
      await stage.ended(begun.workflowId);
      return begun.workflowId;
    },
  },
  {
    name: 'rows-erased-during-a-transfer',
    play: async (stage) => {
      const second = await stage.agent({ script });
      const begun = await stage.begin(
        { transfers_to: [second.id], script: [{ reply: 'One moment', transfer_to: second.name }] },
        { webhook_url: stage.webhook({ delayMs: 2500 }) },
      );
      await stage.doing(begun.workflowId, /pre-transfer/);
      await stage.eraseRows(begun);
      await stage.ended(begun.workflowId);
      return begun.workflowId;
    },
  },
  {
    name: 'continued-as-new-with-a-follow-up-pending',
    play: async (stage) => {
      const begun = await stage.begin({
        script,
        follow_ups: [{ after_seconds: 3600, instructions: planted }],
      });
      const { workflowId, agent, conversationId } = begun;
      const { runId } = await stage.handle(workflowId).describe();
      // Each turn is a dozen events.
      for (let turn = 0; turn <= suggestedHistory / 8; turn += 1) {
        await stage.stack.api.ask(agent.id, { message: `turn ${turn}`, conversation_id: conversationId });
      }
      await until('a second run', async () => (await stage.handle(workflowId).describe()).runId !== runId);
      await stage.atRest(workflowId);
      return { workflowId, everyRun: true };
    },
  },
  {
    name: 'completed-when-idle',
    play: async (stage) => {
      const { apiProcess } = stage.stack;
      await apiProcess.stop();
      await apiProcess.start({ IDLE_SECONDS: '1.5' });
      try {
        const { workflowId } = await stage.begin({ script });
        await stage.ended(workflowId);
        return workflowId;
      } finally {
        await apiProcess.stop();
        await apiProcess.start();
      }
    },
  },
  {
    name: 'worker-killed-during-a-model-call',
    play: async (stage) => {
      const { worker } = stage.stack;
      const { workflowId } = await stage.begin({ script: [{ delay_ms: 1500, reply: 'Hi' }] });
      await stage.doing(workflowId, /running/);
      await worker.kill();
      await worker.start();
      await stage.atRest(workflowId);
      return workflowId;
    },
  },
  {
    name: 'open-while-no-worker-runs',
    play: async (stage) => {
      const { worker, api } = stage.stack;
      await worker.stop();
      try {
        const agent = await stage.agent({ script });
        const { conversation_id } = await api.send(agent.id, { message: planted });
        const workflowId = conversationWorkflowId(conversation_id);
        return workflowId;
      } finally {
        // Recorded in this state: the recorder reads the history before a worker is back.
        stage.later(() => worker.start());
      }
    },
  },
];
