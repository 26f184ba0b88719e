/**
 * The health of an organization in the overview: each planted fault within a minute, and shown to nobody who may not
 * see it.
 */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { allCapabilities, type Capability } from '../../../src/contract/accounts/capabilities.ts';
import { health, type Health, type HealthItem } from '../../../src/contract/data/health.ts';
import type { ApiClient } from '../../support/api-client.ts';
import { signIn, type ConsoleCaller } from '../../support/console-person.ts';
import { connect } from '../../support/docs-stack.ts';
import { startGatewayEmulator, type GatewayEmulator } from '../../support/gateway/start-gateway-emulator.ts';
import { startModelServer, type ModelServer } from '../../support/model-server.ts';
import { useStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';
import { startWorkspaceEmulator, type WorkspaceEmulator } from '../../support/workspace/emulator.ts';

/** The promise of the overview: a fault is visible within a minute. */
const promisedMs = 60_000;

type Kind = HealthItem['kind'];

describe('The health of an organization', () => {
  let model: ModelServer;
  let workspace: WorkspaceEmulator;
  const gateways: GatewayEmulator[] = [];
  const stack = useStack(async () => {
    [model, workspace] = await Promise.all([startModelServer(), startWorkspaceEmulator()]);
    return {
      env: {
        ENCRYPTION_KEY: randomBytes(32).toString('base64'),
        DOCS_API_URL: workspace.url,
        ...{ GATEWAY_ALLOW: '127.0.0.1/32', GATEWAY_WATCH_SECONDS: '5', GATEWAY_TIMEOUT_SECONDS: '5' },
        MODEL_ALLOW: '127.0.0.1',
      },
    };
  });
  after(async () => {
    await Promise.all([model.close(), workspace.stop(), ...gateways.map((one) => one.stop())]);
  });

  interface Here {
    organizationId: string;
    api: ApiClient;
    admin: ConsoleCaller;
    /** The items of this kind, for an administrator. */
    read: (caller?: ConsoleCaller) => Promise<Health>;
    /** Waits for an item of this kind. */
    sees: <K extends Kind>(kind: K) => Promise<Extract<HealthItem, { kind: K }>>;
    clears: (kind: Kind) => Promise<void>;
  }

  /** An organization in which nothing is wrong: its agents answer by a model of its own. */
  async function wellOrganization(): Promise<Here> {
    const { organizationId, api } = await stack().stranger();
    const admin = await signIn({ ...stack(), organizationId });
    const { status } = await admin.call('POST', '/model-providers', {
      ...{
        kind: 'compatible',
        name: 'shop',
        base_url: model.baseUrl,
        api_key: 'key-1',
        models: ['tested-1'],
      },
    });
    assert.equal(status, 201);
    const read = async (caller = admin) => health.parse((await caller.call('GET', '/health')).body);
    const find = async (kind: Kind) => (await read()).items.find((item) => item.kind === kind);
    assert.deepEqual((await read()).items, []);
    return {
      ...{ organizationId, api, admin, read },
      sees: async (kind) =>
        (await until(`the overview to show ${kind}`, () => find(kind), promisedMs)) as never,
      clears: async (kind) => {
        await until(`the overview to drop ${kind}`, async () => (await find(kind)) === undefined, promisedMs);
      },
    };
  }

  /** @param set false: nobody sets the webhook at the gateway */
  async function connectedChannel(
    { api }: Here,
    set = true,
  ): Promise<{ id: string; gateway: GatewayEmulator }> {
    const gateway = await startGatewayEmulator();
    gateways.push(gateway);
    const { id } = await api.createAgent({ name: 'Desk' });
    const body = { base_url: gateway.url, instance_token: gateway.instanceToken };
    assert.equal((await api.call('PUT', `/agents/${id}/channel`, { body })).status, 200);
    if (set) await api.call('POST', `/agents/${id}/channel/webhook`);
    const verified = await api.call('POST', `/agents/${id}/channel/verify`);
    assert.equal((verified.body as { state: string }).state, 'connected');
    return { id, gateway };
  }

  it('reports that no default model is set up while an agent needs one', async () => {
    const here = await wellOrganization();
    const { api, organizationId } = here;
    await api.createAgent();
    await stack().db.knex('organizations').where({ id: organizationId }).update({ default_model: null });
    assert.equal((await here.sees('no_model')).severity, 'problem');
  });

  it('names a provider that refuses its key, until the next answer', async () => {
    const here = await wellOrganization();
    const { id } = await here.api.createAgent();
    const text = `refused ${randomUUID()}`;
    const body = JSON.stringify({ error: { message: 'Incorrect API key provided' } });
    model.answer(text, { kind: 'status', status: 401, body });
    await here.api.refused(502, 'POST', `/chat/${id}`, { body: { message: text, sync: true } });
    const { provider, error, provider_message } = await here.sees('model_failing');
    assert.equal(provider, 'shop');
    assert.match(error, /refused the key \(401\)/);
    assert.match(provider_message ?? '', /Incorrect API key/);
    await here.api.ask(id, { message: 'again' });
    await here.clears('model_failing');
  });

  it('names a provider whose last test failed, as a problem if an agent uses it, until it answers', async () => {
    const here = await wellOrganization();
    const { knex } = stack().db;
    const tested = { organization_id: here.organizationId, name: 'shop' };
    await knex('model_providers')
      .where(tested)
      .update({ tested_at: new Date(), test_error: 'The model provider refused the key (401).' });
    const { provider, error, severity } = await here.sees('model_failing');
    assert.deepEqual(
      [provider, error, severity],
      ['shop', 'The model provider refused the key (401).', 'warning'],
    );
    assert.deepEqual(
      (await here.read(await signIn({ ...stack(), organizationId: here.organizationId }, []))).items,
      [],
    );
    const { id } = await here.api.createAgent();
    await until('the problem', async () => (await here.sees('model_failing')).severity === 'problem');
    // An answer after the test.
    await here.api.ask(id, { message: 'hello' });
    await here.clears('model_failing');
  });

  it('does not report a provider whose failure concerns one message, or that no agent uses now', async () => {
    const here = await wellOrganization();
    const { id } = await here.api.createAgent();
    const [tooLong, noCredit] = [`long ${randomUUID()}`, `credit ${randomUUID()}`];
    const failing = (message: string) => JSON.stringify({ error: { message } });
    model.answer(tooLong, { kind: 'status', status: 400, body: failing('maximum context length is 100') });
    model.answer(noCredit, { kind: 'status', status: 402, body: failing('no credit') });
    const refuse = (message: string) =>
      here.api.refused(502, 'POST', `/chat/${id}`, { body: { message, sync: true } });
    await refuse(tooLong);
    assert.deepEqual((await here.read()).items, []);
    await refuse(noCredit);
    assert.match((await here.sees('model_failing')).error, /quota or credit/);
    await here.admin.call('POST', '/model-providers', {
      ...{
        kind: 'compatible',
        name: 'other',
        base_url: model.baseUrl,
        api_key: 'key-2',
        models: ['tested-1'],
      },
    });
    await here.admin.call('PUT', '/default-model', { model: 'other/tested-1' });
    await here.clears('model_failing');
  });

  it('shows a session that is down, until it is back', async () => {
    const here = await wellOrganization();
    const { id, gateway } = await connectedChannel(here);
    await gateway.deliverInbound({ from: '5511900000001', text: 'hello' });
    gateway.setSession('disconnected', '401: logged out');
    const { agent_id, agent_name, message, last_inbound_at } = await here.sees('channel');
    assert.deepEqual([agent_id, agent_name], [id, 'Desk']);
    assert.match(message ?? '', /session is disconnected/);
    assert.notEqual(last_inbound_at, null);
    gateway.setSession('connected');
    await here.clears('channel');
  });

  it('shows a channel whose webhook is not set', async () => {
    const here = await wellOrganization();
    await connectedChannel(here, false);
    assert.match((await here.sees('channel')).message ?? '', /messages will not arrive/);
  });

  it('shows a workspace that refuses its token', async () => {
    const here = await wellOrganization();
    await connect(here.api, workspace.tokens.main);
    workspace.forgetToken(workspace.tokens.main);
    await here.api.call('POST', '/tools/docs/actions/DOCS_GET_ABOUT_ME', { body: { input: {} } });
    assert.notEqual((await here.sees('connection')).error, null);
    workspace.reset();
  });

  it('shows an MCP server that needs a sign-in: a warning before the first, a problem once agents had its tools', async () => {
    const here = await wellOrganization();
    const { organizationId } = here;
    const { knex } = stack().db;
    const id = randomUUID();
    await knex('mcp_servers').insert({
      ...{
        id,
        organization_id: organizationId,
        name: 'shop',
        url: 'https://shop.example/mcp',
        auth: 'oauth',
      },
      ...{ status: 'needs_sign_in', timeout_seconds: 30, answer_max_chars: 8000 },
    });
    const { severity, server, tools } = await here.sees('mcp_sign_in');
    assert.deepEqual([severity, server, tools], ['warning', 'shop', 0]);
    await knex('mcp_tools').insert({
      ...{ id: randomUUID(), organization_id: organizationId, server_id: id, name: 'mcp_shop_find' },
      ...{ remote_name: 'find', description: '', parameters: '{}', digest: 'd'.repeat(64), effect: 'read' },
    });
    await until(
      'the warning to become a problem',
      async () => (await here.sees('mcp_sign_in')).severity === 'problem',
      promisedMs,
    );
    await knex('mcp_servers').where({ id }).update({ status: 'connected' });
    await here.clears('mcp_sign_in');
  });

  it('warns of a monthly limit at 80 percent, and reports that calls are refused', async () => {
    const here = await wellOrganization();
    const { id } = await here.api.createAgent();
    for (let n = 0; n < 4; n += 1) await here.api.ask(id, { message: `${n}` });
    await here.admin.call('PUT', '/limit', { monthly_message_limit: 5 });
    const near = await here.sees('limit');
    assert.deepEqual([near.of, near.reached, near.used, near.limit], ['messages', false, 4, 5]);
    await here.api.ask(id, { message: '5' });
    await until('the limit to be reached', async () => (await here.sees('limit')).reached, promisedMs);
    // The limits that calls are compared with may be some seconds older than those of the overview.
    await until('calls to be refused', async () => {
      const { status } = await here.api.call('POST', `/chat/${id}`, { body: { message: '6' } });
      return status === 402;
    });
    const member = await signIn({ ...stack(), organizationId: here.organizationId }, []);
    const [seen] = (await here.read(member)).items;
    assert.deepEqual(seen, {
      ...{ kind: 'limit', severity: 'problem', area: 'limits', of: 'messages', reached: true, used: null },
      limit: null,
    });
  });

  it('warns of a hard cap at 80 percent, and reports that it is used up', async () => {
    const here = await wellOrganization();
    const { knex } = stack().db;
    const owned = { organization_id: here.organizationId };
    const today = new Date(new Date().setUTCHours(0, 0, 0, 0));
    await knex('organizations').where({ id: here.organizationId }).update({ credit_caps: '{"day":10}' });
    await knex('credit_windows').insert({
      ...{ ...owned, scope: 'organization', subject: here.organizationId, period: 'day', starts_at: today },
      ...{ ends_at: new Date(today.getTime() + 86_400_000), max_credits: 10, settled: 7.9 },
    });
    // A window of another day does not count.
    await knex('credit_windows').insert({
      ...{ ...owned, scope: 'organization', subject: here.organizationId, period: 'day' },
      ...{ starts_at: new Date(today.getTime() - 86_400_000), ends_at: today, max_credits: 10, settled: 10 },
    });
    await here.clears('cap');
    await knex('credit_windows')
      .where({ ...owned, starts_at: today })
      .update({ settled: 8 });
    const near = await here.sees('cap');
    assert.deepEqual([near.severity, near.period, near.used, near.cap], ['warning', 'day', 8, 10]);
    const member = await signIn({ ...stack(), organizationId: here.organizationId }, []);
    assert.deepEqual((await here.read(member)).items, []);
    await knex('credit_windows')
      .where({ ...owned, starts_at: today })
      .update({ settled: 10 });
    await until('the cap to be reached', async () => (await here.sees('cap')).reached, promisedMs);
    assert.deepEqual(
      (await here.read(member)).items,
      [
        ...[{ kind: 'cap', severity: 'problem', area: 'limits', period: 'day', reached: true, used: null }],
      ].map((item) => ({ ...item, cap: null })),
    );
  });

  it('counts failed callbacks by host until the newest three arrive, and names an address that is blocked', async () => {
    const here = await wellOrganization();
    const { receiver } = stack();
    const { id } = await here.api.createAgent();
    const call = async (webhook_url: string) => {
      const { conversation_id } = await here.api.send(id, { message: 'hello', webhook_url });
      await here.api.settled(conversation_id);
    };
    const path = `/health-${randomUUID()}`;
    await call(receiver.url(path));
    await receiver.waitFor(path, 1);
    receiver.behave(path, { status: 500 });
    await call(receiver.url(path));
    const failing = await until(
      'both outcomes',
      async () => {
        const one = await here.sees('webhook_failing');
        return one.attempts === 2 && one;
      },
      promisedMs,
    );
    const { host, failed, attempts, error } = failing;
    assert.deepEqual([host, failed, attempts, error], [receiver.host, 1, 2, 'the receiver answered 500']);
    await call('http://someone@Localhost:5000/parley');
    await call('http://Localhost:5000/parley');
    const blocked = await until(
      'both refusals',
      async () => {
        const one = await here.sees('webhook_blocked');
        return one.blocked === 2 && one;
      },
      promisedMs,
    );
    assert.deepEqual([blocked.host, blocked.reason], ['localhost:5000', 'internal_name']);
    await receiver.waitFor(path, 2);
    receiver.behave(path, { status: 200 });
    for (let n = 0; n < 3; n += 1) await call(receiver.url(path));
    await here.clears('webhook_failing');
  });

  it('shows customers who wait for a person, but no test of a member', async () => {
    const here = await wellOrganization();
    const { id } = await here.api.createAgent();
    const { conversation_id } = await here.api.ask(id, { message: 'hello' });
    const conversation = stack().db.knex('conversations').where({ id: conversation_id });
    await conversation.clone().update({ waiting_since: new Date(Date.now() - 11 * 60_000), is_test: true });
    assert.deepEqual((await here.read()).items, []);
    await conversation.clone().update({ is_test: false });
    assert.equal((await here.sees('waiting')).conversations, 1);
  });

  it('warns before the storage is full', async () => {
    const here = await wellOrganization();
    const of = { organization_id: here.organizationId };
    const { knex } = stack().db;
    await knex('organizations').where({ id: here.organizationId }).update({ storage_limit_megabytes: 1 });
    await knex('storage_used')
      .insert({ ...of, bytes: 1_000_000 })
      .onConflict('organization_id')
      .merge();
    assert.deepEqual(await here.sees('storage'), {
      ...{ kind: 'storage', severity: 'warning', area: 'storage', used_bytes: 1_000_000 },
      limit_bytes: 1_048_576,
    });
  });

  it('shows a member only what their capabilities allow', async () => {
    const here = await wellOrganization();
    const { api, organizationId } = here;
    const { id } = await api.createAgent();
    const { knex } = stack().db;
    const { conversation_id } = await api.send(id, { message: 'x', webhook_url: 'http://localhost:1/x' });
    await api.settled(conversation_id);
    await knex('conversations')
      .where({ id: conversation_id })
      .update({ waiting_since: new Date(Date.now() - 11 * 60_000) });
    await knex('organizations').where({ id: organizationId }).update({ storage_limit_megabytes: 1 });
    await knex('storage_used')
      .insert({ organization_id: organizationId, bytes: 2_000_000 })
      .onConflict('organization_id')
      .merge();
    const text = `refused ${randomUUID()}`;
    model.answer(text, { kind: 'status', status: 401, body: '{}' });
    await api.refused(502, 'POST', `/chat/${id}`, { body: { message: text, sync: true } });
    await connectedChannel(here, false);
    const neededFor: Partial<Record<Kind, Capability>> = {
      model_failing: 'models.manage',
      channel: 'channels.manage',
      webhook_blocked: 'deliveries.view',
      waiting: 'conversations.view',
      storage: 'data.manage',
    };
    for (const kind of Object.keys(neededFor) as Kind[]) await here.sees(kind);
    const kindsFor = async (capabilities: readonly Capability[]) => {
      const { items } = await here.read(await signIn({ ...stack(), organizationId }, capabilities));
      return items.map(({ kind }) => kind).toSorted();
    };
    assert.deepEqual(await kindsFor([]), []);
    for (const [kind, capability] of Object.entries(neededFor)) {
      assert.deepEqual(await kindsFor([capability]), [kind], capability);
      const others = await kindsFor(allCapabilities.filter((one) => one !== capability));
      assert.ok(!others.includes(kind as Kind), capability);
      assert.equal(others.length, Object.keys(neededFor).length - 1);
    }
    const foreign = await wellOrganization();
    assert.deepEqual((await foreign.read()).items, []);
  });

  it('shows messages that wait for an answer while no worker runs', async () => {
    const here = await wellOrganization();
    const { id } = await here.api.createAgent();
    await stack().worker.kill();
    await here.api.send(id, { message: 'hello?' });
    const { messages, severity } = await here.sees('backlog');
    assert.deepEqual([messages, severity], [1, 'warning']);
    await stack().worker.start();
    await here.clears('backlog');
  });
});
