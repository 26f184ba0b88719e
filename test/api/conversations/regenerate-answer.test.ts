/** Regenerates the last answer: a new run writes a new message and posts its own callback. */
import assert from 'node:assert/strict';
import { chatAnswer } from '../../../src/contract/conversations/chat.ts';
import type { Message } from '../../../src/contract/conversations/conversations.ts';
import { allTold, told } from '../../support/event-reader.ts';
import { useSharedStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

const shown = (messages: readonly Message[]) =>
  messages.map((message) =>
    message.role === 'user'
      ? [message.text, message.status]
      : [message.text, message.replaced === true ? 'replaced' : 'stands', message.in_reply_to.length],
  );

describe('POST /conversations/{conversationId}/regenerate', () => {
  const stack = useSharedStack();
  const regenerate = async (conversationId: string, body = {}) =>
    await stack().api.call('POST', `/conversations/${conversationId}/regenerate`, { body });

  it('answers the same messages again: a new message_id and callback, and no second callback for the old answer', async () => {
    const { api, receiver } = stack();
    const grouping = { grouping_window_seconds: 60, grouping_max_messages: 2 };
    const agent = await api.createAgent({ script: [{ reply: 'before' }], ...grouping });
    const path = `/regenerated/${crypto.randomUUID()}`;
    const webhook_url = receiver.url(path);
    const metadata = { n: 1 };
    const { conversation_id } = await api.send(agent.id, { message: 'a', webhook_url, metadata });
    await api.send(agent.id, { message: 'b', conversation_id });
    await receiver.waitFor(path, 1);
    await until('the callback to be over', async () => {
      return (await api.deliveries({ conversation_id, status: 'delivered' })).length === 1;
    });
    await api.changeAgent(agent.id, { script: [{ reply: 'after' }] });
    const answer = await regenerate(conversation_id);
    assert.deepEqual([answer.status, answer.body], [202, { status: 'processing', conversation_id }]);
    await receiver.waitFor(path, 2);
    const messages = await api.settled(conversation_id, 2);
    assert.deepEqual(shown(messages), [
      ['a', 'answered'],
      ['b', 'answered'],
      ['before', 'replaced', 2],
      ['after', 'stands', 2],
    ]);
    const posted = receiver
      .requestsTo(path)
      .map(({ body }) => JSON.parse(body) as { message_id: string; metadata: unknown });
    assert.deepEqual(
      posted.map((one) => [one.message_id, one.metadata]),
      messages.slice(2).map(({ id }) => [id, metadata]),
    );
    // Regenerates again: the newest answer counts.
    await until('the second callback to be over', async () => {
      return (await api.deliveries({ conversation_id, status: 'delivered' })).length === 2;
    });
    await regenerate(conversation_id);
    const again = shown(await api.settled(conversation_id, 3)).slice(2);
    assert.deepEqual(again, [
      ['before', 'replaced', 2],
      ['after', 'replaced', 2],
      ['after', 'stands', 2],
    ]);
  });

  it('returns the new answer synchronously, and as a stream', async () => {
    const { api } = stack();
    const agent = await api.createAgent({ script: [{ reply: 'one' }] });
    const { conversation_id, message_id } = await api.ask(agent.id, { message: 'a' });
    const answer = await regenerate(conversation_id, { sync: true });
    assert.equal(answer.status, 200);
    const body = chatAnswer.strict().parse(answer.body);
    assert.equal(body.response, 'one');
    assert.notEqual(body.message_id, message_id);
    const path = `/conversations/${conversation_id}/regenerate`;
    const events = await allTold(told(api, path, { body: { sync: true } }));
    assert.deepEqual(
      events.map(({ event }) => event),
      ['accepted', 'delta', 'completed'],
    );
  });

  it('retries a failed run', async () => {
    const { api } = stack();
    const fail = { message: 'out of order', retryable: false, times: 1 };
    const agent = await api.createAgent({ script: [{ fail, reply: 'in order' }] });
    const { conversation_id } = await api.send(agent.id, { message: 'a' });
    assert.deepEqual(shown(await api.settled(conversation_id, 0)), [['a', 'failed']]);
    assert.equal((await regenerate(conversation_id, { sync: true })).status, 200);
    assert.deepEqual(shown(await api.messages(conversation_id)), [
      ['a', 'answered'],
      ['in order', 'stands', 1],
    ]);
  });

  it('is refused while a run is in progress, and if the agent is inactive', async () => {
    const { api } = stack();
    const agent = await api.createAgent({ script: [{ reply: 'late', delay_ms: 60_000 }] });
    const { conversation_id } = await api.send(agent.id, { message: 'a' });
    const busy = await regenerate(conversation_id);
    assert.deepEqual([busy.status, (busy.body as { code: string }).code], [409, 'invalid_state']);
    assert.equal((await api.call('POST', `/conversations/${conversation_id}/cancel`)).status, 200);
    await api.changeAgent(agent.id, { active: false });
    const off = await regenerate(conversation_id);
    assert.deepEqual([off.status, (off.body as { code: string }).code], [409, 'agent_inactive']);
  });
});
