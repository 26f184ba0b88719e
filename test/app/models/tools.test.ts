/** A language model's tool calls: run in order, answered to the model, and at most twelve steps of them. */
import assert from 'node:assert/strict';
import type { ModelCall } from '../../support/model-server.ts';
import { useModelStack } from '../../support/model-stack.ts';

const done = { kind: 'stream', text: 'done' } as const;
const call = (name: string, input: unknown, text = '') =>
  ({ kind: 'stream', text, call: { name, input } }) as const;
const results = (one: ModelCall | undefined) =>
  (one?.body.messages ?? []).filter(({ role }) => role === 'tool').map(({ content }) => content);

describe('A language model’s tool call', () => {
  const stack = useModelStack();

  it('of a tool that the agent does not have is answered with an error, and both steps are billed', async () => {
    const { api, model } = stack();
    const agent = await api.createAgent();
    model.answer('no such tool', call('DOCS_NOTHING', { a: 1 }, 'Let me look.'), done);
    const answer = await api.ask(agent.id, { message: 'no such tool' });
    assert.deepEqual([answer.response, answer.credits_used], ['done', 0.136]);
    const [, second, ...more] = model.callsFor('no such tool');
    assert.deepEqual(more, []);
    assert.match(JSON.stringify(results(second)), /DOCS_NOTHING is not among this agent's tools/);
    const said = second?.body.messages.find(({ role }) => role === 'assistant');
    assert.equal(said?.content, 'Let me look.');
    assert.deepEqual(
      (await api.messages(answer.conversation_id)).map(({ text }) => text),
      ['no such tool', 'done'],
    );
  });

  for (const [title, input] of [
    ['arguments that are cut', '{"agent": "Exp'],
    ['arguments that are no object', '"Expert"'],
    ['arguments of another form', '{"agent": ["Expert"], "\\u0000": 7}'],
    ['no arguments', ''],
  ] as const) {
    it(`with ${title} is answered with an error, and the run continues`, async () => {
      const { api, model } = stack();
      const expert = await api.createAgent();
      const desk = await api.createAgent({ transfers_to: [expert.id] });
      model.answer(title, call('transfer_to_agent', input), done);
      const answer = await api.ask(desk.id, { message: title });
      assert.deepEqual([answer.response, answer.agent_id], ['done', desk.id]);
      const [, second] = model.callsFor(title);
      assert.match(JSON.stringify(results(second)), /there is no agent \\"\\" that you may transfer to/);
      const sent = second?.body.messages.find(({ role }) => role === 'assistant')?.['tool_calls'];
      const [{ function: back }] = sent as [{ function: { arguments: string } }];
      assert.equal(typeof JSON.parse(back.arguments), 'object');
    });
  }

  it('is taken eleven times; the twelfth step must be an answer', async () => {
    const { api, model } = stack();
    const expert = await api.createAgent();
    const desk = await api.createAgent({ transfers_to: [expert.id] });
    const wrong = call('transfer_to_agent', { agent: 'nobody' });
    model.answer('eleven', ...Array<typeof wrong>(11).fill(wrong), done);
    assert.equal((await api.ask(desk.id, { message: 'eleven' })).response, 'done');
    const calls = model.callsFor('eleven');
    assert.equal(calls.length, 12);
    const choices = calls.map(({ body }) => body['tool_choice']);
    assert.deepEqual([...new Set(choices.slice(0, 11)), choices[11]], ['auto', 'none']);
    assert.equal(results(calls[11]).length, 11);
  });

  it('at the twelfth step, if a model ignores tool_choice none, fails the run at once', async () => {
    const { api, model, receiver } = stack();
    const expert = await api.createAgent();
    const desk = await api.createAgent({ transfers_to: [expert.id] });
    model.answer('ignores none', call('transfer_to_agent', { agent: 'nobody' }));
    await api.send(desk.id, { message: 'ignores none', webhook_url: receiver.url('/ignores-none') });
    const [callback] = await receiver.callbacks('/ignores-none', 1);
    assert.ok(callback?.event === 'message.error');
    assert.equal(callback.error, 'The agent did not come to an end within 12 steps.');
    const calls = model.callsFor('ignores none');
    assert.deepEqual([calls.length, calls[11]?.body['tool_choice']], [12, 'none']);
  });

  it('at the twelfth step fails the run', async () => {
    const { api, model, receiver } = stack();
    const agent = await api.createAgent();
    model.answer('without end', call('DOCS_NOTHING', {}));
    await api.send(agent.id, { message: 'without end', webhook_url: receiver.url('/without-end') });
    const [callback] = await receiver.callbacks('/without-end', 1);
    assert.ok(callback?.event === 'message.error');
    assert.equal(callback.error, 'The agent did not come to an end within 12 steps.');
    assert.equal(model.callsFor('without end').length, 12);
  });
});
