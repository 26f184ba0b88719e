/** Messages that arrive during a run, if its agent cancels and merges. */
import assert from 'node:assert/strict';
import type { Message } from '../../../src/contract/conversations/conversations.ts';
import type { ApiClient } from '../../support/api-client.ts';
import { useSharedStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

const script = [
  { when: 'second', reply: 'to both' },
  { reply: 'to the first alone', delay_ms: 60_000 },
];
const merging = { script, input_during_run: 'cancel_and_merge' };

async function underWay(api: ApiClient, conversationId: string): Promise<void> {
  await until('a run to be under way', async () =>
    (await api.messages(conversationId)).some(
      (message) => message.role === 'user' && message.status === 'processing',
    ),
  );
}

const answersOf = (messages: readonly Message[]) =>
  messages.flatMap((message) =>
    message.role === 'agent'
      ? [[message.text, message.in_reply_to.map((id) => messages.find((one) => one.id === id)?.text)]]
      : [],
  );

describe('A message during a run, with cancel_and_merge', () => {
  const stack = useSharedStack();

  it('cancels the model call at once: both are answered together, by one callback', async () => {
    const { api, receiver } = stack();
    const agent = await api.createAgent(merging);
    const [earlier, later] = [receiver.url('/merged/earlier'), receiver.url('/merged/later')];
    const first = { message: 'first', webhook_url: earlier, metadata: { n: 1 } };
    const { conversation_id } = await api.send(agent.id, first);
    await underWay(api, conversation_id);
    const second = { message: 'second', webhook_url: later, metadata: { n: 2 }, conversation_id };
    assert.deepEqual(await api.send(agent.id, second), { status: 'processing', conversation_id });
    const messages = await api.settled(conversation_id);
    assert.deepEqual(answersOf(messages), [['to both', ['first', 'second']]]);
    await receiver.waitFor('/merged/later', 1);
    const deliveries = await api.deliveries({ conversation_id });
    assert.deepEqual(
      deliveries.map(({ url }) => url),
      [later],
    );
    const [request] = receiver.requestsTo('/merged/later');
    const { metadata } = JSON.parse(request?.body ?? '') as { metadata: unknown };
    assert.deepEqual(metadata, { n: 1 }, 'the first one given in the group');
  });

  it('returns the group that it joined', async () => {
    const { api } = stack();
    const agent = await api.createAgent({ ...merging, grouping_window_seconds: 0.1 });
    const first = await api.send(agent.id, { message: 'first' });
    const { conversation_id } = first;
    await underWay(api, conversation_id);
    assert.deepEqual(await api.send(agent.id, { message: 'second', conversation_id }), first);
    assert.deepEqual(answersOf(await api.settled(conversation_id)), [['to both', ['first', 'second']]]);
  });

  describe('does not cancel a run', () => {
    const slowly = [
      { when: 'second', reply: 'b' },
      { reply: 'a', delay_ms: 2500 },
    ];

    async function assertApart(target: string, conversation_id: string): Promise<void> {
      const { api } = stack();
      await api.send(target, { message: 'second', conversation_id });
      const answers = answersOf(await api.settled(conversation_id, 2)).slice(-2);
      assert.deepEqual(answers, [
        ['a', ['first']],
        ['b', ['second']],
      ]);
    }

    it('that has already written a message', async () => {
      const { api } = stack();
      const second = await api.createAgent({ ...merging, script: slowly });
      const transfer = [{ reply: 'over to you', transfer_to: second.name }];
      const first = await api.createAgent({ ...merging, transfers_to: [second.id], script: transfer });
      const { conversation_id } = await api.send(first.id, { message: 'first' });
      await until('the first agent to have spoken', async () =>
        (await api.messages(conversation_id)).some(({ role }) => role === 'agent'),
      );
      await assertApart(first.id, conversation_id);
    });

    it('that is full', async () => {
      const { api } = stack();
      const agent = await api.createAgent({ ...merging, script: slowly, grouping_max_messages: 1 });
      const { conversation_id } = await api.send(agent.id, { message: 'first' });
      await underWay(api, conversation_id);
      await assertApart(agent.id, conversation_id);
    });

    it('that a synchronous call waits for', async () => {
      const { api } = stack();
      const agent = await api.createAgent({ ...merging, script: slowly });
      const contact = { id: crypto.randomUUID() };
      const waiting = api.ask(agent.id, { message: 'first', contact });
      const { id } = await until('the call to be accepted', async () => {
        const { body } = await api.call('GET', `/conversations?contact_id=${contact.id}`);
        return (body as { data: { id: string }[] }).data[0];
      });
      await underWay(api, id);
      await assertApart(agent.id, id);
      assert.equal((await waiting).response, 'a');
    });
  });
});
