/** Calls of the console's API, to a server that fails as proxies and restarts do. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApiProblem, call, listen } from '../../src/console/client.ts';

const browserless = globalThis.fetch;

describe("The console's API client", () => {
  let server: Server;
  let requests: string[];
  let answers: RequestListener[];

  beforeEach(async () => {
    [requests, answers] = [[], []];
    server = createServer((request, response) => {
      requests.push(`${request.method} ${request.url}`);
      const answer = answers.shift() ?? assert.fail(`one request too many: ${requests.join(', ')}`);
      answer(request, response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    // In a browser, addresses are relative to the page.
    globalThis.fetch = async (path, options) => {
      assert.ok(typeof path === 'string');
      return await browserless(new URL(path, `http://127.0.0.1:${port}`), options);
    };
  });
  afterEach(async () => {
    globalThis.fetch = browserless;
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  const page =
    (status: number): RequestListener =>
    (_, response) => {
      response.writeHead(status, { 'Content-Type': 'text/html' }).end('<html>Bad gateway</html>');
    };
  const cut: RequestListener = (request) => request.socket.destroy();
  const events =
    (...all: { event: string; data: unknown }[]): RequestListener =>
    (_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.end(
        all
          .map(({ event, data }, at) => `id: ${at}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
          .join(''),
      );
    };
  const isProblem = (status: number) => (error: unknown) =>
    error instanceof ApiProblem && error.status === status && error.message.includes(String(status));

  it('names the status if a proxy answers with a page instead of JSON', async () => {
    answers = [page(502), page(200)];
    await assert.rejects(call('GET', '/agents'), isProblem(502));
    await assert.rejects(call('GET', '/agents'), isProblem(200));
  });

  it('continues a stream after reconnects that fail', async () => {
    answers = [
      events({ event: 'accepted', data: { message_id: 'm1' } }),
      cut,
      page(503),
      events({ event: 'completed', data: {} }),
    ];
    const seen: string[] = [];
    await listen('/chat/a1', { message: 'Hello' }, ({ event }) => seen.push(event));
    assert.deepEqual(seen, ['accepted', 'completed']);
    const again = 'GET /console/api/messages/m1/stream';
    assert.deepEqual(requests, ['POST /console/api/chat/a1', again, again, again]);
  });

  it('does not repeat a reconnect that the server refuses, nor a message that was not accepted', async () => {
    answers = [events({ event: 'accepted', data: { message_id: 'm1' } }), page(404), cut];
    await assert.rejects(
      listen('/chat/a1', { message: 'Hello' }, () => undefined),
      isProblem(404),
    );
    await assert.rejects(
      listen('/chat/a1', { message: 'Hello' }, () => undefined),
      (error) => error instanceof ApiProblem && error.status === 0,
    );
    assert.deepEqual(requests.filter((one) => one.startsWith('POST')).length, 2);
  });
});
