/** The fallback model of an agent: it answers once if the agent's model fails for good, and each such answer says why. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { Agent } from '../../../src/contract/conversations/agents.ts';
import type { RunDetail } from '../../../src/contract/conversations/run-detail.ts';
import type { Timeline } from '../../../src/contract/conversations/timeline.ts';
import type { Health } from '../../../src/contract/data/health.ts';
import { freePort } from '../../../src/local/ports.ts';
import { signIn, type ConsoleCaller } from '../../support/console-person.ts';
import { told } from '../../support/event-reader.ts';
import {
  startModelServer,
  userText,
  type ModelBehaviour,
  type ModelServer,
} from '../../support/model-server.ts';
import { useStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

const failed_model = 'first/main-1';
const spareModel = 'custom/spare-1';
const status = (code: number, body?: string): ModelBehaviour => ({
  kind: 'status',
  status: code,
  headers: { 'retry-after': '0' },
  ...(body !== undefined && { body }),
});

describe('The fallback model of an agent', () => {
  let first: ModelServer;
  let spare: ModelServer;
  let person: ConsoleCaller;
  const stack = useStack(async () => {
    [first, spare] = await Promise.all([startModelServer(), startModelServer()]);
    return {
      env: {
        ENCRYPTION_KEY: randomBytes(32).toString('base64'),
        MODEL_ALLOW: '127.0.0.1',
        MODEL_BASE_URL: spare.baseUrl,
        MODEL_NAME: 'spare-1',
        MODEL_TIMEOUT_SECONDS: '3',
        MODEL_PRICES: JSON.stringify({
          [failed_model]: { input: 1000, output: 1000 },
          [spareModel]: { input: 3, output: 5 },
        }),
      },
    };
  });
  before(async () => {
    person = await signIn(stack());
    await addProvider('first', first.baseUrl);
  });
  after(async () => {
    await Promise.all([first.close(), spare.close()]);
  });

  async function addProvider(name: string, base_url: string): Promise<string> {
    const form = { kind: 'compatible', name, base_url, api_key: 'key-of-the-first', models: ['main-1'] };
    const { status: added, body } = await person.call('POST', '/model-providers', form);
    assert.equal(added, 201, JSON.stringify(body));
    return (body as { provider: { id: string } }).provider.id;
  }
  const agentWith = async (fields: Record<string, unknown> = {}): Promise<Agent> =>
    await stack().api.createAgent({ model: failed_model, fallback_model: spareModel, ...fields });

  async function lastRun(conversation: string): Promise<RunDetail> {
    const timeline = (await person.call('GET', `/conversations/${conversation}/timeline`)).body as Timeline;
    return (await person.call('GET', `/runs/${timeline.entries.at(-1)?.id ?? ''}`)).body as RunDetail;
  }
  const counts = (text: string) => [first.callsFor(text).length, spare.callsFor(text).length];

  const refusedKey = 'The model provider refused the key (401).';
  const noModel = JSON.stringify({ error: { code: 'model_not_found', message: 'The model does not exist' } });
  const mended: [title: string, behaviour: ModelBehaviour, asked: number, reason: string][] = [
    ['refuses the key', status(401), 1, refusedKey],
    ['fails three times', status(500), 3, 'The model provider failed (500).'],
    ['is overloaded', status(529), 3, 'The model provider failed (529).'],
    ['limits the rate', status(429), 3, 'The model provider limits the rate (429).'],
    ['hangs', { kind: 'hang' }, 3, 'The model did not answer in time.'],
    [
      'does not have the model',
      status(404, noModel),
      1,
      `The model provider does not have the model ${failed_model} (404).`,
    ],
  ];
  for (const [title, behaviour, asked, reason] of mended)
    it(`answers once if the model's provider ${title}, and the answer says why`, async () => {
      const { api } = stack();
      const message = `mended: ${title}`;
      first.answer(message, behaviour);
      const agent = await agentWith();
      const answer = await api.ask(agent.id, { message });
      assert.deepEqual([answer.response, answer.model], [`echo: ${message}`, 'spare-1']);
      assert.deepEqual(counts(message), [asked, 1]);
      const [, stored, ...more] = await api.messages(answer.conversation_id);
      assert.deepEqual(more, []);
      assert.ok(stored?.role === 'agent');
      assert.deepEqual(stored.fallback, { model: spareModel, failed_model, reason });
      const run = await lastRun(answer.conversation_id);
      const [step] = run.steps;
      assert.deepEqual([step?.model_id, step?.fallback], [spareModel, { failed_model, reason }]);
      assert.deepEqual(
        step?.failures.map(({ model, error }) => [model, error]),
        Array.from({ length: asked }, () => [failed_model, reason]),
      );
      // Counted with the price of the model that answered.
      assert.equal(run.credits, (11 * 3 + 7 * 5) / 1000);
      assert.deepEqual([stored.credits_used, run.model_calls], [run.credits, 1]);
    });

  it('answers if the provider is down, and if it is no longer set up', async () => {
    const { api, db } = stack();
    const agent = await agentWith();
    const port = await freePort();
    const providers = db.knex('model_providers').where({ organization_id: stack().organizationId });
    const before = await providers.clone().first<{ base_url: string }>('base_url');
    await providers.clone().update({ base_url: `http://127.0.0.1:${port}/v1` });
    const down = await api.ask(agent.id, { message: 'down' });
    await providers.clone().update({ name: 'moved' });
    const gone = await api.ask(agent.id, { message: 'not set up' });
    await providers.clone().update({ name: 'first', base_url: before.base_url });
    assert.deepEqual([down.response, gone.response], ['echo: down', 'echo: not set up']);
    const [, answer] = await api.messages(gone.conversation_id);
    assert.ok(answer?.role === 'agent');
    assert.match(
      answer.fallback?.reason ?? '',
      /^The agent's model first\/main-1 is of a provider that is not set up/,
    );
  });

  const kept: [
    title: string,
    behaviour: ModelBehaviour,
    asked: number,
    fields: Record<string, unknown>,
    error: RegExp,
  ][] = [
    [
      'the provider refuses the content',
      status(403, JSON.stringify({ error: { message: 'Your input was flagged' } })),
      1,
      {},
      /^The model provider refused the content of the request \(403\)\.$/,
    ],
    ['the answer is empty', { kind: 'whole', text: '', finish: 'content_filter' }, 3, {}, /empty answer/],
    [
      'the input is too large',
      status(400, JSON.stringify({ error: { code: 'context_length_exceeded', message: 'too long' } })),
      1,
      {},
      /^The request is larger than the model's context window/,
    ],
    [
      'the answer does not fit the schema',
      { kind: 'stream', text: 'no JSON' },
      1,
      { output_schema: { type: 'object', properties: { a: { type: 'string' } } } },
      /does not fit the output schema/,
    ],
    ['a cap is reached', status(500), 0, { credit_caps: { day: 1 } }, /^The cap of 1 credits per day/],
    ['the agent names none', status(401), 1, { fallback_model: null }, /^The model provider refused the key/],
  ];
  for (const [title, behaviour, asked, fields, error] of kept)
    it(`is not called if ${title}`, async () => {
      const message = `kept: ${title}`;
      first.answer(message, behaviour);
      const agent = await agentWith(fields);
      const { status: code, body } = await stack().api.call('POST', `/chat/${agent.id}`, {
        body: { message, sync: true },
      });
      assert.ok(code === 502 || code === 402, String(code));
      assert.match((body as { error: string }).error, error);
      assert.deepEqual(counts(message), [asked, 0]);
    });

  it('is called once; if it fails too, the run fails with both reasons', async () => {
    const { api } = stack();
    first.answer('both', status(401));
    spare.answer('both', status(500));
    const agent = await agentWith();
    const { error, conversation_id } = await api.refused(502, 'POST', `/chat/${agent.id}`, {
      body: { message: 'both', sync: true },
    });
    assert.equal(
      error,
      `${failed_model} did not answer: ${refusedKey} The fallback ${spareModel} did not answer either: The model provider failed (500).`,
    );
    assert.deepEqual(counts('both'), [1, 1]);
    const [step] = (await lastRun(conversation_id ?? '')).steps;
    assert.deepEqual(
      step?.failures.map((failure) => [failure.model, failure.error]),
      [
        [failed_model, refusedKey],
        [spareModel, 'The model provider failed (500).'],
      ],
    );
  });

  it('makes the further calls of the run, with what its tools returned; the next run begins with the model', async () => {
    const { api } = stack();
    const agent = await agentWith({ tools: ['DOCS_FETCH_DATA'] });
    const call = { name: 'DOCS_FETCH_DATA', input: {} };
    // The tool fails, because no workspace is connected: the model gets that as its result.
    first.answer('with a tool', { kind: 'stream', call }, status(401));
    spare.answer('with a tool', { kind: 'stream', call }, { kind: 'stream', text: 'after the tools' });
    const { response, conversation_id } = await api.ask(agent.id, { message: 'with a tool' });
    assert.equal(response, 'after the tools');
    assert.deepEqual(counts('with a tool'), [2, 2]);
    assert.deepEqual(
      spare
        .callsFor('with a tool')
        .map(({ body }) => body.messages.filter(({ role }) => role === 'tool').length),
      [1, 2],
    );
    const run = await lastRun(conversation_id);
    assert.deepEqual(
      run.steps.map(({ model_id, fallback }) => [model_id, fallback?.reason]),
      [
        [failed_model, undefined],
        [spareModel, refusedKey],
        [spareModel, refusedKey],
      ],
    );
    assert.equal((await api.ask(agent.id, { message: 'well again', conversation_id })).model, 'main-1');
  });

  it('answers a stream before its first text, and never after it', async () => {
    const { api } = stack();
    const agent = await agentWith();
    const events = async (message: string) => {
      const heard = [];
      for await (const event of told(api, `/chat/${agent.id}`, { body: { message, sync: true } }))
        heard.push(event);
      return heard;
    };
    first.answer('streamed', status(401));
    const whole = await events('streamed');
    assert.equal(whole.map((one) => (one.event === 'delta' ? one.data.text : '')).join(''), 'echo: streamed');
    assert.equal(whole.at(-1)?.event, 'completed');

    first.answer('streamed half', { kind: 'cut', text: 'Half of it' }, status(401));
    const half = await events('streamed half');
    assert.equal(half.at(-1)?.event, 'failed');
    assert.deepEqual(counts('streamed half'), [2, 0]);
  });

  it('is bounded by the caps, at its own price', async () => {
    const { api } = stack();
    // The model costs 1000 credits for 1,000 tokens, so a call to it would not fit. The fallback reserves about 20.
    const dear = { credit_caps: { day: 30 }, cap_message: 'Closed.' };
    const agent = await agentWith(dear);
    assert.equal((await api.ask(agent.id, { message: 'capped' })).response, 'Closed.');
    assert.deepEqual(counts('capped'), [0, 0]);
    const unset = await agentWith({ ...dear, model: failed_model });
    await stack().db.knex('agents').where({ id: unset.id }).update({ model: 'nowhere/at-all' });
    spare.answer('costs', {
      kind: 'stream',
      text: 'dear',
      usage: { prompt_tokens: 100, completion_tokens: 3000 },
    });
    const answers = [];
    for (let count = 0; count < 2; count++) answers.push(await api.ask(unset.id, { message: 'costs' }));
    assert.deepEqual(
      answers.map(({ response, credits_used }) => [response, credits_used]),
      [
        ['dear', 15.3],
        ['Closed.', 0],
      ],
    );
    assert.equal(spare.callsFor('costs').length, 1);
  });

  it('does not hide the failing model in the overview', async () => {
    const { api } = stack();
    first.answer('hidden?', status(401));
    await api.ask((await agentWith()).id, { message: 'hidden?' });
    const { items } = (await person.call('GET', '/health')).body as Health;
    const troubles = items.filter(({ kind }) => kind === 'model_failing');
    assert.match(JSON.stringify(troubles), /"provider":"first".*refused the key/);
    assert.doesNotMatch(JSON.stringify(troubles), /"provider":"custom"/);
  });

  it('a worker killed after the failure, and one killed during the call of the fallback, leave one answer', async () => {
    const { api, db, worker } = stack();
    const agent = await agentWith();
    const ask = async (message: string) => (await api.send(agent.id, { message })).conversation_id;
    // While the table is locked, the worker cannot record the failure.
    first.answer('killed before', status(401));
    let early = '';
    await db.knex.transaction(async (trx) => {
      await trx.raw('lock table model_failures in exclusive mode');
      early = await ask('killed before');
      await until('the failed call', () => (counts('killed before')[0] === 1 ? true : undefined));
      await worker.kill();
    });
    await worker.start();
    assert.equal((await api.settled(early)).length, 2);
    assert.deepEqual(counts('killed before'), [2, 1]);

    first.answer('killed during', status(401));
    spare.answerWhere((body) =>
      userText(body) === 'killed during' && spare.callsFor('killed during').length === 0
        ? { kind: 'hang' }
        : undefined,
    );
    const late = await ask('killed during');
    await until('the call of the fallback', () => (counts('killed during')[1] === 1 ? true : undefined));
    await worker.kill();
    await worker.start();
    const [, answer, ...more] = await api.settled(late);
    assert.deepEqual([answer?.text, more], ['echo: killed during', []]);
    // The decision is stored: the model is not called again.
    assert.deepEqual(counts('killed during'), [1, 2]);
  });

  it('is checked, versioned, and in the file of the agents; its provider cannot be removed', async () => {
    const { api } = stack();
    const { details } = await api.refused(422, 'POST', '/agents', {
      body: { name: 'Wrong', fallback_model: 'nowhere/at-all' },
    });
    assert.deepEqual(
      details?.map(({ path }) => path),
      ['fallback_model'],
    );
    const same = { name: 'Wrong', model: spareModel, fallback_model: spareModel };
    const equal = await api.refused(422, 'POST', '/agents', { body: same });
    assert.match(JSON.stringify(equal.details), /must be another model/);
    const agent = await api.createAgent({ name: 'Versioned', fallback_model: spareModel });
    const changed = await api.changeAgent(agent.id, { fallback_model: null });
    assert.deepEqual([changed.version, changed.fallback_model], [2, undefined]);
    await api.call('POST', `/agents/${agent.id}/rollback`, { body: { version: 1 } });
    const { body } = await api.call('GET', `/agents/${agent.id}`);
    assert.equal((body as Agent).fallback_model, spareModel);

    const file = (yaml: string) => person.call('PUT', '/agents-file', { yaml });
    const written = 'agents:\n  - name: Versioned\n    fallback_model: first/main-1\n';
    assert.equal((await file(written)).status, 200);
    const exported = (await person.call('GET', '/agents-file')).body as { yaml: string };
    assert.match(exported.yaml, /name: Versioned\n(.*\n)*?.*fallback_model: first\/main-1/);
    const id = await addProvider('second', first.baseUrl);
    await api.changeAgent(agent.id, { fallback_model: 'second/main-1' });
    const refused = await person.call('DELETE', `/model-providers/${id}`);
    assert.equal(refused.status, 409);
    assert.match(JSON.stringify(refused.body), /Agents use a model of second: Versioned/);
  });
});
