/** HTTP tools: who may call them, what is sent, what a model reads, and what a hostile server can do. */
import assert from 'node:assert/strict';
import { createServer, type RequestListener, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { httpTool, httpToolResult, type HttpTool } from '../../../src/contract/http-tools/http-tools.ts';
import type { HttpToolRow } from '../../../src/adapters/postgres/http-tools/http-tools.ts';
import { createToken } from '../../../src/adapters/postgres/accounts/tokens.ts';
import { ApiClient } from '../../support/api-client.ts';
import { startReceiver, type Receiver } from '../../support/receiver.ts';
import { useSharedStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

const secret = 'Bearer sk-shop-0123456789abcdef';

describe('HTTP tools', () => {
  let shop: Receiver;
  const servers: Server[] = [];
  const stack = useSharedStack();
  before(async () => {
    shop = await startReceiver();
  });
  after(async () => {
    await shop.close();
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });

  const orders = (more: object = {}) => ({
    name: 'find_order',
    description: 'Finds an order by its number.',
    method: 'GET',
    url: shop.url('/orders/{order_id}?lang={lang}'),
    parameters: {
      type: 'object',
      properties: { order_id: { type: 'string' }, lang: { type: 'string' }, limit: { type: 'integer' } },
      required: ['order_id'],
    },
    headers: [{ name: 'Authorization', value: secret }],
    effect: 'read',
    ...more,
  });
  async function create(api: ApiClient, body: object): Promise<HttpTool> {
    const answer = await api.call('POST', '/tools/http', { body });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    assert.ok(!JSON.stringify(answer.body).includes('sk-shop'), 'no value of a header is returned');
    return httpTool.strict().parse(answer.body);
  }
  async function run(api: ApiClient, { id }: Pick<HttpTool, 'id'>, input: object) {
    const answer = await api.call('POST', `/tools/http/${id}/run`, { body: { input } });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return httpToolResult.strict().parse(answer.body);
  }
  /** A server that answers by the listener. @returns its origin */
  async function serving(listener: RequestListener): Promise<string> {
    const server = createServer(listener);
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  const json = { 'content-type': 'application/json' };
  const codeOf = ({ status, body }: { status: number; body: unknown }) => [
    status,
    (body as { code?: string }).code,
  ];

  it('an agent that names one calls it with its header, and the model reads the answer', async () => {
    const { api, organizationId } = await stack().stranger();
    const path = '/orders/A%207?lang=pt';
    shop.behave(path, { headers: json, body: '{ "status": "shipped", "cost": 9 }' });
    await create(api, orders({ answer_fields: ['/status', '/missing'] }));
    const script = [
      { on: 'tool_result', when: '(.*)', reply: 'read: $1' },
      { when: 'order', tool: { action: 'find_order', input: { order_id: 'A 7', lang: 'pt' } } },
    ];
    const agent = await api.createAgent({ tools: ['find_order'], script });
    const { response } = await api.ask(agent.id, { message: 'where is my order?' });
    assert.equal(response, 'read: {"/status":"shipped","/missing":null}');
    const [request] = shop.requestsTo(path);
    assert.deepEqual(new Map(request?.rawHeaders).get('authorization'), secret);
    assert.equal(request?.body, '');
    const { rows } = await stack().db.pool.query<{ target: string; actor: string }>(
      "select target, actor from audit_log where organization_id = $1 and action = 'tool_action_run'",
      [organizationId],
    );
    assert.equal(rows.length, 1);
    assert.match(rows[0]?.target ?? '', /^find_order \(read\) succeeded, conversation /);
  });

  it('an agent that does not name it is not offered it, and its call is refused', async () => {
    const { api } = await stack().stranger();
    const path = '/orders/never';
    await create(api, orders());
    const script = [
      { on: 'tool_result', when: '(.*)', reply: 'read: $1' },
      { when: 'order', tool: { action: 'find_order', input: { order_id: 'never' } } },
    ];
    const agent = await api.createAgent({ script });
    const { response } = await api.ask(agent.id, { message: 'order' });
    assert.match(response, /is not among this agent's tools/);
    assert.deepEqual(shop.requestsTo(path), []);
  });

  it('belongs to its organization: another cannot see, change, run, delete or name it', async () => {
    const { api } = await stack().stranger();
    const { api: other } = await stack().stranger();
    const tool = await create(api, orders({ name: 'private_tool' }));
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PATCH', '', { timeout_seconds: 3 }],
      ['DELETE', '', undefined],
      ['POST', '/run', { input: { order_id: 'foreign' } }],
    ] as const) {
      const answer = await other.call(method, `/tools/http/${tool.id}${path}`, { body });
      assert.deepEqual(codeOf(answer), [404, 'not_found'], method);
    }
    assert.deepEqual((await other.call('GET', '/tools/http')).body, { data: [], next_cursor: null });
    const named = await other.call('POST', '/agents', { body: { name: 'Thief', tools: ['private_tool'] } });
    assert.deepEqual(codeOf(named), [422, 'validation_failed']);
    assert.deepEqual(shop.requestsTo('/orders/foreign'), []);
    // The same name in the other organization is another tool.
    await create(other, orders({ name: 'private_tool' }));
  });

  it('a token needs tools.manage to make one, tools.run to call it, and tools.view to read it', async () => {
    const { api, organizationId } = await stack().stranger();
    const tool = await create(api, orders());
    const { token } = await createToken(stack().db, {
      ...{ organizationId, name: 'reader', scopes: ['tools.view'] },
    });
    const reader = new ApiClient(stack().apiUrl, token);
    assert.equal((await reader.call('GET', `/tools/http/${tool.id}`)).status, 200);
    const made = await reader.call('POST', '/tools/http', { body: orders({ name: 'other' }) });
    assert.deepEqual(codeOf(made), [403, 'forbidden']);
    const called = await reader.call('POST', `/tools/http/${tool.id}/run`, { body: { input: {} } });
    assert.deepEqual(codeOf(called), [403, 'forbidden']);
  });

  it('arguments are checked by the schema and cannot leave their place in the URL', async () => {
    const { api } = await stack().stranger();
    const tool = await create(api, orders());
    const refused = async (input: object, why: RegExp) => {
      const { outcome, text } = await run(api, tool, input);
      assert.equal(outcome, 'failed');
      assert.match(text, why);
    };
    await refused({}, /^INVALID_INPUT: order_id/);
    await refused({ order_id: 7 }, /^INVALID_INPUT: order_id/);
    await refused({ order_id: 'x', admin: true }, /^INVALID_INPUT: .*admin/);
    await refused({ order_id: '../users' }, /must not contain a slash/);
    await refused({ order_id: '..' }, /must not make \. or \.\./);
    await refused({ order_id: '..?a#@evil.example\r\n' }, /control character/);
    const text = '..?a#@evil.example';
    await run(api, tool, { order_id: text, lang: 'x&admin=1', limit: 5 });
    const path = '/orders/..%3Fa%23%40evil.example?lang=x%26admin%3D1&limit=5';
    assert.equal(shop.requestsTo(path).length, 1);
  });

  it('a write sends what the URL does not name as JSON, and a name and a schema are checked when it is made', async () => {
    const { api } = await stack().stranger();
    const parameters = {
      type: 'object',
      properties: { id: { type: 'integer' }, note: { type: 'string', maxLength: 20 } },
      required: ['id', 'note'],
    };
    const refund = orders({
      ...{ name: 'refund', method: 'POST', effect: 'destructive', parameters },
      url: shop.url('/refunds/{id}'),
    });
    shop.behave('/refunds/3', { status: 201, headers: json, body: '{"done":true}' });
    const tool = await create(api, refund);
    assert.deepEqual(await run(api, tool, { id: 3, note: 'broken' }), {
      outcome: 'succeeded',
      text: '{"done":true}',
    });
    assert.deepEqual(
      shop.requestsTo('/refunds/3').map(({ method, body }) => [method, body]),
      [['POST', '{"note":"broken"}']],
    );
    for (const [change, path] of [
      [{ name: 'DOCS_MINE' }, 'name'],
      [{ url: 'https://{host}.example/x' }, 'url'],
      [{ url: 'https://user:pw@shop.example/{id}' }, 'url'],
      [{ url: 'https://shop.example/{unknown}' }, 'url'],
      [{ parameters: { ...parameters, required: ['note'] } }, 'parameters'],
      [{ parameters: { ...parameters, $ref: 'https://evil.example/s.json' } }, 'parameters.$ref'],
      [
        { parameters: { type: 'object', properties: { id: { type: 'string', pattern: '^(a+)+$' } } } },
        'parameters.properties.id.pattern',
      ],
      [{ headers: [{ name: 'Host', value: 'x.example' }] }, 'headers.0.name'],
      [{ headers: [{ name: 'X-Key', value: 'a\r\nX-Admin: 1' }] }, 'headers.0.value'],
      [{ answer_fields: ['status'] }, 'answer_fields.0'],
      [{ method: 'DELETE', effect: 'read' }, 'effect'],
    ] as const) {
      const answer = await api.call('POST', '/tools/http', { body: { ...refund, name: 'other', ...change } });
      assert.deepEqual(codeOf(answer), [422, 'validation_failed'], path);
      const { details } = answer.body as { details: { path: string }[] };
      assert.ok(
        details.some((one) => one.path === path),
        `${path}: ${JSON.stringify(details)}`,
      );
    }
    assert.deepEqual(codeOf(await api.call('POST', '/tools/http', { body: refund })), [409, 'conflict']);
  });

  it('headers stay encrypted: a new host needs them again, a server that echoes them is redacted, no row shows them', async () => {
    const { api, organizationId } = await stack().stranger();
    const origin = await serving((request, response) => {
      response.writeHead(200, json).end(JSON.stringify(request.headers));
    });
    const tool = await create(api, orders({ url: `${origin}/orders/{order_id}` }));
    const { text } = await run(api, tool, { order_id: '1' });
    assert.match(text, /"authorization":"\[secret\]"/);
    assert.ok(!text.includes('sk-shop'));
    const elsewhere = { url: 'https://evil.example/{order_id}' };
    const moved = await api.call('PATCH', `/tools/http/${tool.id}`, { body: elsewhere });
    assert.deepEqual(codeOf(moved), [422, 'validation_failed']);
    const kept = await api.call('PATCH', `/tools/http/${tool.id}`, {
      body: { headers: [{ name: 'authorization' }, { name: 'X-Shop', value: 'two' }] },
    });
    assert.equal(kept.status, 200, JSON.stringify(kept.body));
    assert.match(
      (await run(api, tool, { order_id: '1' })).text,
      /"x-shop":"two","authorization":"\[secret\]"|"authorization":"\[secret\]".*"x-shop":"two"/,
    );
    const { rows } = await stack().db.pool.query<{ all: string }>(
      `select string_agg(t::text, '') || (select coalesce(string_agg(a::text, ''), '') from audit_log a where organization_id = $1)
         || (select coalesce(string_agg(e::text, ''), '') from tool_executions e where organization_id = $1) as all
         from http_tools t where organization_id = $1`,
      [organizationId],
    );
    assert.ok(!rows[0]?.all.includes('sk-shop'));
  });

  it('a change that meets a change of its host keeps the new host with the new headers', async () => {
    const { api, db } = stack();
    const tool = await create(api, orders({ name: 'raced' }));
    const trx = await db.knex.transaction();
    await trx('http_tools').where({ id: tool.id }).forUpdate().first();
    const described = api.call('PATCH', `/tools/http/${tool.id}`, { body: { description: 'Another one.' } });
    await until('the change to wait for the other', async () => {
      const waiting = await db.knex('pg_stat_activity').where({ wait_event_type: 'Lock' });
      return waiting.length > 0;
    });
    await trx('http_tools')
      .where({ id: tool.id })
      .update({ url: shop.url('/elsewhere/{order_id}'), headers: null, header_names: [] });
    await trx.commit();
    assert.equal((await described).status, 200);
    const after = await db.knex<HttpToolRow>('http_tools').where({ id: tool.id }).first();
    assert.equal(after?.description, 'Another one.');
    assert.equal(after.url, shop.url('/elsewhere/{order_id}'));
    assert.equal(after.headers, null);
  });

  it('never reaches a private address that the operator did not allow, nor follows a redirect to one', async () => {
    const { api } = await stack().stranger();
    const near = await create(api, orders({ name: 'near', url: 'http://169.254.169.254/latest/{order_id}' }));
    assert.match(
      (await run(api, near, { order_id: 'x' })).text,
      /169\.254\.169\.254 is a private address.*TOOL_ALLOW/,
    );
    const named = await create(api, orders({ name: 'named', url: 'http://localhost/{order_id}' }));
    assert.match((await run(api, named, { order_id: 'x' })).text, /localhost is a private address/);
    let inside = 0;
    const private_ = await serving((_, response) => {
      inside += 1;
      response.end('secret of the network');
    });
    const origin = await serving((_, response) => {
      response.writeHead(302, { location: private_ }).end('moved');
    });
    const redirects = await create(api, orders({ name: 'moves', url: `${origin}/{order_id}` }));
    const { outcome, text } = await run(api, redirects, { order_id: 'x' });
    assert.equal(outcome, 'failed');
    assert.equal(text, 'The server answered 302, a redirect, which Parley does not follow.');
    assert.equal(inside, 0);
  });
});
