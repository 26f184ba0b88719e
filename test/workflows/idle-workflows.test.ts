import assert from 'node:assert/strict';
import { conversationWorkflowId } from '../../src/contract/workflows.ts';
import { useStack } from '../support/stack.ts';
import { until } from '../support/until.ts';
import { planned, script, told } from './planned-follow-ups.ts';

describe('A conversation whose idle workflow completed, or whose worker was killed', () => {
  const stack = useStack({ env: { IDLE_SECONDS: '1' } });

  it('continues with the next input in a new workflow', async () => {
    const { api, temporal } = stack();
    const agent = await api.createAgent({ script });
    const { conversation_id } = await api.send(agent.id, { message: '1' });
    const handle = temporal.client.workflow.getHandle(conversationWorkflowId(conversation_id));
    await until('the workflow to end', async () => (await handle.describe()).status.name === 'COMPLETED');
    const { runId } = await handle.describe();
    await api.send(agent.id, { message: '2', conversation_id });
    const messages = await api.settled(conversation_id, 2);
    assert.deepEqual(
      messages.filter(({ role }) => role === 'agent').map(({ text }) => text),
      ['answer: 1', 'answer: 2'],
    );
    assert.notEqual((await handle.describe()).runId, runId);
  });

  it('gets its follow-up once after 10 seconds, although the worker was killed and restarted meanwhile', async () => {
    const { api, receiver, worker, db } = stack();
    const agent = await api.createAgent({
      script,
      follow_ups: [{ after_seconds: 10, instructions: 'still there?' }],
    });
    const { conversation_id } = await api.send(agent.id, {
      message: 'hi',
      webhook_url: receiver.url('/killed'),
    });
    await receiver.waitFor('/killed', 1);
    await until('a follow-up to be planned', async () => (await planned(stack(), conversation_id)).followUp);
    await worker.kill();
    await worker.start();
    const callbacks = await receiver.callbacks('/killed', 2, 60_000);
    assert.deepEqual(told(callbacks), [
      ['answer: hi', undefined, undefined, undefined],
      ['follow-up: still there?', true, 1, undefined],
    ]);
    const [answer, followUp] = await db
      .knex<{ conversation_id: string; ordinal: number; opened_at: Date; finished_at: Date }>('runs')
      .where({ conversation_id })
      .orderBy('ordinal');
    const silence = (followUp?.opened_at.getTime() ?? 0) - (answer?.finished_at.getTime() ?? 0);
    assert.ok(silence >= 10_000, `it came before its time, after ${silence} ms`);
    const handle = stack().temporal.client.workflow.getHandle(conversationWorkflowId(conversation_id));
    await until('the workflow to end', async () => (await handle.describe()).status.name === 'COMPLETED');
    assert.equal(receiver.requestsTo('/killed').length, 2);
  });
});
