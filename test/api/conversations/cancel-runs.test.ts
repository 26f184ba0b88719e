/** A caller cancels what is not answered yet. */
import assert from 'node:assert/strict';
import type { Message } from '../../../src/contract/conversations/conversations.ts';
import type { ApiClient } from '../../support/api-client.ts';
import { told } from '../../support/event-reader.ts';
import { useSharedStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

const script = [
  { when: '^slow', reply: 'late', delay_ms: 60_000 },
  { on: 'follow_up', reply: 'still there?', delay_ms: 60_000 },
  { reply: 'quick' },
];

const statusOf = (message: Message | undefined) => message?.role === 'user' && message.status;

async function underWay(api: ApiClient, conversationId: string): Promise<Message[]> {
  return await until('a run to be under way', async () => {
    const messages = await api.messages(conversationId);
    return messages.some((message) => statusOf(message) === 'processing') && messages;
  });
}

describe('POST /conversations/{conversationId}/cancel', () => {
  const stack = useSharedStack();

  async function cancel(conversationId: string): Promise<string[]> {
    const answer = await stack().api.call('POST', `/conversations/${conversationId}/cancel`);
    assert.equal(answer.status, 200);
    const { cancelled, ...rest } = answer.body as { conversation_id: string; cancelled: string[] };
    assert.deepEqual(rest, { conversation_id: conversationId });
    return cancelled;
  }

  it('cancels the run in progress and all waiting messages at once, without answer or callback', async () => {
    const { api, receiver } = stack();
    const agent = await api.createAgent({ script });
    const webhook_url = receiver.url('/cancelled');
    const { conversation_id } = await api.send(agent.id, { message: 'slow', webhook_url });
    await api.send(agent.id, { message: 'and this', conversation_id, webhook_url });
    const before = await underWay(api, conversation_id);
    assert.deepEqual(
      await cancel(conversation_id),
      before.map(({ id }) => id),
    );
    assert.deepEqual(await cancel(conversation_id), [], 'a repeat finds nothing more');
    // The model's two minutes are not waited for.
    await api.send(agent.id, { message: 'now', conversation_id, webhook_url });
    const messages = await api.settled(conversation_id);
    assert.deepEqual(
      messages.map((message) => [message.text, statusOf(message)]),
      [
        ['slow', 'cancelled'],
        ['and this', 'cancelled'],
        ['now', 'answered'],
        ['quick', false],
      ],
    );
    await receiver.waitFor('/cancelled', 1);
    const deliveries = await api.deliveries({ conversation_id });
    assert.deepEqual(
      deliveries.map(({ message_id }) => message_id),
      [messages[3]?.id],
    );
  });

  it('cancels an open group, which does not run when its window ends', async () => {
    const { api, db } = stack();
    const agent = await api.createAgent({ script, grouping_window_seconds: 60 });
    const { conversation_id } = await api.send(agent.id, { message: 'a' });
    assert.equal((await cancel(conversation_id)).length, 1);
    // As if the window had ended. The next message has none.
    const ended = new Date();
    await db.knex('runs').where({ conversation_id }).update({ closes_at: ended, cap_at: ended });
    await api.changeAgent(agent.id, { grouping_window_seconds: 0 });
    await api.send(agent.id, { message: 'b', conversation_id });
    const messages = await api.settled(conversation_id);
    assert.deepEqual(
      messages.map(({ text }) => text),
      ['a', 'b', 'quick'],
    );
    assert.equal(messages[2]?.role === 'agent' && messages[2].in_reply_to.length, 1);
  });

  it('answers a waiting synchronous call with 409 cancelled, and ends a stream with the same error', async () => {
    const { api } = stack();
    const agent = await api.createAgent({ script });
    const contact = { id: crypto.randomUUID() };
    const reading = told(api, `/chat/${agent.id}`, { body: { message: 'slow', sync: true, contact } });
    const { value } = await reading.next();
    assert.ok(value?.event === 'accepted');
    const { conversation_id } = value.data;
    await underWay(api, conversation_id);
    const waiting = api.refused(409, 'POST', `/chat/${agent.id}`, {
      body: { message: 'b', sync: true, contact },
    });
    await until('both to wait', async () => (await api.messages(conversation_id)).length === 2);
    await cancel(conversation_id);
    const body = {
      error: 'The run was cancelled, so there is no answer.',
      code: 'cancelled',
      conversation_id,
    };
    assert.deepEqual(await waiting, body);
    assert.deepEqual((await reading.next()).value, { id: 'end', event: 'failed', data: body });
  });

  it('keeps what is already recorded: a message before a transfer, and its callback', async () => {
    const { api, receiver } = stack();
    const second = await api.createAgent({ script });
    const first = await api.createAgent({
      transfers_to: [second.id],
      script: [{ reply: 'over to you', transfer_to: second.name }],
    });
    const webhook_url = receiver.url('/cancelled-later');
    const { conversation_id } = await api.send(first.id, { message: 'slow', webhook_url });
    await receiver.waitFor('/cancelled-later', 1);
    assert.equal((await cancel(conversation_id)).length, 1);
    const messages = await api.settled(conversation_id);
    assert.deepEqual(
      messages.map((message) => [message.text, statusOf(message)]),
      [
        ['slow', 'cancelled'],
        ['over to you', false],
      ],
    );
    const deliveries = await until('the callback to be delivered', async () => {
      const all = await api.deliveries({ conversation_id });
      return all.some(({ status }) => status === 'delivered') && all;
    });
    assert.equal(deliveries.length, 1);
  });

  it('cancels a follow-up in progress, and no further follow-up is sent', async () => {
    const { api, db } = stack();
    const follow_ups = [1, 1].map((after_seconds) => ({ after_seconds, instructions: 'ask' }));
    const agent = await api.createAgent({ script, follow_ups });
    const { conversation_id } = await api.send(agent.id, { message: 'a' });
    const followUps = db
      .knex<{ conversation_id: string; mode: string; state: string; ordinal: number }>('runs')
      .where({ conversation_id, mode: 'follow_up' })
      .orderBy('ordinal');
    await until('the follow-up to be under way', async () => (await followUps).length === 1);
    assert.deepEqual(await cancel(conversation_id), [], 'it answers no message');
    await api.send(agent.id, { message: 'b', conversation_id });
    const messages = await api.settled(conversation_id, 2);
    assert.deepEqual(
      messages.map(({ text }) => text),
      ['a', 'quick', 'b', 'quick'],
    );
    assert.equal((await followUps)[0]?.state, 'cancelled');
  });
});
