/** Answers of a language model in the history, the callback and the synchronous answer. */
import assert from 'node:assert/strict';
import { useModelStack } from '../../support/model-stack.ts';

describe('A language model', () => {
  const stack = useModelStack();

  it('is the default once it is configured, is asked once by stream with its key, and its answer is priced', async () => {
    const { api, model, receiver } = stack();
    const agent = await api.createAgent({ instructions: 'Be brief.' });
    assert.equal(agent.model, 'custom/tested-1');
    model.answer('plain', { kind: 'stream', text: 'Hello from the model.', model: 'tested-1-2026' });
    const webhook_url = receiver.url('/model-plain');
    const { conversation_id } = await api.send(agent.id, { message: 'plain', webhook_url });
    const [, answer] = await api.settled(conversation_id);
    assert.ok(answer?.role === 'agent');
    const priced = { model: 'tested-1-2026', credits_used: (11 * 3 + 7 * 5) / 1000 };
    assert.deepEqual(
      [answer.text, answer.model, answer.credits_used],
      ['Hello from the model.', ...Object.values(priced)],
    );
    const [callback] = await receiver.callbacks('/model-plain', 1);
    assert.ok(callback?.event === 'message.completed');
    const { message_id, response, model: used, credits_used } = callback;
    assert.deepEqual(
      { message_id, response, model: used, credits_used },
      { message_id: answer.id, response: 'Hello from the model.', ...priced },
    );

    const [call, ...more] = model.callsFor('plain');
    assert.deepEqual(more, []);
    assert.equal(call?.path, '/v1/chat/completions');
    assert.equal(call.authorization, 'Bearer key-of-the-model');
    assert.deepEqual([call.body.model, call.body.stream, call.body.tools], ['tested-1', true, undefined]);
    assert.deepEqual(
      call.body.messages.map(({ role, content }) => [role, content]),
      [
        ['system', 'Be brief.'],
        ['user', 'plain'],
      ],
    );
  });

  it('answers a sync call with the same fields', async () => {
    const { api, model } = stack();
    const agent = await api.createAgent();
    model.answer('sync', { kind: 'stream', text: 'at once', model: 'tested-1-2026' });
    const answer = await api.ask(agent.id, { message: 'sync' });
    assert.deepEqual(
      [answer.response, answer.model, answer.credits_used],
      ['at once', 'tested-1-2026', 0.068],
    );
  });

  it('may answer in one piece although a stream was asked for', async () => {
    const { api, model } = stack();
    const agent = await api.createAgent();
    model.answer('whole', { kind: 'whole', text: 'in one piece' });
    const answer = await api.ask(agent.id, { message: 'whole' });
    assert.deepEqual([answer.response, answer.credits_used], ['in one piece', 0.068]);
  });

  it('that does not count its tokens costs nothing, shown as a number', async () => {
    const { api, model } = stack();
    const agent = await api.createAgent();
    model.answer('uncounted', { kind: 'stream', text: 'ok', usage: null });
    const answer = await api.ask(agent.id, { message: 'uncounted' });
    assert.deepEqual([answer.response, answer.credits_used], ['ok', 0]);
  });

  for (const kind of ['stream', 'whole'] as const) {
    it(`that is cut off at its limit of tokens is an answer, marked as truncated in the history (${kind})`, async () => {
      const { api, model, receiver } = stack();
      const agent = await api.createAgent();
      const text = `cut, ${kind}`;
      model.answer(text, { kind, text: 'The first step is to', finish: 'length' });
      const webhook_url = receiver.url(`/model-cut-${kind}`);
      const { conversation_id } = await api.send(agent.id, { message: text, webhook_url });
      const [, answer, ...more] = await api.settled(conversation_id);
      assert.deepEqual(more, []);
      assert.ok(answer?.role === 'agent');
      assert.deepEqual([answer.text, answer.truncated], ['The first step is to', true]);
      const [callback] = await receiver.callbacks(`/model-cut-${kind}`, 1);
      assert.ok(callback?.event === 'message.completed');
      assert.deepEqual([callback.response, 'truncated' in callback], ['The first step is to', false]);
      assert.equal(model.callsFor(text).length, 1);
    });
  }

  it('that is whole has no mark of truncation', async () => {
    const { api } = stack();
    const agent = await api.createAgent();
    const { conversation_id } = await api.ask(agent.id, { message: 'whole' });
    const [, answer] = await api.messages(conversation_id);
    assert.ok(answer?.role === 'agent' && !('truncated' in answer));
  });

  it('that is cut off beside a transfer marks the message before the transfer', async () => {
    const { api, model } = stack();
    const expert = await api.createAgent();
    const desk = await api.createAgent({ transfers_to: [expert.id] });
    const call = { name: 'transfer_to_agent', input: { agent: expert.name } };
    model.answer(
      'cut transfer',
      { kind: 'stream', text: 'One mom', call, finish: 'length' },
      { kind: 'stream', text: 'Whole.' },
    );
    const { conversation_id } = await api.ask(desk.id, { message: 'cut transfer' });
    const said = (await api.messages(conversation_id)).filter((one) => one.role === 'agent');
    assert.deepEqual(
      said.map(({ text, pre_transfer, truncated }) => [text, pre_transfer, truncated]),
      [
        ['One mom', true, true],
        ['Whole.', undefined, undefined],
      ],
    );
  });

  it('of the scripted model may be empty: the run is answered without a message', async () => {
    const { api } = stack();
    const agent = await api.createAgent({ model: 'scripted/default', script: [{ reply: '' }] });
    const answer = await api.ask(agent.id, { message: 'hello' });
    assert.deepEqual([answer.response, answer.messages], ['', []]);
  });

  it('may write anything: characters that no text column takes are removed, and the run ends', async () => {
    const { api, model } = stack();
    const agent = await api.createAgent();
    model.answer('odd', { kind: 'whole', text: 'a\u0000b \ud800 \u{1f642} c' });
    const answer = await api.ask(agent.id, { message: 'odd' });
    assert.equal(answer.response, 'ab \ufffd \u{1f642} c');
  });

  it('receives the conversation so far, each side in its role', async () => {
    const { api, model } = stack();
    const agent = await api.createAgent();
    model.answer('the first', { kind: 'stream', text: 'one' });
    const { conversation_id } = await api.ask(agent.id, { message: 'the first' });
    await api.ask(agent.id, { message: 'the second', conversation_id });
    assert.deepEqual(
      model.callsFor('the second')[0]?.body.messages.map(({ role, content }) => [role, content]),
      [
        ['user', 'the first'],
        ['assistant', 'one'],
        ['user', 'the second'],
      ],
    );
  });

  it('hands over to another agent by a tool call: two messages, each with the credits of its own steps', async () => {
    const { api, model, receiver } = stack();
    const expert = await api.createAgent({
      description: 'knows billing',
      instructions: 'You are the expert.',
    });
    const desk = await api.createAgent({ transfers_to: [expert.id], instructions: 'You are the desk.' });
    model.answer(
      'transfer',
      {
        kind: 'stream',
        text: 'One moment.',
        call: { name: 'transfer_to_agent', input: { agent: expert.name } },
      },
      { kind: 'stream', text: 'I know.', usage: { prompt_tokens: 100, completion_tokens: 10 } },
    );
    const webhook_url = receiver.url('/model-transfer');
    await api.send(desk.id, { message: 'transfer', webhook_url });
    const callbacks = await receiver.callbacks('/model-transfer', 2);
    assert.deepEqual(
      callbacks.map(
        (one) =>
          one.event === 'message.completed' && [
            one.response,
            one.agent_id,
            one.pre_transfer,
            one.credits_used,
          ],
      ),
      [
        ['One moment.', desk.id, true, 0.068],
        ['I know.', expert.id, undefined, 0.35],
      ],
    );
    const [asked, then] = model.callsFor('transfer').map(({ body }) => body);
    const [offered] = asked?.tools ?? [];
    assert.match(
      JSON.stringify(offered),
      new RegExp(`transfer_to_agent.*${expert.name} \\(knows billing\\)`),
    );
    assert.equal(then?.messages[0]?.content, 'You are the expert.');
    assert.deepEqual(then.tools, undefined);
  });

  it('hands over to a person by a tool call, if the agent may; other agents are not offered the tool', async () => {
    const { api, model } = stack();
    const desk = await api.createAgent({ may_hand_over: true });
    const call = { name: 'hand_over_to_person', input: { reason: 'Angry customer' } };
    model.answer('a person', { kind: 'stream', text: 'One moment.', call });
    const { response, conversation_id } = await api.ask(desk.id, { message: 'a person' });
    assert.equal(response, 'One moment.');
    const { body } = await api.call('GET', `/conversations/${conversation_id}`);
    assert.equal((body as { paused_by?: string }).paused_by, 'agent');
    const other = await api.createAgent();
    model.answer('nobody', { kind: 'stream', text: 'Alone.' });
    await api.ask(other.id, { message: 'nobody' });
    const offered = ['a person', 'nobody'].map((text) =>
      JSON.stringify(model.callsFor(text)[0]?.body.tools ?? []),
    );
    assert.match(offered[0] ?? '', /hand_over_to_person.*"required":\["reason"\]/);
    assert.equal(offered[1], '[]');
  });
});
