/**
 * Parley: an HTTP tool with the policy `ask`. Killed are its API and its worker; Postgres and Temporal are beside them.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { Approval } from '../../../src/contract/conversations/approvals.ts';
import { startModelServer } from '../../support/model-server.ts';
import type { OwnProcess } from '../../support/own-process.ts';
import { startStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';
import type { Engine, Harness } from './engine.ts';

/** On a machine with much other work, a process may take longer than its start is given. */
async function startOrAgain(one: OwnProcess): Promise<void> {
  await one.start().catch(() => one.start());
}

export async function parleyEngine(harness: Harness): Promise<Engine> {
  const model = await startModelServer();
  model.answerWhere(({ messages }) => {
    const last = messages.at(-1);
    if (last?.role === 'tool') return { kind: 'stream', text: 'It is done.' };
    const id = typeof last?.content === 'string' ? last.content : '';
    return { kind: 'stream', call: { name: 'refund', input: { case: id, amount: harness.nextAmount() } } };
  });
  const stack = await startStack({
    ...{ apis: 1, workers: 1 },
    env: {
      ...{ ENCRYPTION_KEY: randomBytes(32).toString('base64'), TOOL_ALLOW: '127.0.0.1' },
      ...{ MODEL_BASE_URL: model.baseUrl, MODEL_API_KEY: 'key', MODEL_NAME: 'proposes' },
    },
  });
  const { api } = stack;
  const tool = await api.call('POST', '/tools/http', {
    body: {
      ...{ name: 'refund', description: 'Refunds an amount.', method: 'POST', effect: 'write' },
      url: `${harness.url}/refund`,
      parameters: { type: 'object', properties: { case: { type: 'string' }, amount: { type: 'number' } } },
    },
  });
  assert.equal(tool.status, 201, JSON.stringify(tool.body));
  const policies = [{ tool: 'refund', policy: 'ask' }];
  const agent = await api.createAgent({ tools: ['refund'], tool_policies: policies });
  const conversations = new Map<string, string>();
  let isRunning = true;
  const approvalOf = async (id: string): Promise<Approval | undefined> => {
    const answer = await api.call('GET', `/approvals?conversation_id=${conversations.get(id) ?? ''}`);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    const { data } = answer.body as { data: Approval[] };
    assert.ok(data.length <= 1, 'a case has one approval');
    return data[0];
  };
  return {
    name: 'Parley (Temporal SDK 1.24.0, Postgres 18.4)',
    storesWithinMs: 0,
    start: async () => {
      if (isRunning) return;
      await Promise.all([stack.apiProcess, stack.worker].map(startOrAgain));
      isRunning = true;
    },
    kill: async () => {
      isRunning = false;
      await Promise.all([stack.worker.kill(), stack.apiProcess.kill()]);
    },
    stop: async () => {
      await stack.stop();
      await model.close();
    },
    begin: async (id) => {
      // 503 is repeated with the same key, as the API asks.
      const { conversation_id } = await until('the message to be accepted', async () => {
        const call = { body: { message: id }, headers: { 'idempotency-key': id } };
        const answer = await api.call('POST', `/chat/${agent.id}`, call);
        return answer.status === 202 && (answer.body as { conversation_id: string });
      });
      conversations.set(id, conversation_id);
    },
    show: async (id) => {
      const approval = await approvalOf(id);
      if (approval === undefined || approval.status === 'approved') return { state: 'working' };
      if (approval.status !== 'waiting') return { state: 'ended', end: approval.status };
      const { amount } = approval.arguments as { amount: number };
      return { state: 'waiting', amount };
    },
    decide: async (id, choice) => {
      const approval = await approvalOf(id);
      const answer = await api.call('POST', `/approvals/${approval?.id ?? ''}`, {
        body: { decision: choice },
      });
      return answer.status === 200;
    },
  };
}
