/** Connections and calls at once: bounded, so that strangers and one organization leave room for the others. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import express, { type Response } from 'express';
import { admit, type Gate } from '../../src/api/admit.ts';
import { boundConnections, isKnown } from '../../src/api/admit.ts';
import { PublicError } from '../../src/contract/errors.ts';
import { until } from '../support/until.ts';

describe('Connections', () => {
  let server: Server;
  let port: number;
  const sockets: Socket[] = [];
  const waiting: (() => void)[] = [];

  beforeEach(async () => {
    server = createServer((incoming, response) => {
      if (incoming.url === '/refused') {
        response.writeHead(429).end('no');
        return;
      }
      isKnown(incoming.socket, response);
      if (incoming.url === '/waits') waiting.push(() => response.end('at last'));
      else response.end('here');
    });
    boundConnections(server, 5);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    server.closeAllConnections();
    server.close();
    waiting.length = 0;
  });

  /** A connection whose head has no end. */
  const slowly = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    sockets.push(socket);
    await once(socket, 'connect');
    socket.write('POST / HTTP/1.1\r\nHost: parley\r\nX-Slow: ');
    return socket;
  };
  const get = async (path: string): Promise<string> => {
    const call = request({ host: '127.0.0.1', port, path, agent: false }).end();
    const [response] = (await once(call, 'response')) as [AsyncIterable<Buffer>];
    let text = '';
    for await (const piece of response) text += piece.toString();
    return text;
  };

  /** Opens as many as there may be: a caller takes the place of the oldest, and of no other. */
  const makeRoom = async (open: () => Promise<Socket>): Promise<void> => {
    const slow: Socket[] = [];
    for (let number = 0; number < 5; number++) slow.push(await open());
    const [oldest, ...others] = slow;
    assert.equal(await get('/'), 'here');
    await until('the oldest to be closed', () => oldest?.destroyed);
    assert.deepEqual(
      others.map(({ destroyed }) => destroyed),
      [false, false, false, false],
    );
  };

  it('that never send complete headers are closed for a new caller, oldest first', async () => {
    await makeRoom(slowly);
  });

  it('of known callers with a call in progress stay open, however many strangers connect', async () => {
    const answers = [get('/waits'), get('/waits'), get('/waits')];
    await until('three calls to wait', () => waiting.length === 3);
    for (let number = 0; number < 20; number++) await slowly();
    for (const answer of waiting) answer();
    assert.deepEqual(await Promise.all(answers), ['at last', 'at last', 'at last']);
  });

  /** A call that is answered, and another one on the same connection, which is refused before its body has come. */
  const refusedSlowly = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    sockets.push(socket);
    socket.write('GET / HTTP/1.1\r\nHost: parley\r\n\r\n');
    await once(socket, 'data');
    socket.write('POST /refused HTTP/1.1\r\nHost: parley\r\nContent-Length: 1000\r\n\r\n{');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    assert.match(answer.toString(), /^HTTP\/1.1 429/);
    return socket;
  };

  it('of known callers are closed for others once their calls are answered or refused', async () => {
    await makeRoom(refusedSlowly);
  });

  it('are refused if all connections have calls of known callers in progress', async () => {
    const answers = Array.from({ length: 5 }, () => get('/waits'));
    await until('five calls to wait', () => waiting.length === 5);
    await assert.rejects(get('/'), { code: /ECONNRESET|EPIPE/ });
    for (const answer of waiting) answer();
    assert.equal((await Promise.all(answers)).length, 5);
  });

  it('of strangers have a limited share: beyond it the oldest is closed, and a known caller keeps its connection', async () => {
    server.close();
    server = createServer((incoming, response) => {
      isKnown(incoming.socket, response);
      waiting.push(() => response.end('at last'));
    });
    boundConnections(server, 100, 2);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
    const known = get('/');
    await until('the call to arrive', () => waiting.length === 1);
    const slow = [await slowly(), await slowly(), await slowly()];
    await until('the oldest to be closed', () => slow[0]?.destroyed);
    assert.deepEqual(
      slow.map(({ destroyed }) => destroyed),
      [true, false, false],
    );
    waiting[0]?.();
    assert.equal(await known, 'at last');
  });
});

describe('Calls in progress', () => {
  it("of callers who left before they were admitted use none of their organization's share", async () => {
    const app = express();
    const gone: Response[] = [];
    const admitted: unknown[] = [];
    const gate = (response: Response): Gate => ({
      authentication: {
        authenticate: async () => {
          if (response.req.method === 'POST') {
            // Waits as for a look-up in Postgres, during which the caller leaves.
            await once(response, 'close');
            gone.push(response);
          }
          return { tokenId: 'token', organizationId: 'leaves early', scopes: null, agentIds: null };
        },
      },
      rates: { token: undefined, organization: undefined },
    });
    app.all('/', async (incoming, response) => {
      const caller = await admit(incoming, gate(response)).catch((error: unknown) => error);
      admitted.push(caller);
      response.status(caller instanceof PublicError ? 429 : 200).end();
    });
    const server = createServer(app);
    // A fifth of ten: two calls at once.
    boundConnections(server, 10);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    try {
      for (let number = 1; number <= 5; number++) {
        const socket = connect(port, '127.0.0.1').on('error', () => undefined);
        socket.write('POST / HTTP/1.1\r\nHost: parley\r\nContent-Length: 65537\r\n\r\n');
        await once(server, 'request');
        socket.resetAndDestroy();
        await until('the call to be admitted or refused', () => admitted.length === number);
      }
      assert.equal(gone.length, 5);
      assert.equal((await fetch(`http://127.0.0.1:${port}/`)).status, 200);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
