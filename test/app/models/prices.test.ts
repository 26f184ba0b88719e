/** The operator's price table: by model, with a row for the others, frozen when a run begins. */
import assert from 'node:assert/strict';
import { readPrices } from '../../../src/adapters/models/read-prices.ts';
import { useModelStack } from '../../support/model-stack.ts';
import { until } from '../../support/until.ts';

describe('The price table', () => {
  const stack = useModelStack();

  it('has a row for models without one: 1 credit per 1,000 tokens, in or out', async () => {
    const { api, model } = stack();
    const agent = await api.createAgent({ model: 'custom/another' });
    const usage = { prompt_tokens: 1200, completion_tokens: 300 };
    model.answer('default row', { kind: 'stream', text: 'ok', usage });
    const answer = await api.ask(agent.id, { message: 'default row' });
    assert.deepEqual([answer.credits_used, answer.model], [1.5, 'another']);
  });

  it('is frozen for a run that has begun: new prices hold from the next one', async () => {
    const { api, model, worker } = stack();
    const agent = await api.createAgent();
    model.answer(
      'old prices',
      { kind: 'status', status: 429, headers: { 'retry-after': '4' } },
      { kind: 'stream', text: 'ok' },
    );
    const { conversation_id } = await api.send(agent.id, { message: 'old prices' });
    await until('the first call', () => model.callsFor('old prices').length === 1);
    await worker.kill();
    await worker.start({ MODEL_PRICES: JSON.stringify({ 'custom/tested-1': { input: 100, output: 0 } }) });
    await api.settled(conversation_id);
    await api.ask(agent.id, { message: 'new prices', conversation_id });
    await worker.kill();
    await worker.start();
    const credits = (await api.messages(conversation_id)).map(
      (one) => one.role === 'agent' && one.credits_used,
    );
    assert.deepEqual(credits, [false, 0.068, false, 1.1]);
  });

  it('that cannot be read is refused with its form', () => {
    for (const text of ['{', '{"a/b": 1}', '{"a/b": {"input": -1, "output": 0}}', '{"a/b": {"input": 1}}']) {
      assert.throws(() => readPrices(text), /MODEL_PRICES must be JSON/);
    }
  });
});
