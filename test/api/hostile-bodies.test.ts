/** Bodies are read once their sender is known, as they are, and in bounds. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { until } from '../support/until.ts';
import { useStack } from '../support/stack.ts';

const mebibyte = 1024 * 1024;

describe('Hostile bodies', () => {
  const stack = useStack({ env: { ORGANIZATION_RATE_LIMIT: 'off' } });
  const sockets: Socket[] = [];
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });

  const residentMiB = () =>
    Math.max(
      ...stack().apis.map(
        ({ pid }) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024,
      ),
    );

  /** @returns the answer of the API, while the body is still being sent */
  function begin(path: string, headers: string[], sent: Buffer): () => string {
    const { hostname, port } = new URL(stack().apiUrl);
    let said = '';
    const socket = connect(Number(port), hostname)
      .on('data', (chunk: Buffer) => (said += chunk.toString()))
      .on('error', () => undefined);
    sockets.push(socket);
    socket.write([`POST ${path} HTTP/1.1`, 'Host: parley', ...headers, '', ''].join('\r\n'));
    socket.write(sent);
    return () => said;
  }

  it('40 connections without a token that send 20 MiB each are refused without buffering their bodies', async () => {
    const before = residentMiB();
    const answers = Array.from({ length: 40 }, () =>
      begin(
        '/v1/tools/docs/actions/DOCS_SEND_FILE_UPLOAD',
        ['Content-Type: application/json', `Content-Length: ${28 * mebibyte}`],
        Buffer.alloc(20 * mebibyte, 0x20),
      ),
    );
    let most = 0;
    await until('all 40 to be refused', () => {
      most = Math.max(most, residentMiB());
      return answers.every((said) => said().startsWith('HTTP/1.1 401'));
    });
    // Buffered bodies would be 800 MiB. Chunks that were read and dropped wait for the garbage collector: 27 to 114
    // MiB.
    assert.ok(most - before < 400, `${Math.round(before)} MiB before, ${Math.round(most)} MiB at most`);
  });

  it('a compressed body is refused: 28 MiB of zeros are 28 KB', async () => {
    const { api } = stack();
    const agent = await api.createAgent();
    for (const encoding of ['gzip', 'deflate', 'br', 'zstd']) {
      const { error } = await api.refused(415, 'POST', `/chat/${agent.id}`, {
        body: gzipSync(Buffer.alloc(28 * mebibyte)),
        headers: { 'content-encoding': encoding },
      });
      assert.equal(error, 'Send the body without compression.');
    }
  });

  it('at most 64 KiB for operations without authentication', async () => {
    const origin = new URL(stack().apiUrl).origin;
    const body = JSON.stringify({ email: 'a@b.example', password: 'x'.repeat(64 * 1024) });
    const headers = { 'content-type': 'application/json', origin };
    const answer = await fetch(`${origin}/console/api/sign-in`, { method: 'POST', headers, body });
    assert.equal(answer.status, 413);
  });

  it('503 with Retry-After while one organization sends too many bytes; another organization is served', async () => {
    const { api, token } = stack();
    const agent = await api.createAgent();
    const headers = [
      ...['Content-Type: application/json', `Authorization: Bearer ${token}`],
      `Content-Length: ${16 * mebibyte}`,
    ];
    const answers = Array.from({ length: 8 }, () => begin(`/v1/chat/${agent.id}`, headers, Buffer.from('{')));
    const refusals = () => answers.filter((said) => said().startsWith('HTTP/1.1 503'));
    await until('some of them to be refused', () => refusals().length === 7);
    for (const said of refusals()) assert.match(said(), /retry-after: 1/i);
    const other = await stack().stranger();
    const { id } = await other.api.createAgent({ script: [{ reply: 'read' }] });
    assert.equal((await other.api.ask(id, { message: 'a' })).response, 'read');
    for (const socket of sockets.splice(0)) socket.destroy();
    const sized = { message: 'a', attachments: [{ content_base64: 'A'.repeat(15 * mebibyte) }] };
    await until('the bytes to be given back', async () => {
      return (await api.call('POST', `/chat/${agent.id}`, { body: sized })).status === 202;
    });
  });

  it('elements of lists count as fields', async () => {
    const { api } = stack();
    const agent = await api.createAgent();
    const body = { message: 'a', metadata: { list: Array.from({ length: 3000 }, () => 1) } };
    const { details } = await api.refused(422, 'POST', `/chat/${agent.id}`, { body });
    assert.match(details?.[0]?.message ?? '', /at most 2000 fields and elements/);
  });

  const listTools = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const notify = { jsonrpc: '2.0', method: 'notifications/initialized' };
  for (const [name, batch] of Object.entries({
    empty: [],
    'of one request': [listTools],
    'of two requests': [listTools, listTools],
    'of notifications': [notify, notify],
    'within a batch': [[listTools, listTools]],
    'of 40,000 requests': Array.from({ length: 40_000 }, () => 1),
  }))
    it(`a JSON-RPC batch ${name} is refused: it would be many calls for the price of one`, async () => {
      const headers = { accept: 'application/json, text/event-stream' };
      const answer = await stack().api.call('POST', '/mcp', { body: batch, headers });
      assert.equal(answer.status, 400);
      assert.match(JSON.stringify(answer.body), /batches are not taken/);
    });

  it('MCP limits bodies like every operation: bytes, fields, levels, compression', async () => {
    const { api } = stack();
    const toolCall = (given: unknown) => ({
      ...listTools,
      method: 'tools/call',
      params: { arguments: given },
    });
    let deep: unknown = 1;
    for (let level = 0; level < 100; level++) deep = { deep };
    const refusals: [number, unknown, Record<string, string>?][] = [
      [413, toolCall({ text: 'a'.repeat(29 * mebibyte) })],
      [422, toolCall({ list: Array.from({ length: 60_000 }, () => 1) })],
      [422, toolCall(deep)],
      [415, gzipSync(JSON.stringify(listTools)), { 'content-encoding': 'gzip' }],
      [400, '{"__proto__":{}}'],
    ];
    for (const [status, body, headers] of refusals)
      assert.equal((await api.call('POST', '/mcp', { body, ...(headers && { headers }) })).status, status);
  });
});

describe('Slow callers', () => {
  const requestSeconds = 2;
  /** Less than Node's own limits. */
  const closedWithinMs = 30_000;
  const maxConnections = 20;
  const stack = useStack({
    apis: 1,
    env: {
      REQUEST_TIMEOUT_SECONDS: String(requestSeconds),
      MAX_CONNECTIONS: String(maxConnections),
    },
  });
  const sockets: Socket[] = [];
  const timers: NodeJS.Timeout[] = [];
  afterEach(() => {
    for (const timer of timers.splice(0)) clearInterval(timer);
    for (const socket of sockets.splice(0)) socket.destroy();
  });

  function open(): { socket: Socket; said: () => string } {
    const { hostname, port } = new URL(stack().apiUrl);
    let said = '';
    const socket = connect(Number(port), hostname)
      .on('data', (chunk: Buffer) => (said += chunk.toString()))
      .on('error', () => undefined);
    sockets.push(socket);
    return { socket, said: () => said };
  }

  const headers = () => ['Host: parley', `Authorization: Bearer ${stack().token}`];
  const paths = {
    'POST /chat': async () => `/v1/chat/${(await stack().api.createAgent()).id}`,
    'an action': () => Promise.resolve('/v1/tools/docs/actions/DOCS_GET_ABOUT_ME'),
    MCP: () => Promise.resolve('/v1/mcp'),
    'signing in': () => Promise.resolve('/console/api/sign-in'),
  };
  for (const [name, path] of Object.entries(paths))
    it(`408 for a body of ${name} that comes byte by byte for longer than a request may take`, async () => {
      const { socket, said } = open();
      const sent = ['Content-Type: application/json', 'Content-Length: 1000'];
      const start = [`POST ${await path()} HTTP/1.1`, ...headers(), ...sent, '', '{'].join('\r\n');
      const since = performance.now();
      socket.write(start);
      timers.push(setInterval(() => socket.writable && socket.write(' '), 100));
      await until('the connection to be closed', () => socket.closed, closedWithinMs);
      assert.ok(performance.now() - since >= requestSeconds * 1000, 'a slow sender has its time');
      assert.match(said(), /^HTTP\/1\.1 408/);
    });

  it('408 for headers that never end', async () => {
    const { socket, said } = open();
    socket.write('POST /v1/mcp HTTP/1.1\r\nHost: parley\r\n');
    timers.push(setInterval(() => socket.writable && socket.write('x: y\r\n'), 100));
    await until('the connection to be closed', () => socket.closed, closedWithinMs);
    assert.match(said(), /^HTTP\/1\.1 408/);
  });

  it('accepts at most the configured number of connections, and new ones as soon as others end', async () => {
    const slow = Array.from({ length: 3 * maxConnections }, open);
    for (const { socket } of slow) socket.write('POST /v1/mcp HTTP/1.1\r\nHost: parley\r\n');
    await until('all of them to be closed', () => slow.every(({ socket }) => socket.closed), closedWithinMs);
    // Those beyond the bound are closed without an answer.
    const taken = slow.filter(({ said }) => said().startsWith('HTTP/1.1 408')).length;
    assert.ok(taken <= maxConnections, `${taken} taken`);
    assert.ok(taken >= maxConnections / 2, `${taken} taken`);
    assert.equal((await fetch(new URL('/healthz', stack().apiUrl))).status, 200);
  });
});
