/** Answers of a language model in the console, and the input of the model when an answer is tried again. */
import assert from 'node:assert/strict';
import type { RunDetail, RunHistory, StartedTrial } from '../../../src/contract/conversations/run-detail.ts';
import type { Timeline } from '../../../src/contract/conversations/timeline.ts';
import { signIn, type ConsoleCaller } from '../../support/console-person.ts';
import type { ChatRequest } from '../../support/model-server.ts';
import { useModelStack } from '../../support/model-stack.ts';
import { until } from '../../support/until.ts';

const textsOf = (body: ChatRequest | undefined) =>
  body?.messages.map(({ role, content }) => [
    role,
    typeof content === 'string' ? content : content?.map(({ text = '' }) => text).join(''),
  ]);

describe('An inspected answer of a language model', () => {
  const stack = useModelStack();

  async function ground() {
    const { api, organizationId } = await stack().stranger();
    return { api, organizationId, person: await signIn({ ...stack(), organizationId }) };
  }
  async function lastRun({ call }: ConsoleCaller, conversation: string): Promise<RunDetail> {
    const timeline = (await call('GET', `/conversations/${conversation}/timeline`)).body as Timeline;
    const { status, body } = await call('GET', `/runs/${timeline.entries.at(-1)?.id ?? ''}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body as RunDetail;
  }

  it('has its tokens and cost, the provider’s refusals, and as many earlier messages as were sent', async () => {
    const { api, person } = await ground();
    const { model } = stack();
    const agent = await api.createAgent({ instructions: 'Be brief.' });
    const { conversation_id } = await api.ask(agent.id, { message: 'inspected 1' });
    const error = JSON.stringify({ error: { message: 'Overloaded, try later.' } });
    model.answer(
      'inspected 2',
      { kind: 'status', status: 529, body: error },
      { kind: 'stream', text: 'Here you are.', model: 'tested-1-2026' },
    );
    await api.ask(agent.id, { message: 'inspected 2', conversation_id });
    const run = await lastRun(person, conversation_id);
    const [step] = run.steps;
    assert.deepEqual(
      [step?.model, step?.model_id, step?.has_price, step?.history_turns, step?.was_cut],
      ['tested-1-2026', 'custom/tested-1', true, 2, false],
    );
    assert.deepEqual([run.input_tokens, run.output_tokens, run.credits], [11, 7, (11 * 3 + 7 * 5) / 1000]);
    assert.deepEqual([run.model_calls, run.failed_model_calls], [1, 1]);
    assert.match(step?.failures[0]?.provider_message ?? '', /Overloaded/);
    assert.ok((step?.model_ms ?? 0) > 0);
    // A text that does not fit the model's window is cut, and earlier messages are left out.
    await api.ask(agent.id, { message: 'long '.repeat(6000), conversation_id });
    const [cut] = (await lastRun(person, conversation_id)).steps;
    assert.deepEqual([cut?.was_cut, cut?.history_turns], [true, 0]);
  });

  it('is made again with other instructions after the same earlier messages; nothing is sent, and tools that write are not executed', async () => {
    const { api, person, organizationId } = await ground();
    const { model, receiver, db } = stack();
    const url = receiver.url('/refunds');
    const tool = await api.call('POST', '/tools/http', {
      body: {
        ...{ name: 'refund', description: 'Refunds an order.', method: 'POST', url, effect: 'write' },
        parameters: { type: 'object', properties: { order: { type: 'string' } }, required: ['order'] },
      },
    });
    assert.equal(tool.status, 201, JSON.stringify(tool.body));
    const agent = await api.createAgent({
      ...{ instructions: 'Be polite.', tools: ['refund'], grouping_window_seconds: 1 },
    });
    const webhook_url = receiver.url('/customer');
    const talk = async (message: string, conversation_id?: string) => {
      const sent = await api.send(agent.id, {
        message,
        webhook_url,
        ...(conversation_id && { conversation_id }),
      });
      await until('the answer', async () =>
        (await api.deliveries({ conversation_id: sent.conversation_id })).some(
          ({ status, event }) => status === 'delivered' && event === 'message.completed',
        ),
      );
      return sent.conversation_id;
    };
    const conversation = await talk('tried 1');
    model.answer(
      'tried 2',
      { kind: 'stream', call: { name: 'refund', input: { order: '7' } } },
      { kind: 'stream', text: 'Refunded.' },
    );
    await talk('tried 2', conversation);
    await until('the second answer', async () => (await api.messages(conversation)).length === 4);
    await until('the callbacks', () => receiver.requestsTo('/customer').length === 2);
    assert.equal(receiver.requestsTo('/refunds').length, 1);
    // Later messages of the conversation must not reach the repeated answer.
    await talk('tried 3', conversation);
    await until('the third callback', () => receiver.requestsTo('/customer').length === 3);
    const timeline = (await person.call('GET', `/conversations/${conversation}/timeline`)).body as Timeline;
    const second = timeline.entries[1]?.id ?? '';

    const refund = { kind: 'stream', call: { name: 'refund', input: { order: '7' } } } as const;
    // The first two were the calls of the answer that is tried.
    const unknown = { kind: 'stream', call: { name: 'no_such_tool', input: {} } } as const;
    model.answer('tried 2', refund, refund, refund, unknown, { kind: 'stream', text: 'As you wish.' });
    const made = await person.call('POST', `/runs/${second}/try`, { instructions: 'Be rude.' });
    assert.equal(made.status, 202, JSON.stringify(made.body));
    const trial = made.body as StartedTrial;
    await until('the trial', async () => (await lastRun(person, trial.conversation_id)).state === 'answered');
    const [first] = model.callsFor('tried 2').slice(-3);
    assert.deepEqual(textsOf(first?.body), [
      ['system', 'Be rude.'],
      ['user', 'tried 1'],
      ['assistant', 'echo: tried 1'],
      ['user', 'tried 2'],
    ]);
    const run = await lastRun(person, trial.conversation_id);
    assert.deepEqual(
      [run.is_test, run.deliveries, run.answers.map(({ text }) => text)],
      [true, [], ['As you wish.']],
    );
    assert.deepEqual(
      run.agents.map(({ instructions, is_trial, is_current }) => [instructions, is_trial, is_current]),
      [['Be rude.', true, false]],
    );
    const [refused, invented] = run.steps.map(({ calls }) => calls[0]);
    assert.match(refused?.result?.text ?? '', /^Not executed: this is a test/);
    // It was recorded with its refusal, so no worker was asked to execute it.
    assert.deepEqual([refused?.status, refused?.started_at], ['failed', null]);
    assert.match(invented?.result?.text ?? '', /not among this agent's tools/);
    const history = (await person.call('GET', `/runs/${trial.run_id}/history`)).body as RunHistory;
    assert.deepEqual(
      history.data.map(({ text }) => text),
      ['echo: tried 1', 'tried 1'],
    );
    assert.equal(receiver.requestsTo('/refunds').length, 1);
    assert.equal(receiver.requestsTo('/customer').length, 3);
    // The agent itself is unchanged, also for its next customer.
    const answers = await api.ask(agent.id, { message: 'tried 4' });
    assert.deepEqual(textsOf(model.callsFor('tried 4')[0]?.body)?.[0], ['system', 'Be polite.']);
    assert.notEqual(answers.conversation_id, trial.conversation_id);
    // A trial of the trial tries the same messages.
    const again = (await person.call('POST', `/runs/${trial.run_id}/try`, { instructions: 'Be kind.' }))
      .body as StartedTrial;
    await until(
      'the second trial',
      async () => (await lastRun(person, again.conversation_id)).state === 'answered',
    );

    const viewer = await signIn({ ...stack(), organizationId }, ['conversations.view']);
    assert.equal((await viewer.call('POST', `/runs/${second}/try`, { instructions: '' })).status, 403);
    const stranger = (await ground()).person;
    assert.equal((await stranger.call('POST', `/runs/${second}/try`, { instructions: '' })).status, 404);

    // Trials hold the customer's words, so they go with the conversation.
    assert.equal((await api.call('DELETE', `/conversations/${conversation}`)).status, 204);
    const { rows } = await db.pool.query('select id from conversations where id = any($1)', [
      [conversation, trial.conversation_id, again.conversation_id],
    ]);
    assert.deepEqual(rows, []);
  });
});
