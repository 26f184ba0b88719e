/** Stories of the WhatsApp channel: the steps of its connection, its replies, the look at its sessions. */
import { randomInt } from 'node:crypto';
import {
  watchWorkflow,
  channelWorkflow,
  channelWorkflowId,
  conversationOfWorkflow,
  conversationWorkflowId,
  type Workflows,
} from '../../../src/contract/workflows.ts';
import { startGatewayEmulator, type GatewayEmulator } from '../../support/gateway/start-gateway-emulator.ts';
import { until } from '../../support/until.ts';
import { planted, type Stage, type Story } from './stage.ts';

type Answer = { state?: string; data?: { id: string }[] };

async function call(stage: Stage, method: string, path: string, body?: object): Promise<Answer> {
  const { status, body: answer } = await stage.stack.api.call(method, path, body ? { body } : {});
  if (status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
  return answer as Answer;
}

/** An agent whose channel is connected to a gateway of its own, which stays until the history has been read. */
export async function connected(
  stage: Stage,
  script: { reply: string }[],
): Promise<{ id: string; gateway: GatewayEmulator }> {
  // A number of its own: stories share an organization, in which a number belongs to one agent.
  const owner = `55119${randomInt(10_000_000, 99_999_999)}`;
  const gateway = await startGatewayEmulator({ instanceToken: planted, owner });
  stage.later(gateway.stop);
  const { id } = await stage.agent({ script });
  const form = { base_url: gateway.url, instance_token: gateway.instanceToken };
  await call(stage, 'PUT', `/agents/${id}/channel`, form);
  await call(stage, 'POST', `/agents/${id}/channel/webhook`);
  const { state } = await call(stage, 'POST', `/agents/${id}/channel/verify`);
  if (state !== 'connected') throw new Error(`the channel is ${String(state)}`);
  return { id, gateway };
}

/** A customer writes. @returns the conversation's workflow */
export async function inbound(stage: Stage, id: string, gateway: GatewayEmulator): Promise<string> {
  await gateway.deliverInbound({ from: '5534990001111', text: planted });
  const conversation = await until('the conversation', async () => {
    return (await call(stage, 'GET', `/conversations?agent_id=${id}`)).data?.[0];
  });
  return conversationWorkflowId(conversation.id);
}

export const channels: Story[] = [
  {
    name: 'channel-connected',
    play: async (stage) => channelWorkflowId((await connected(stage, [{ reply: 'Oi' }])).id),
  },
  {
    name: 'channel-with-two-steps-at-once',
    play: async (stage) => {
      const { id } = await connected(stage, [{ reply: 'Oi' }]);
      await Promise.all([1, 2].map(() => call(stage, 'POST', `/agents/${id}/channel/verify`)));
      return channelWorkflowId(id);
    },
  },
  {
    name: 'channel-completed-when-idle',
    play: async (stage) => {
      const handle = await stage.stack.temporal.client.workflow.start<Workflows['channel']>(channelWorkflow, {
        workflowId: channelWorkflowId(stage.stack.organizationId),
        taskQueue: 'agents',
        args: [{ idleMs: 1000 }],
      });
      await stage.ended(handle.workflowId);
      return handle.workflowId;
    },
  },
  {
    name: 'reply-on-whatsapp',
    play: async (stage) => {
      const { id, gateway } = await connected(stage, [{ reply: 'Oi' }]);
      const workflowId = await inbound(stage, id, gateway);
      await stage.atRest(workflowId);
      return workflowId;
    },
  },
  {
    name: 'reply-that-waits-for-the-gateway',
    play: async (stage) => {
      const { id, gateway } = await connected(stage, [{ reply: 'Oi' }]);
      gateway.faults.next('/send/text', 'rate_limited');
      const workflowId = await inbound(stage, id, gateway);
      await stage.atRest(workflowId);
      return workflowId;
    },
  },
  {
    name: 'message-of-a-human-agent',
    play: async (stage) => {
      const { id, gateway } = await connected(stage, [{ reply: 'Oi' }]);
      const workflowId = await inbound(stage, id, gateway);
      await stage.atRest(workflowId);
      const conversation = conversationOfWorkflow(workflowId);
      await stage.stack.api.call('POST', `/conversations/${conversation}/messages`, {
        body: { text: planted },
      });
      await until('the message of the human agent', () =>
        Promise.resolve(gateway.sent.length === 2 && gateway.sent),
      );
      await stage.atRest(workflowId);
      return workflowId;
    },
  },
  {
    name: 'watch-that-looks-twice',
    play: async (stage) => {
      const { workflowId } = await stage.housekeeping(watchWorkflow, { everyMs: 1000, times: 2 });
      await stage.ended(workflowId);
      return workflowId;
    },
  },
];
