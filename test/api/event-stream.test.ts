import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import express, { type Response } from 'express';
import { EventStream } from '../../src/api/event-stream.ts';
import { until } from '../support/until.ts';

const kilobytes = 'x'.repeat(4096);

describe('EventStream', () => {
  it('reads events only as fast as its reader, and stops when the reader disconnects', async () => {
    let made = 0;
    let left = false;
    const stream = new EventStream(async function* (signal) {
      try {
        while (!signal.aborted) {
          made += 1;
          // Resolves in a later turn of the event loop, as Postgres would.
          await new Promise((resolve) => setImmediate(resolve));
          yield { id: String(made), event: 'delta', data: kilobytes };
        }
      } finally {
        left = true;
      }
    });
    const app = express();
    app.get('/', async (_, response) => {
      await stream.send(response);
    });
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    try {
      socket.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n');
      await once(socket, 'readable');
      // Not read: the sockets' own buffers fill, then nothing more is made.
      let before = -1;
      const standstill = await until('nothing more to be made', async () => {
        const same = made === before && made;
        before = made;
        await new Promise((resolve) => setTimeout(resolve, 300));
        return same;
      });
      assert.ok(standstill * kilobytes.length < 32 * 1024 * 1024, `${standstill} events were made`);
      socket.resume();
      await until('more to be made', () => made > standstill + 100);
      socket.pause();
      socket.destroy();
      await until('the stream to be left', () => left);
    } finally {
      socket.destroy();
      server.closeAllConnections();
      server.close();
    }
  });

  it('opens nothing and sends nothing for a reader who left before', async () => {
    let opened = 0;
    const stream = new EventStream(async function* () {
      for (;;) {
        opened += 1;
        await new Promise((resolve) => setImmediate(resolve));
        yield { data: kilobytes };
      }
    });
    const app = express();
    const { promise: sent, resolve, reject } = Promise.withResolvers<Response>();
    app.get('/', async (_, response) => {
      // Waits as for the acceptance of a message, during which the reader leaves.
      await once(response, 'close');
      stream.send(response).then(() => {
        resolve(response);
      }, reject);
    });
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    try {
      socket.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n');
      await once(server, 'request');
      socket.resetAndDestroy();
      assert.equal((await sent).headersSent, false);
      assert.equal(opened, 0);
    } finally {
      socket.destroy();
      server.closeAllConnections();
      server.close();
    }
  });
});
