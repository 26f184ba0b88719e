/** Servers that HTTP tools call: slow, huge, changing, lying about their name, and gone in the middle of a write. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { httpToolResult, type HttpTool } from '../../../src/contract/http-tools/http-tools.ts';
import { ApiClient } from '../../support/api-client.ts';
import { startNameServer, type NameServer } from '../../support/name-server.ts';
import { startStack, type Stack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

const json = { 'content-type': 'application/json' };

describe('Hostile servers of HTTP tools', () => {
  let stack: Stack;
  let names: NameServer;
  const servers: Server[] = [];
  before(async () => {
    names = await startNameServer();
    stack = await startStack({
      workers: 1,
      env: {
        ...{ ENCRYPTION_KEY: randomBytes(32).toString('base64') },
        ...{ TOOL_ALLOW: '127.0.0.0/8', DNS_SERVERS: names.host },
      },
    });
  });
  after(async () => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
    await stack.stop();
    await names.close();
  });

  /** A server that answers by the listener. @returns its origin, and the number of its requests */
  async function serving(
    listener: RequestListener,
  ): Promise<{ origin: string; port: number; count: () => number }> {
    let requests = 0;
    const server = createServer((request, response) => {
      requests += 1;
      listener(request, response);
    });
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return { origin: `http://127.0.0.1:${port}`, port, count: () => requests };
  }
  let made = 0;
  /** Time limit of a tool whose server does not end its answer. Others have the usual one, which no stall reaches. */
  const soon = { timeout_seconds: 2 };
  async function create(api: ApiClient, url: string, more: object = {}): Promise<HttpTool> {
    made += 1;
    const body = {
      name: `tool_${made}`,
      description: 'Of a test.',
      method: 'GET',
      effect: 'read',
      url,
      ...more,
    };
    const answer = await api.call('POST', '/tools/http', { body });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body as HttpTool;
  }
  async function run(api: ApiClient, { id }: HttpTool, input: object = {}) {
    const answer = await api.call('POST', `/tools/http/${id}/run`, { body: { input } });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return httpToolResult.strict().parse(answer.body);
  }
  const write = { method: 'POST', effect: 'write' };
  const ends = async (api: ApiClient, tool: HttpTool, outcome: string, text: RegExp) => {
    const result = await run(api, tool);
    assert.equal(result.outcome, outcome, result.text);
    assert.match(result.text, text);
  };

  it('one that never answers: a read is tried three times, a write once, with an unknown outcome', async () => {
    const { api } = await stack.stranger();
    const reading = await serving(() => undefined);
    await ends(api, await create(api, reading.origin, soon), 'failed', /no answer came in time/);
    assert.equal(reading.count(), 3);
    const writing = await serving(() => undefined);
    const tool = await create(api, writing.origin, { ...write, ...soon });
    await ends(
      api,
      tool,
      'unknown',
      /^UNKNOWN_OUTCOME: .*no answer came in time\. It may have been carried out/,
    );
    assert.equal(writing.count(), 1);
    const { rows } = await stack.db.pool.query('select status from tool_executions where http_tool_id = $1', [
      tool.id,
    ]);
    assert.deepEqual(rows, [{ status: 'unknown' }]);
  });

  it('one that resets the connection during a write: unknown; one that refuses connections: not sent', async () => {
    const { api } = await stack.stranger();
    const { origin, count } = await serving((request) => {
      request.socket.resetAndDestroy();
    });
    await ends(api, await create(api, origin, write), 'unknown', /the connection was lost/);
    assert.equal(count(), 1);
    const gone = await create(api, 'http://127.0.0.1:9/', write);
    await ends(api, gone, 'failed', /^The request was not sent: the connection was refused\.$/);
  });

  it('one that is busy: a read is repeated until it answers, a write never, and the model reads that the outcome is unknown', async () => {
    const { api } = await stack.stranger();
    let busy = 1;
    const passing = await serving((_, response) => {
      busy -= 1;
      response.writeHead(busy >= 0 ? 503 : 200, json).end('{"a":1}');
    });
    await ends(api, await create(api, passing.origin), 'succeeded', /^\{"a":1\}$/);
    assert.equal(passing.count(), 2);
    const stuck = await serving((_, response) => {
      response.writeHead(504, json).end('{"error":"upstream"}');
    });
    await ends(
      api,
      await create(api, stuck.origin, write),
      'failed',
      /504\. The request may have been carried out/,
    );
    assert.equal(stuck.count(), 1);
  });

  it('one that sends without end, or byte by byte: the call ends in its time, and Parley reads a bounded part', async () => {
    const { api } = await stack.stranger();
    const flood = await serving((_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      const piece = 'x'.repeat(65_536);
      const more = () => {
        while (response.write(piece));
      };
      response.on('drain', more);
      more();
    });
    const whole = await run(api, await create(api, flood.origin, { answer_max_chars: 200 }));
    assert.equal(whole.outcome, 'succeeded');
    assert.ok(whole.text.length < 300 && whole.text.includes('Cut off'), String(whole.text.length));
    const chosen = await create(api, flood.origin, { answer_fields: ['/a'] });
    await ends(api, chosen, 'failed', /too large to be read/);
    const drip = await serving((_, response) => {
      response.writeHead(200, json);
      const timer = setInterval(() => response.write(' '), 50);
      response.on('close', () => {
        clearInterval(timer);
      });
    });
    const startedAt = Date.now();
    await ends(api, await create(api, drip.origin, soon), 'failed', /broke off/);
    assert.ok(Date.now() - startedAt < 30_000);
    // The write was accepted: its status came.
    await ends(
      api,
      await create(api, drip.origin, { ...write, ...soon }),
      'succeeded',
      /accepted the request \(200\), but .*broke off/,
    );
  });

  it('one whose answer changes its type: text, compressed, binary, nested, or empty', async () => {
    const { api } = await stack.stranger();
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const answers: Record<string, [Record<string, string>, string | Buffer]> = {
      '/html': [{ 'content-type': 'text/html' }, '<h1>Sign in</h1>'],
      '/lie': [json, '<h1>Sign in</h1>'],
      '/gzip': [{ ...json, 'content-encoding': 'gzip' }, gzipSync('{"a":1}')],
      '/png': [{ 'content-type': 'image/png' }, Buffer.from([137, 80, 0, 1])],
      '/deep': [json, deep],
      '/empty': [json, ''],
    };
    const { origin } = await serving((request, response) => {
      const [headers, body] = answers[request.url ?? ''] ?? [{}, ''];
      response.writeHead(200, headers).end(body);
    });
    const fields = { answer_fields: ['/a'] };
    const of = (path: string, more: object = {}) => create(api, `${origin}${path}`, more);
    await ends(
      api,
      await of('/html', fields),
      'failed',
      /answered 200, but its answer is not JSON but text\/html/,
    );
    await ends(
      api,
      await of('/html', { ...fields, ...write }),
      'succeeded',
      /accepted the request .* not JSON/,
    );
    await ends(api, await of('/lie', fields), 'failed', /not JSON/);
    await ends(api, await of('/html'), 'succeeded', /^<h1>Sign in<\/h1>$/);
    await ends(api, await of('/gzip'), 'failed', /compressed/);
    await ends(api, await of('/png'), 'failed', /no text but image\/png/);
    await ends(api, await of('/deep'), 'succeeded', /^\[+\n\[Cut off/);
    await ends(api, await of('/deep', fields), 'succeeded', /^\{"\/a":null\}$/);
    await ends(api, await of('/empty'), 'succeeded', /without content/);
  });

  it('one whose name leads to a private address, alone or beside a public one, is not called', async () => {
    const { api } = await stack.stranger();
    names.behave('inside.example.com', { addresses: ['10.0.0.1'] });
    names.behave('mixed.example.com', { addresses: ['93.184.216.34', '169.254.169.254'] });
    await ends(api, await create(api, 'http://inside.example.com/'), 'failed', /is a private address/);
    await ends(api, await create(api, 'http://mixed.example.com/'), 'failed', /is a private address/);
  });

  it('one whose name moves to a private address is not called again', async () => {
    const { api } = await stack.stranger();
    const shop = await serving((_, response) => {
      response.writeHead(200, json).end('{"here":true}');
    });
    names.behave('shop.example.com', { addresses: ['127.0.0.1'], ttl: 0 });
    const tool = await create(api, `http://shop.example.com:${shop.port}/`);
    await ends(api, tool, 'succeeded', /here/);
    for (const addresses of [['10.0.0.1'], ['169.254.169.254'], ['127.0.0.1', '192.168.1.1']]) {
      names.behave('shop.example.com', { addresses, ttl: 0 });
      await ends(api, tool, 'failed', /is a private address/);
    }
    names.behave('shop.example.com', { rcode: 3 });
    await ends(api, tool, 'failed', /the host name does not exist/);
    assert.equal(shop.count(), 1);
  });

  it('kill -9 during a write: it arrives once, the outcome is unknown, and the agent reads this and answers', async () => {
    const { api } = stack;
    const bank = await serving(() => undefined);
    const tool = await create(api, bank.origin, { ...write, effect: 'destructive', timeout_seconds: 5 });
    const script = [
      { on: 'tool_result', when: '(.*)', reply: 'read: $1' },
      { when: 'pay', tool: { action: tool.name, input: {} } },
    ];
    const agent = await api.createAgent({ tools: [tool.name], script });
    const { conversation_id } = await api.send(agent.id, { message: 'pay it back' });
    await until('the request to arrive', () => bank.count() === 1);
    await stack.worker.kill();
    await stack.worker.start();
    const [, answer] = await until('the answer', async () => {
      const messages = await api.messages(conversation_id);
      return messages.length > 1 ? messages : undefined;
    });
    assert.match(answer?.text ?? '', /read: Error: UNKNOWN_OUTCOME: .*may have been carried out/);
    assert.equal(bank.count(), 1);
    const { rows } = await stack.db.pool.query(
      `select e.status, c.status as call from tool_executions e, tool_calls c join runs r on r.id = c.run_id
         where e.http_tool_id = $1 and r.conversation_id = $2`,
      [tool.id, conversation_id],
    );
    assert.deepEqual(rows, [{ status: 'unknown', call: 'unknown' }]);
  });

  it('kill -9 during a read: it is repeated, and the agent answers with what it read', async () => {
    const { api } = stack;
    let isFirst = true;
    const shop = await serving((_, response) => {
      if (!isFirst) response.writeHead(200, json).end('{"stock":4}');
      isFirst = false;
    });
    const tool = await create(api, shop.origin, { timeout_seconds: 60 });
    const script = [
      { on: 'tool_result', when: '(.*)', reply: 'read: $1' },
      { when: 'stock', tool: { action: tool.name, input: {} } },
    ];
    const agent = await api.createAgent({ tools: [tool.name], script });
    const { conversation_id } = await api.send(agent.id, { message: 'stock?' });
    await until('the request to arrive', () => shop.count() === 1);
    await stack.worker.kill();
    await stack.worker.start();
    const [, answer] = await until('the answer', async () => {
      const messages = await api.messages(conversation_id);
      return messages.length > 1 ? messages : undefined;
    });
    assert.equal(answer?.text, 'read: {"stock":4}');
    assert.equal(shop.count(), 2);
  });
});
