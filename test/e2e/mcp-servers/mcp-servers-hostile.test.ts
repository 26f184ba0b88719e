/** MCP servers that are slow, huge, endless or lie, and workers that die in the middle of a call. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { httpToolResult } from '../../../src/contract/http-tools/http-tools.ts';
import { mcpOffer, type McpServer } from '../../../src/contract/mcp-servers/mcp-servers.ts';
import type { ApiClient } from '../../support/api-client.ts';
import { startMcpToolServer, type McpToolServer } from '../../support/mcp-tool-server.ts';
import { startNameServer, type NameServer } from '../../support/name-server.ts';
import { startStack, type Stack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

describe('Hostile MCP servers', () => {
  let stack: Stack;
  let names: NameServer;
  let shop: McpToolServer;
  const others: Server[] = [];
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
    for (const server of others) {
      server.closeAllConnections();
      server.close();
    }
    await stack.stop();
    await names.close();
  });
  beforeEach(async () => {
    shop = await startMcpToolServer();
  });
  afterEach(async () => {
    await shop.close();
  });

  /** Time limit of a server that does not end its answer. Others have the usual one, which no stall reaches. */
  const soon = { timeout_seconds: 2 };
  const add = async (api: ApiClient, more: object = {}): Promise<McpServer> => {
    const body = { name: 'shop', url: shop.url, auth: 'none', ...more };
    const answer = await api.call('POST', '/tools/mcp', { body });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body as McpServer;
  };
  const read = async (api: ApiClient, { id }: McpServer) => await api.call('POST', `/tools/mcp/${id}/read`);
  const choose = async (api: ApiClient, server: McpServer, effect: string) => {
    const { tools } = mcpOffer.parse((await read(api, server)).body);
    const refund = tools.find(({ remote_name }) => remote_name === 'refund');
    const body = { tools: [{ remote_name: 'refund', digest: refund?.definition?.digest, effect }] };
    assert.equal((await api.call('PUT', `/tools/mcp/${server.id}/tools`, { body })).status, 200);
    return server;
  };
  const run = async (api: ApiClient, { id }: McpServer) => {
    const body = { name: 'mcp_shop_refund', input: { id: '1' } };
    const answer = await api.call('POST', `/tools/mcp/${id}/run`, { body });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return httpToolResult.parse(answer.body);
  };
  const refused = async (api: ApiClient, server: McpServer, why: RegExp) => {
    const { status, body } = await read(api, server);
    assert.equal(status, 502, JSON.stringify(body));
    assert.match((body as { error: string }).error, why);
  };
  /** A server whose listener gets the body of each request. @returns its address */
  async function serving(listener: (body: string, ...http: Parameters<RequestListener>) => void) {
    const server = createServer((request, response) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => {
        listener(Buffer.concat(pieces).toString(), request, response);
      });
    });
    others.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  }
  const initialized = {
    ...{ protocolVersion: '2025-06-18', capabilities: { tools: {} } },
    serverInfo: { name: 'bad', version: '1' },
  };
  /** Answers what every session begins with, and leaves the rest to the listener. */
  const handshaken = (
    listener: (id: number, method: string, response: ServerResponse, params: unknown) => void,
  ) =>
    serving((text, request, response) => {
      const { id, method, params } = (text === '' ? {} : JSON.parse(text)) as {
        id?: number;
        method?: string;
        params?: unknown;
      };
      if (method === 'initialize') json(response, { jsonrpc: '2.0', id, result: initialized });
      else if (request.method !== 'POST' || id === undefined || method === undefined)
        response.writeHead(202).end();
      else listener(id, method, response, params);
    });
  const json = (response: ServerResponse, body: unknown) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));

  it('one that never answers: a list ends in its time, a read is tried three times, a write once, unknown', async () => {
    const { api } = await stack.stranger();
    await refused(
      api,
      await add(api, { name: 'mute', url: await serving(() => undefined), ...soon }),
      /no answer came in time/,
    );
    const server = await choose(api, await add(api, soon), 'write');
    shop.tools[1]!.run = () => new Promise(() => undefined);
    const result = await run(api, server);
    assert.equal(result.outcome, 'unknown', result.text);
    assert.match(result.text, /^UNKNOWN_OUTCOME: .*no answer came in time\. It may have been carried out/);
    assert.equal(shop.calls.length, 1);
    await choose(api, server, 'read');
    assert.deepEqual((await run(api, server)).outcome, 'failed');
    assert.equal(shop.calls.length, 4);
  });

  it('one that breaks the connection in a write: unknown; one that is gone: not sent', async () => {
    const { api } = await stack.stranger();
    const server = await choose(api, await add(api), 'write');
    shop.tools[1]!.run = () => {
      sockets.at(-1)?.destroy();
      return new Promise(() => undefined);
    };
    const sockets: Socket[] = [];
    shop.before = (request) => {
      sockets.push(request.socket);
      return false;
    };
    const result = await run(api, server);
    assert.equal(result.outcome, 'unknown', result.text);
    assert.equal(shop.calls.length, 1);
    await shop.close();
    const gone = await run(api, server);
    assert.equal(gone.outcome, 'failed');
    assert.match(gone.text, /^The call was not sent: the connection was refused\.$/);
  });

  it('one that refuses the header, redirects, compresses or answers an error: failed, and no request goes elsewhere', async () => {
    const { api } = await stack.stranger();
    let inside = 0;
    const private_ = await serving((_, __, response) => {
      inside += 1;
      response.end('secret of the network');
    });
    const moved = await serving((_, __, response) => {
      response.writeHead(307, { location: private_ }).end();
    });
    await refused(
      api,
      await add(api, { name: 'moved', url: moved }),
      /a redirect, which Parley does not follow/,
    );
    const near = await serving((_, request, response) => {
      response.writeHead(307, { location: `http://${request.headers.host}/elsewhere` }).end();
    });
    await refused(api, await add(api, { name: 'near', url: near }), /a redirect/);
    assert.equal(inside, 0);
    const gzip = await serving((_, __, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end('x');
    });
    await refused(api, await add(api, { name: 'gzip', url: gzip }), /compressed/);
    const key = await serving((_, __, response) => response.writeHead(401).end('no'));
    const { status, body } = await read(api, await add(api, { name: 'locked', url: key }));
    assert.deepEqual([status, (body as { code: string }).code], [422, 'invalid_credentials']);
    for (const url of ['http://169.254.169.254/mcp', 'http://10.0.0.1/mcp']) {
      const name = url.includes('169') ? 'meta' : 'inner';
      await refused(
        api,
        await add(api, { name, url }),
        /is a private address\. If this server may be called/,
      );
    }
    names.behave('inside.example.com', { addresses: ['10.0.0.1'] });
    await refused(
      ...([api, await add(api, { name: 'named', url: 'http://inside.example.com/mcp' })] as const),
      /is a private address/,
    );
    const server = await choose(api, await add(api), 'write');
    shop.tools[1]!.run = () => {
      throw new Error('the bank is closed');
    };
    const failed = await run(api, server);
    assert.equal(failed.outcome, 'failed');
    assert.match(failed.text, /error -32603: the bank is closed\. The request may have been carried out/);
  });

  it('one without an end: pages, tools, bytes, messages, requests and nesting are bounded', async () => {
    const { api } = await stack.stranger();
    const tool = (n: number) => ({ name: `tool${n}`, inputSchema: { type: 'object' } });
    let pages = 0;
    const endless = await handshaken((id, _, response) => {
      pages += 1;
      json(response, { jsonrpc: '2.0', id, result: { tools: [tool(pages)], nextCursor: String(pages) } });
    });
    await refused(api, await add(api, { name: 'endless', url: endless }), /too many pages/);
    assert.equal(pages, 10);
    const many = await handshaken((id, _, response) => {
      json(response, {
        jsonrpc: '2.0',
        id,
        result: { tools: Array.from({ length: 5000 }, (_, n) => tool(n)) },
      });
    });
    const offer = mcpOffer.parse((await read(api, await add(api, { name: 'many', url: many }))).body);
    assert.equal(offer.tools.length, 200);
    const huge = await handshaken((id, _, response) => {
      json(response, {
        jsonrpc: '2.0',
        id,
        result: { tools: [{ name: 'a', description: 'x'.repeat(2e6) }] },
      });
    });
    await refused(api, await add(api, { name: 'huge', url: huge }), /broke off|is not one of/);
    const deep = await handshaken((id, _, response) => {
      const schema = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(
          `{"jsonrpc":"2.0","id":${id},"result":{"tools":[{"name":"a","inputSchema":{"type":"object","properties":{"a":${schema}}}}]}}`,
        );
    });
    const nested = await read(api, await add(api, { name: 'deep', url: deep }));
    assert.ok(nested.status === 502 || mcpOffer.parse(nested.body).tools[0]?.problem !== null);
    const events = (response: ServerResponse) =>
      response.writeHead(200, { 'content-type': 'text/event-stream' });
    const chatty = await handshaken((_, __, response) => {
      events(response);
      const message = `data: {"jsonrpc":"2.0","method":"notifications/message","params":{}}\n\n`;
      response.write(message.repeat(1000));
    });
    await refused(api, await add(api, { name: 'chatty', url: chatty }), /too many messages/);
    let answers = 0;
    const curious = await serving((text, _, response) => {
      const { id, method } = JSON.parse(text || '{}') as { id?: number; method?: string };
      if (method === 'initialize') return void json(response, { jsonrpc: '2.0', id, result: initialized });
      if (method === undefined) answers += 1;
      if (method !== 'tools/list') return void response.writeHead(202).end();
      events(response);
      for (let n = 0; n < 400; n += 1)
        response.write(
          `data: {"jsonrpc":"2.0","id":"q${n}","method":"sampling/createMessage","params":{}}\n\n`,
        );
    });
    await refused(api, await add(api, { name: 'curious', url: curious }), /too many requests/);
    assert.ok(answers <= 40, String(answers));
    const drip = await handshaken((_, __, response) => {
      events(response);
      const timer = setInterval(() => response.write(': still here\n\n'), 50);
      response.on('close', () => {
        clearInterval(timer);
      });
    });
    await refused(api, await add(api, { name: 'drip', url: drip, ...soon }), /in time|broke off/);
    const lies = await handshaken((id, _, response) =>
      json(response, { jsonrpc: '2.0', id, result: { tools: 7 } }),
    );
    await refused(api, await add(api, { name: 'lies', url: lies }), /is not one of/);
  });

  it('one organization’s hanging server holds two lists, and no other organization waits', async () => {
    const { api } = await stack.stranger();
    const { api: neighbour } = await stack.stranger();
    const url = await serving(() => undefined);
    const stuck = await add(api, { name: 'stuck', url, timeout_seconds: 20 });
    const hanging = [read(api, stuck), read(api, stuck), read(api, stuck)];
    const first = await Promise.race(hanging);
    assert.equal(first.status, 503);
    const own = await add(neighbour);
    let ended = 0;
    const over = hanging.map((one) =>
      one.finally(() => {
        ended += 1;
      }),
    );
    assert.equal((await read(neighbour, own)).status, 200);
    assert.equal(ended, 1, 'the refused one; the neighbour waited for none of the others');
    await Promise.all(over);
  });

  for (const effect of ['destructive', 'read'] as const)
    it(`kill -9 during a ${effect} call: ${effect === 'read' ? 'it is repeated' : 'it arrives once, and its outcome is unknown'}`, async () => {
      const { api } = await stack.stranger();
      const server = await choose(api, await add(api, { timeout_seconds: 5 }), effect);
      let isFirst = true;
      shop.tools[1]!.run = () => {
        if (!isFirst) return { content: [{ type: 'text', text: 'four left' }] };
        isFirst = false;
        return new Promise(() => undefined);
      };
      const script = [
        { on: 'tool_result', when: '(.*)', reply: 'read: $1' },
        { when: 'pay', tool: { action: 'mcp_shop_refund', input: { id: '1' } } },
      ];
      const agent = await api.createAgent({ tools: ['mcp_shop_refund'], script });
      const { conversation_id } = await api.send(agent.id, { message: 'pay it back' });
      await until('the call to arrive', () => shop.calls.length === 1);
      await stack.worker.kill();
      await stack.worker.start();
      const [, answer] = await until('the answer', async () => {
        const messages = await api.messages(conversation_id);
        return messages.length > 1 ? messages : undefined;
      });
      const { rows } = await stack.db.pool.query<{ status: string }>(
        'select status from tool_executions where conversation_id = $1',
        [conversation_id],
      );
      if (effect === 'read') {
        assert.equal(answer?.text, 'read: four left');
        assert.equal(shop.calls.length, 2);
        assert.deepEqual(rows, [{ status: 'succeeded' }]);
      } else {
        assert.match(answer?.text ?? '', /read: Error: UNKNOWN_OUTCOME: .*may have been carried out/);
        assert.equal(shop.calls.length, 1);
        assert.deepEqual(rows, [{ status: 'unknown' }]);
      }
      assert.equal(server.name, 'shop');
    });
});
