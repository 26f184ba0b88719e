import assert from 'node:assert/strict';
import { conversationWorkflowId } from '../../workflows/messages.ts';
import { useSharedStack } from '../support/stack.ts';
import { until } from '../support/until.ts';

describe('An operator', function () {
  this.timeout(120_000);
  const stack = useSharedStack();
  const workflow = (id: string) => stack().temporal.client.workflow.getHandle(conversationWorkflowId(id));

  it('runs an open group at once, by a signal', async () => {
    const { api } = stack();
    const agent = await api.createAgent({ grouping_window_seconds: 60, script: [{ reply: 'ok' }] });
    const contact = { id: 'flushed' };
    const { conversation_id } = await api.send(agent.id, { message: '1', contact });
    await api.send(agent.id, { message: '2', contact });
    await workflow(conversation_id).signal('control', 'flush');
    const [, , answer] = await api.settled(conversation_id);
    assert.ok(answer?.role === 'agent');
    assert.equal(answer.in_reply_to.length, 2);
  });

  const ended = async (id: string) => {
    await until(
      'the workflow to end',
      async () => (await workflow(id).describe()).status.name === 'COMPLETED',
    );
  };

  it('closes a conversation whose group is open after its answer, without a wait for follow-ups', async () => {
    const { api } = stack();
    const agent = await api.createAgent({
      grouping_window_seconds: 4,
      script: [{ reply: 'ok' }],
      follow_ups: [{ after_seconds: 3600, instructions: 'still there?' }],
    });
    const { conversation_id } = await api.send(agent.id, { message: '1' });
    await workflow(conversation_id).signal('control', 'close');
    await ended(conversation_id);
    await api.settled(conversation_id, 1);
  });

  it('closes a conversation once nothing waits, and the next input opens it again', async () => {
    const { api } = stack();
    const agent = await api.createAgent({
      script: [{ reply: 'ok', delay_ms: 700 }],
      follow_ups: [{ after_seconds: 3600, instructions: 'still there?' }],
    });
    const { conversation_id } = await api.send(agent.id, { message: '1' });
    await workflow(conversation_id).signal('control', 'close');
    await ended(conversation_id);
    await api.settled(conversation_id, 1);
    await api.send(agent.id, { message: '2', conversation_id });
    await api.settled(conversation_id, 2);
  });

  it('who terminates a conversation leaves its rows consistent: the run has failed and says so, the next one goes on', async () => {
    const { api, receiver, db } = stack();
    const agent = await api.createAgent({
      script: [
        { when: '^slow$', reply: 'too late', delay_ms: 60_000 },
        { when: '(.+)', reply: 'answer: $1' },
      ],
    });
    const path = '/terminated';
    const webhook_url = receiver.url(path);
    const contact = { id: 'terminated' };
    const { conversation_id } = await api.send(agent.id, { message: 'slow', contact, webhook_url });
    await until('the run to have begun', async () => {
      const [message] = await api.messages(conversation_id);
      return message?.role === 'user' && message.status === 'processing';
    });
    await workflow(conversation_id).terminate('by an operator');
    await receiver.waitFor(path, 1, 90_000);
    await api.send(agent.id, { message: 'next', contact, webhook_url });
    const callbacks = await receiver.callbacks(path, 2);
    const messages = await api.settled(conversation_id);
    const states: { state: string }[] = await db
      .knex<{ conversation_id: string; state: string; ordinal: number }>('runs')
      .where({ conversation_id })
      .orderBy('ordinal')
      .select('state');
    assert.deepEqual(
      [
        callbacks.map(({ event }) => event),
        messages.map((one) => (one.role === 'user' ? one.status : one.text)),
        states.map(({ state }) => state),
      ],
      [
        ['message.error', 'message.completed'],
        ['failed', 'answered', 'answer: next'],
        ['failed', 'answered'],
      ],
    );
  });
});
