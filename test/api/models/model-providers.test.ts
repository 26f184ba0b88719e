/** Model providers of organizations: tested before they are stored, used from the next message on, and never shown. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ModelUsage } from '../../../src/contract/data/usage.ts';
import type { ModelSettings, SavedProvider } from '../../../src/contract/models/models.ts';
import type { ErrorBody } from '../../../src/contract/errors.ts';
import { ApiClient } from '../../support/api-client.ts';
import { signIn, type ConsoleCaller } from '../../support/console-person.ts';
import {
  startModelServer,
  userText,
  type ChatRequest,
  type ModelBehaviour,
  type ModelServer,
} from '../../support/model-server.ts';
import { useStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

const operatorKey = 'sk-operator-0123456789abcdef';

describe('Model providers of an organization', () => {
  let model: ModelServer;
  const servers: Server[] = [];
  const stack = useStack(async () => {
    model = await startModelServer();
    return {
      env: {
        ENCRYPTION_KEY: randomBytes(32).toString('base64'),
        // The literal address is allowed; the name localhost, which is private too, is not.
        MODEL_ALLOW: '127.0.0.1',
        MODEL_TIMEOUT_SECONDS: '3',
      },
    };
  });
  after(async () => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
    await model.close();
  });

  /** A model server that answers by the listener. @returns its base URL */
  async function serving(listener: RequestListener): Promise<string> {
    const server = createServer(listener);
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  }

  /** An organization of one's own, with an administrator of the console. */
  async function newOrganization(): Promise<{
    organizationId: string;
    api: ApiClient;
    admin: ConsoleCaller;
  }> {
    const { organizationId, api } = await stack().stranger();
    return { organizationId, api, admin: await signIn({ ...stack(), organizationId }) };
  }
  const server = (more: object = {}) => ({
    kind: 'compatible',
    name: 'shop-models',
    base_url: model.baseUrl,
    api_key: `key-${crypto.randomUUID()}`,
    models: ['tested-1'],
    ...more,
  });
  async function added(admin: ConsoleCaller, body: object): Promise<SavedProvider> {
    const answer = await admin.call('POST', '/model-providers', body);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body as SavedProvider;
  }
  const settingsOf = async (admin: ConsoleCaller) =>
    (await admin.call('GET', '/models')).body as ModelSettings;

  it('a test finds out whether the model calls tools and reads images and documents', async () => {
    const { admin } = await newOrganization();
    const asks = (word: RegExp) => (body: ChatRequest) => body.model === 'able' && word.test(userText(body));
    const answers = (word: RegExp, behaviour: ModelBehaviour) => {
      model.answerWhere((body) => (asks(word)(body) ? behaviour : undefined));
    };
    answers(/^Call the tool/, { kind: 'stream', call: { name: 'report_number', input: { number: 7 } } });
    answers(/^Which colour/, { kind: 'stream', text: 'Red.' });
    answers(/^Which word/, { kind: 'status', status: 400 });
    const { provider, test } = await added(admin, server({ models: ['able'] }));
    assert.deepEqual(test.abilities, { tools: true, images: true, documents: false });
    const [image] = model.callsFor('Which colour fills the image? Answer with one English word.');
    assert.match(JSON.stringify(image?.body.messages), /data:image\/png;base64,iVBOR/);

    answers(/^Which word/, { kind: 'stream', text: 'LANTERN' });
    answers(/^Which colour/, { kind: 'status', status: 429 });
    const again = await admin.call('POST', `/model-providers/${String(provider.id)}/test`, { model: 'able' });
    const { abilities } = again.body as SavedProvider['test'];
    assert.deepEqual(abilities, { tools: true, images: null, documents: true });
  });

  it('keeps the outcome of its last test, and counts the agents that use each model, also by default or as the fallback', async () => {
    const { api, admin } = await newOrganization();
    const { provider } = await added(admin, server({ models: ['steady', 'broken'] }));
    const testedOf = async () =>
      (await settingsOf(admin)).providers.find(({ id }) => id === provider.id)?.tested;
    const first = await testedOf();
    assert.deepEqual([first?.model, first?.error], ['steady', null]);
    model.answerWhere((body) => (body.model === 'broken' ? { kind: 'status', status: 401 } : undefined));
    const test = (name: string) =>
      admin.call('POST', `/model-providers/${String(provider.id)}/test`, { model: name });
    assert.notEqual((await test('broken')).status, 200);
    const failed = await testedOf();
    assert.equal(failed?.model, 'broken');
    assert.match(failed.error ?? '', /refused the key \(401\)/);
    assert.ok(failed.at > (first?.at ?? ''));
    assert.equal((await test('steady')).status, 200);
    assert.equal((await testedOf())?.error, null);

    await api.createAgent();
    await api.createAgent({ model: 'shop-models/steady' });
    await api.createAgent({ model: 'shop-models/broken', fallback_model: 'shop-models/steady' });
    const deleted = await api.createAgent({ model: 'shop-models/broken' });
    assert.equal((await api.call('DELETE', `/agents/${deleted.id}`)).status, 204);
    const { default_model, used_by } = await settingsOf(admin);
    assert.equal(default_model, 'shop-models/steady');
    assert.deepEqual(used_by, { 'shop-models/steady': 3, 'shop-models/broken': 1 });
  });

  it('the first one is tested, becomes the default, and answers a message of an agent without a model', async () => {
    const { api, admin } = await newOrganization();
    assert.deepEqual(await settingsOf(admin), {
      default_model: 'scripted/default',
      default_of: 'none',
      installation_default: null,
      providers: [],
      prices: {},
      used_by: {},
      last_calls: {},
    });
    const agent = await api.createAgent();
    const body = server();
    const { provider, test } = await added(admin, body);
    const { id, updated_at, tested, ...shown } = provider;
    assert.ok(id !== null && updated_at !== null);
    assert.equal(tested?.error, null);
    const { kind, name, base_url, models } = body;
    assert.deepEqual(shown, { kind, name, base_url, models, has_key: true });
    const { duration_ms, sample, ...figures } = test;
    assert.deepEqual(figures, {
      ...{ model: 'tested-1', input_tokens: 11, output_tokens: 7 },
      abilities: { tools: false, images: false, documents: false },
    });
    assert.match(sample, /^echo: Greet a customer/);
    assert.ok(duration_ms >= 0 && duration_ms < 3000);
    const { default_model, default_of } = await settingsOf(admin);
    assert.deepEqual([default_model, default_of], ['shop-models/tested-1', 'organization']);

    const text = `who answers ${agent.id}`;
    const { response, model: answeredBy } = (await api.ask(agent.id, { message: text })) as {
      response: string;
      model: string;
    };
    assert.deepEqual([response, answeredBy], [`echo: ${text}`, 'tested-1']);
    const { last_calls } = await settingsOf(admin);
    assert.deepEqual(Object.keys(last_calls), ['shop-models']);
    assert.equal(last_calls['shop-models']?.error, null);
    const [call] = model.callsFor(text);
    assert.equal(call?.authorization, `Bearer ${body.api_key}`);
    const { body: read } = await api.call('GET', `/agents/${agent.id}`);
    const { model: resolved, uses_default_model } = read as { model: string; uses_default_model: boolean };
    assert.deepEqual([resolved, uses_default_model], ['shop-models/tested-1', true]);
  });

  it('several at once: each agent asks the one it names, and a change applies to the next message without a restart', async () => {
    const { api, admin } = await newOrganization();
    const [first, second] = [server(), server({ name: 'second', models: ['tested-2', 'tested-3'] })];
    const { provider } = await added(admin, first);
    await added(admin, second);
    const byDefault = await api.createAgent();
    const named = await api.createAgent({ model: 'second/tested-3' });
    const askedOf = async (id: string) => {
      const text = `question ${crypto.randomUUID()}`;
      await api.ask(id, { message: text });
      const [call] = model.callsFor(text);
      return [call?.body.model, call?.authorization];
    };
    assert.deepEqual(await askedOf(byDefault.id), ['tested-1', `Bearer ${first.api_key}`]);
    assert.deepEqual(await askedOf(named.id), ['tested-3', `Bearer ${second.api_key}`]);

    const changed = await admin.call('PATCH', `/model-providers/${String(provider.id)}`, {
      api_key: 'key-renewed',
      models: ['tested-9'],
    });
    assert.equal(changed.status, 200, JSON.stringify(changed.body));
    assert.deepEqual(await askedOf(byDefault.id), ['tested-1', 'Bearer key-renewed']);
    const chosen = await admin.call('PUT', '/default-model', { model: 'second/tested-2' });
    assert.equal(chosen.status, 200, JSON.stringify(chosen.body));
    assert.deepEqual(await askedOf(byDefault.id), ['tested-2', `Bearer ${second.api_key}`]);
  });

  it('bring the list prices of their models, which an administrator changes; the usage by model has its cost', async () => {
    const { api, admin } = await newOrganization();
    const { provider } = await added(
      admin,
      server({ models: ['gpt-5-mini', 'gpt-5-mini-2025-08-07', 'unlisted'] }),
    );
    const listed = { input: 0.25, output: 2, cached_input: 0.025 };
    assert.deepEqual((await settingsOf(admin)).prices, {
      'shop-models/gpt-5-mini': listed,
      'shop-models/gpt-5-mini-2025-08-07': listed,
    });
    const costs = async () => {
      const usage = (await admin.call('GET', '/model-usage')).body as ModelUsage;
      return Object.fromEntries(usage.data.map((row) => [row.model, row.cost_usd]));
    };
    const usage = { prompt_tokens: 11, completion_tokens: 7, prompt_tokens_details: { cached_tokens: 4 } };
    for (const name of ['gpt-5-mini', 'unlisted']) {
      const agent = await api.createAgent({ model: `shop-models/${name}` });
      const message = `priced ${agent.id}`;
      model.answer(message, { kind: 'stream', text: 'ok', usage });
      await api.ask(agent.id, { message });
    }
    const cost = (7 * 0.25 + 4 * 0.025 + 7 * 2) / 1e6;
    assert.deepEqual(await costs(), { 'gpt-5-mini': cost, unlisted: null });
    const { data, cost_days } = (await admin.call('GET', '/model-usage')).body as ModelUsage;
    assert.deepEqual(
      cost_days.map(({ cost_usd }) => cost_usd),
      [cost],
    );
    assert.deepEqual(
      data.flatMap(({ by_id }) => by_id).toSorted((a, b) => a.id.localeCompare(b.id)),
      [
        { id: 'shop-models/gpt-5-mini', calls: 1, credits: 0.018, cost_usd: cost },
        { id: 'shop-models/unlisted', calls: 1, credits: 0.018, cost_usd: null },
      ],
    );

    const priced = { model: 'shop-models/gpt-5-mini', input: 1, output: 3, cached_input: null };
    const set = await admin.call('PUT', '/model-price', priced);
    assert.equal(set.status, 200, JSON.stringify(set.body));
    assert.deepEqual(await costs(), { 'gpt-5-mini': (11 + 7 * 3) / 1e6, unlisted: null });
    // A change of the provider brings the list prices of new models, and changes no price.
    await admin.call('PATCH', `/model-providers/${String(provider.id)}`, { models: ['gpt-5-mini', 'gpt-5'] });
    const { prices } = await settingsOf(admin);
    assert.deepEqual(prices['shop-models/gpt-5-mini'], { input: 1, output: 3, cached_input: null });
    assert.deepEqual(prices['shop-models/gpt-5'], { input: 1.25, output: 10, cached_input: 0.125 });
    await admin.call('PUT', '/model-price', { ...priced, input: null, output: null });
    assert.deepEqual(await costs(), { 'gpt-5-mini': null, unlisted: null });

    for (const [wrong, path] of [
      [{ output: null }, 'output'],
      [{ input: null }, 'input'],
      [{ input: -1 }, 'input'],
      [{ output: 10_001 }, 'output'],
      [{ model: 'no-provider' }, 'model'],
    ] as const) {
      const { status, body } = await admin.call('PUT', '/model-price', { ...priced, ...wrong });
      assert.deepEqual([status, (body as ErrorBody).details?.[0]?.path], [422, path]);
    }
  });

  it('an organization has prices of 1,000 models at most', async () => {
    const { organizationId, admin } = await newOrganization();
    const prices = Object.fromEntries(
      Array.from({ length: 1000 }, (_, n) => [`many/${n}`, { input: 1, output: 1, cached_input: null }]),
    );
    await stack().db.knex('organizations').where({ id: organizationId }).update({ model_prices: prices });
    const put = (name: string) =>
      admin.call('PUT', '/model-price', { model: `many/${name}`, input: 2, output: 2, cached_input: 1 });
    const refused = await put('one-more');
    assert.equal(refused.status, 422);
    assert.match(JSON.stringify(refused.body), /at most 1000 models have a price/);
    assert.equal((await put('999')).status, 200);
    await added(admin, server({ models: ['gpt-5-mini'] }));
    const known = (await settingsOf(admin)).prices;
    assert.deepEqual([Object.keys(known).length, known['many/999']?.input], [1000, 2]);
  });

  it('an organization’s providers answer for it alone', async () => {
    const [one, other] = [await newOrganization(), await newOrganization()];
    const { provider } = await added(one.admin, server());
    const refused = await other.api.refused(422, 'POST', '/agents', {
      body: { name: 'A', model: 'shop-models/tested-1' },
    });
    assert.equal(refused.details?.[0]?.path, 'model');
    const own = server();
    await added(other.admin, own);
    const agent = await other.api.createAgent({ model: 'shop-models/tested-1' });
    const text = `mine ${agent.id}`;
    await other.api.ask(agent.id, { message: text });
    assert.equal(model.callsFor(text)[0]?.authorization, `Bearer ${own.api_key}`);
    for (const [method, path, body] of [
      ['PATCH', '', { models: ['x'] }],
      ['POST', '/test', { model: 'tested-1' }],
      ['DELETE', '', undefined],
    ] as const) {
      const answer = await other.admin.call(method, `/model-providers/${String(provider.id)}${path}`, body);
      assert.equal(answer.status, 404, method);
    }
  });

  it('never sends the operator’s key, nor an own key to a changed address', async () => {
    const { organizationId, admin } = await newOrganization();
    const seen: (string | undefined)[] = [];
    const base_url = await serving((request, response) => {
      seen.push(request.headers.authorization ?? String(request.headers['x-api-key']));
      response.writeHead(401).end('{}');
    });
    const restart = async (env: NodeJS.ProcessEnv) => {
      await stack().apiProcess.stop();
      await stack().apiProcess.start(env);
    };
    await restart({
      OPENAI_API_KEY: operatorKey,
      ANTHROPIC_API_KEY: operatorKey,
      MODEL_API_KEY: operatorKey,
    });
    try {
      for (const kind of ['openai', 'anthropic', 'compatible'])
        await admin.call(
          'POST',
          '/model-providers',
          server({ kind, name: kind, base_url, api_key: 'theirs' }),
        );
      const without = { kind: 'compatible', name: 'without', base_url, models: ['m'] };
      await admin.call('POST', '/model-providers', without);
      // A key that was lost is not replaced by the operator's either.
      await stack()
        .db.knex('model_providers')
        .insert({
          ...{ id: crypto.randomUUID(), organization_id: organizationId, name: 'lost', kind: 'openai' },
          ...{ base_url, models: ['m'] },
        });
      const { providers } = await settingsOf(admin);
      assert.deepEqual(
        providers.map(({ id, name, has_key }) => [name, id === null, has_key]),
        [
          ['lost', false, false],
          ['openai', true, true],
          ['anthropic', true, true],
        ],
      );
      const lost = providers.find(({ name }) => name === 'lost');
      const answer = await admin.call('POST', `/model-providers/${String(lost?.id)}/test`, { model: 'm' });
      assert.match((answer.body as ErrorBody).error, /^The provider lost has no key: save it again/);
    } finally {
      await restart({});
    }
    assert.deepEqual(seen, ['Bearer theirs', 'theirs', 'Bearer theirs', 'undefined']);

    const { provider } = await added(admin, server());
    const moved = await admin.call('PATCH', `/model-providers/${String(provider.id)}`, { base_url });
    assert.deepEqual((moved.body as ErrorBody).details, [
      { path: 'api_key', message: 'is needed again when the address changes' },
    ]);
    assert.equal(seen.length, 4);
  });

  const failing: [
    title: string,
    listener: RequestListener | string,
    field: string | undefined,
    said: RegExp,
  ][] = [
    [
      'a wrong key',
      (_, response) =>
        response
          .writeHead(401, { 'content-type': 'application/json' })
          .end('{"error":{"message":"Incorrect API key provided: sk-pr***","code":"invalid_api_key"}}'),
      'api_key',
      /^The model provider refused the key \(401\)\. The provider says: Incorrect API key provided: \[key\]/,
    ],
    [
      'an unknown model',
      (_, response) =>
        response
          .writeHead(404, { 'content-type': 'application/json' })
          .end('{"error":{"message":"The model `tested-1` does not exist","code":"model_not_found"}}'),
      'models',
      /^The model provider does not have the model shop-models\/tested-1 \(404\)/,
    ],
    [
      'no such path',
      (_, response) => response.writeHead(404).end('Not found'),
      'base_url',
      /refused the request \(404\)/,
    ],
    [
      'a page instead of an answer',
      (_, response) => response.end('<html>Welcome</html>'),
      'base_url',
      /could not be read/,
    ],
    [
      'wrong JSON',
      (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"choices": 7'),
      'base_url',
      /could not be read/,
    ],
    ['silence', () => undefined, undefined, /did not answer in time/],
    [
      'a slow drip without an end',
      (_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const drip = setInterval(() => response.write(': \n'), 50);
        response.on('close', () => {
          clearInterval(drip);
        });
      },
      undefined,
      /did not answer in time/,
    ],
    [
      'an answer without an end',
      (_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const piece = Buffer.alloc(65_536, ' ');
        const more = () => {
          while (!response.destroyed && response.write(piece));
        };
        response.on('drain', more);
        more();
      },
      'base_url',
      /could not be/,
    ],
    [
      'a redirect to a private address',
      (_, response) => response.writeHead(307, { location: `${model.baseUrl}/chat/completions` }).end(),
      undefined,
      /The model provider failed \(307\)/,
    ],
    ['a closed port', 'http://127.0.0.1:9/v1', 'base_url', /could not be reached: connection refused/],
    [
      'a private name',
      'http://localhost:11434/v1',
      'base_url',
      /localhost:11434 is private.*MODEL_ALLOW=localhost:11434/,
    ],
    ['a private address', 'http://10.0.0.7/v1', 'base_url', /10\.0\.0\.7 is private/],
    ['another protocol', 'file:///etc/passwd', 'base_url', /must begin with https/],
    ['no address', 'https://', 'base_url', /must begin with https/],
  ];
  for (const [title, place, field, said] of failing)
    it(`is not stored if a test call meets ${title}; the error names what to correct`, async () => {
      const { organizationId, admin } = await newOrganization();
      const base_url = typeof place === 'string' ? place : await serving(place);
      const body = server({ base_url });
      const began = performance.now();
      const answer = await admin.call('POST', '/model-providers', body);
      assert.ok(performance.now() - began < 12_000);
      const { error, details } = answer.body as ErrorBody;
      assert.deepEqual([answer.status, details?.[0]?.path], [field === undefined ? 502 : 422, field], error);
      assert.match(details?.[0]?.message ?? error, said);
      assert.ok(!JSON.stringify(answer.body).includes(body.api_key));
      assert.deepEqual((await settingsOf(admin)).providers, []);
      const rows = await stack().db.knex('audit_log').where({ organization_id: organizationId });
      assert.ok(!rows.some((row: { action: string }) => row.action.startsWith('model_')));
    });

  it('a run that meets a private address or a slow server fails with that sentence, and others are answered meanwhile', async () => {
    const [slow, quick] = [await newOrganization(), await newOrganization()];
    await added(quick.admin, server());
    await added(slow.admin, server());
    const neighbour = await quick.api.createAgent();
    let held = 0;
    const hangs = await serving(() => {
      held += 1;
    });
    const ofSlow = stack().db.knex('model_providers').where({ organization_id: slow.organizationId });
    await ofSlow.clone().update({ base_url: hangs });
    const agent = await slow.api.createAgent();
    const sent = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        slow.api.send(agent.id, { message: 'slow', contact: { id: `c${n}` } }),
      ),
    );
    await until('the slow calls', () => held >= 30);
    await quick.api.ask(neighbour.id, { message: 'quick' });
    const running = await stack()
      .db.knex('runs')
      .where({ organization_id: slow.organizationId, state: 'running' });
    assert.ok(running.length > 0, 'the neighbour was answered only after the slow calls had ended');
    await ofSlow.clone().update({ base_url: 'http://localhost:11434/v1' });
    for (const { conversation_id } of sent)
      await until('the runs to fail', async () =>
        (await slow.api.messages(conversation_id)).every(
          (one) => one.role !== 'user' || one.status === 'failed',
        ),
      );
    const { error } = await slow.api.refused(502, 'POST', `/chat/${agent.id}`, {
      body: { message: 'private', sync: true },
    });
    assert.match(error, /The address localhost:11434 is private/);
  });

  it('is removed with its key once no agent names its models, and the default with it', async () => {
    const { organizationId, api, admin } = await newOrganization();
    const { provider } = await added(admin, server());
    const path = `/model-providers/${String(provider.id)}`;
    const agent = await api.createAgent({ name: 'Named', model: 'shop-models/tested-1' });
    const refused = await admin.call('DELETE', path);
    assert.equal(refused.status, 409);
    assert.match((refused.body as ErrorBody).error, /^Agents use a model of shop-models: Named\./);
    await api.changeAgent(agent.id, { model: null });
    assert.equal((await admin.call('DELETE', path)).status, 204);
    assert.equal((await settingsOf(admin)).default_of, 'none');
    assert.deepEqual(await stack().db.knex('model_providers').where({ organization_id: organizationId }), []);
  });

  it('what is stored under a name is refused a second time, as are names of the installation', async () => {
    const { admin } = await newOrganization();
    await added(admin, server());
    assert.equal((await admin.call('POST', '/model-providers', server())).status, 409);
    for (const name of ['scripted', 'custom', 'local', 'With Space', 'a/b', '-x', ''])
      assert.equal((await admin.call('POST', '/model-providers', server({ name }))).status, 422, name);
    for (const model of ['scripted/default', 'nowhere/x', 'x'])
      assert.equal((await admin.call('PUT', '/default-model', { model })).status, 422, model);
  });

  it('a key is in no answer, no log, no history and no export, and sealed in its row', async () => {
    const { organizationId, api, admin } = await newOrganization();
    const key = `planted-${crypto.randomUUID()}`;
    const { provider } = await added(admin, server({ api_key: key }));
    const agent = await api.createAgent();
    await api.ask(agent.id, { message: 'hello' });
    // A server that repeats the key in its error.
    const tells = await serving((_, response) => response.writeHead(400).end(`{"error":"no: ${key}"}`));
    const failed = await admin.call('PATCH', `/model-providers/${String(provider.id)}`, {
      base_url: tells,
      api_key: key,
    });
    await stack().db.knex('model_providers').where({ id: provider.id }).update({ base_url: tells });
    const run = await api.refused(502, 'POST', `/chat/${agent.id}`, {
      body: { message: 'fails', sync: true },
    });
    const { conversation_id: conversation = '' } = run;
    let seen = JSON.stringify([
      failed.body,
      run,
      await admin.call('GET', '/models'),
      await admin.call('GET', '/audit'),
      await admin.call('GET', `/conversations/${conversation}/timeline`),
      await admin.call('GET', '/export'),
      await admin.call('GET', '/agents-file'),
    ]);
    assert.match(seen, /no: \[key\]/);
    seen += readFileSync(stack().logs.api, 'utf8') + readFileSync(stack().logs.worker, 'utf8');
    const { client } = stack().temporal;
    for await (const { workflowId, runId } of client.workflow.list()) {
      const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
      seen += JSON.stringify(history, (_key, value: unknown) =>
        value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : value,
      );
    }
    assert.match(seen, /worker polls/);
    assert.ok(!seen.includes(key));
    const { rows: tables } = await stack().db.pool.query<{ name: string }>(
      `select quote_ident(relname) as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
    );
    for (const { name } of tables) {
      const { rows } = await stack().db.pool.query(`select 1 from ${name} t where t::text like $1`, [
        `%${key}%`,
      ]);
      assert.equal(rows.length, 0, name);
    }
    const row = await stack()
      .db.knex('model_providers')
      .where({ organization_id: organizationId })
      .first<{ api_key: string }>('api_key');
    assert.match(row.api_key, /^v1:/);
  });
});

describe('An agent without a model and without a script', () => {
  const stack = useStack({
    env: { NODE_ENV: 'production', ENCRYPTION_KEY: randomBytes(32).toString('base64') },
  });

  it('answers no customer with the scripted model’s note: in production its run fails and says what to do', async () => {
    const { api } = stack();
    const agent = await api.createAgent();
    const { error } = await api.refused(502, 'POST', `/chat/${agent.id}`, {
      body: { message: 'hello', sync: true },
    });
    assert.match(error, /no AI model yet\. Add a model under Models/);
    for (const chosen of [{ model: 'scripted/default' }, { script: [{ when: 'x', reply: 'y' }] }]) {
      const { response } = await api.ask((await api.createAgent(chosen)).id, { message: 'hello' });
      assert.equal(response, '[scripted model: no rule matched] hello');
    }
  });
});
