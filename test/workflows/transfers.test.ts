import assert from 'node:assert/strict';
import { useModelStack } from '../support/model-stack.ts';
import { useSharedStack } from '../support/stack.ts';

describe('A transfer', () => {
  const stack = useSharedStack();

  it('ends the first callback before it starts the second, whatever the first one’s outcome', async () => {
    const { api, receiver } = stack();
    const expert = await api.createAgent({ script: [{ reply: 'I know.' }] });
    const desk = await api.createAgent({
      transfers_to: [expert.id],
      script: [{ reply: 'One moment.', transfer_to: expert.name }],
    });
    for (const [path, behaviour] of [
      ['/slow', { delayMs: 1800 }],
      ['/broken', { status: 500, delayMs: 300 }],
    ] as const) {
      receiver.behave(path, behaviour);
      const { conversation_id } = await api.send(desk.id, {
        message: 'hi',
        webhook_url: receiver.url(path),
        metadata: { order: 7 },
      });
      const callbacks = await receiver.callbacks(path, 2);
      assert.deepEqual(
        callbacks.map(
          (one) =>
            one.event === 'message.completed' && [
              one.response,
              one.agent_id,
              one.responding_agent_name,
              one.pre_transfer,
              one.metadata,
            ],
        ),
        [
          ['One moment.', desk.id, desk.name, true, { order: 7 }],
          ['I know.', expert.id, expert.name, undefined, { order: 7 }],
        ],
      );
      const [first, second] = receiver.requestsTo(path);
      assert.ok(first?.answeredAt !== undefined && second && second.at >= first.answeredAt);
      const inputs = (await api.settled(conversation_id, 2)).flatMap((one) =>
        one.role === 'agent' ? [one.in_reply_to] : [],
      );
      assert.equal(inputs[0]?.length, 1);
      assert.deepEqual(inputs[1], inputs[0]);
    }
  });

  it('sends no first callback without a message before it, and later inputs go to the destination', async () => {
    const { api, receiver } = stack();
    const expert = await api.createAgent({ script: [{ when: '(.*)', reply: 'expert: $1' }] });
    const desk = await api.createAgent({
      transfers_to: [expert.id],
      script: [{ transfer_to: expert.name }],
    });
    const webhook_url = receiver.url('/silent-transfer');
    const { conversation_id } = await api.send(desk.id, { message: '1', webhook_url });
    await receiver.waitFor('/silent-transfer', 1);
    // By the agent that it was begun with.
    await api.send(desk.id, { message: '2', conversation_id, webhook_url });
    const callbacks = await receiver.callbacks('/silent-transfer', 2);
    assert.deepEqual(
      callbacks.map(
        (one) => one.event === 'message.completed' && [one.response, one.agent_id, one.pre_transfer],
      ),
      [
        ['expert: 1', expert.id, undefined],
        ['expert: 2', expert.id, undefined],
      ],
    );
  });

  it('happens at most five times per run: the sixth is refused, and its text is the last message', async () => {
    const { api } = stack();
    const there = await api.createAgent({});
    const here = await api.createAgent({
      transfers_to: [there.id],
      script: [{ reply: 'there', transfer_to: there.name }],
    });
    await api.changeAgent(there.id, {
      transfers_to: [here.id],
      script: [{ reply: 'here', transfer_to: here.name }],
    });
    const { messages } = await api.ask(here.id, { message: 'hi' });
    assert.deepEqual(
      messages.map(({ response, pre_transfer }) => [response, pre_transfer]),
      [
        ['there', true],
        ['here', true],
        ['there', true],
        ['here', true],
        ['there', true],
        ['here', undefined],
      ],
    );
  });

  it('to an inactive or deleted agent is an error that the model reads', async () => {
    const { api } = stack();
    for (const [gone, expected] of [
      [async (id: string) => await api.changeAgent(id, { active: false }), /is switched off/],
      [async (id: string) => await api.call('DELETE', `/agents/${id}`), /there is no agent/],
    ] as const) {
      const expert = await api.createAgent({});
      const desk = await api.createAgent({
        transfers_to: [expert.id],
        script: [{ on: 'tool_result', when: '(.*)', reply: 'I was told: $1' }, { transfer_to: expert.name }],
      });
      await gone(expert.id);
      const answer = await api.ask(desk.id, { message: 'hi' });
      assert.match(answer.response, expected);
      assert.equal(answer.agent_id, desk.id);
    }
  });
});

describe('The context of a model call', () => {
  const stack = useModelStack();

  it('has exactly the destinations of the agent, and the whole conversation after a transfer', async () => {
    const { api, model } = stack();
    const [billing, sales] = [await api.createAgent({}), await api.createAgent({})];
    await api.createAgent({});
    const desk = await api.createAgent({ transfers_to: [sales.id, billing.id] });
    model.answer('before', { kind: 'stream', text: 'Said before.' });
    const { conversation_id } = await api.ask(desk.id, { message: 'before' });
    const call = { name: 'transfer_to_agent', input: { agent: billing.name } };
    model.answer(
      'hand me over',
      { kind: 'stream', text: 'One moment.', call },
      { kind: 'stream', text: 'Billing here.' },
    );
    await api.ask(desk.id, { message: 'hand me over', conversation_id });
    const [asked, then] = model.callsFor('hand me over').map(({ body }) => body);
    assert.equal(asked?.tools?.length, 1);
    const offered = /"enum":\[([^\]]*)\]/.exec(JSON.stringify(asked.tools))?.[1];
    assert.deepEqual(
      offered?.split(',').sort(),
      [sales.name, billing.name].map((name) => JSON.stringify(name)).sort(),
    );
    const shown = JSON.stringify(then?.messages);
    const order = ['before', 'Said before.', 'One moment.', 'hand me over'].map((text) =>
      shown.indexOf(text),
    );
    assert.ok(
      order.every((place) => place >= 0),
      shown,
    );
  });
});
