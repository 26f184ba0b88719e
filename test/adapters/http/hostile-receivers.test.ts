/** Receivers that mean harm or are merely broken, against the client of callbacks. */
import assert from 'node:assert/strict';
import { Server, Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { createPublicHttp, type Outcome } from '../../../src/adapters/http/public-http.ts';
import { recordedText } from '../../../src/app/conversations/post-callback.ts';
import { answer, startRawReceiver, type RawReceiver } from '../../support/raw-receiver.ts';

const MAX_BYTES = 65_536;
/** More than a busy machine takes for any answer. */
const ampleMs = 10_000;
/** A deadline that the test waits for. Answers have `ampleMs` instead, so that a pause of the machine fails none. */
const deadlineMs = 2000;
const OK = 'HTTP/1.1 200 OK\r\n';

type Met = {
  outcome: Outcome;
  receiver: RawReceiver;
  ms: number;
  /** Turns of the event loop from the deadline to the outcome: a loaded machine makes them longer, not more. */
  lateTurns: number;
};
/** A request that is destroyed settles within a few turns. One whose deadline is 100 ms late settles after hundreds. */
const maxLateTurns = 20;

describe('hostile receivers', () => {
  const receivers: RawReceiver[] = [];
  afterEach(() => Promise.all(receivers.splice(0).map((receiver) => receiver.close())));

  async function post(answering: (socket: Socket) => void, timeoutMs = ampleMs, body = '{}'): Promise<Met> {
    let lateTurns = 0;
    let turn: NodeJS.Immediate | undefined;
    const countTurn = (): void => {
      lateTurns += 1;
      turn = setImmediate(countTurn);
    };
    let deadline: NodeJS.Timeout | undefined;
    const receiver = await startRawReceiver((socket) => {
      // The client's own timer began before it connected, so it fires first.
      deadline = setTimeout(countTurn, timeoutMs);
      answering(socket);
    });
    receivers.push(receiver);
    const http = createPublicHttp({ allow: [`127.0.0.1:${receiver.port}`] });
    const started = performance.now();
    const outcome = await http.request({
      ...{
        url: `http://127.0.0.1:${receiver.port}/cb`,
        method: 'POST',
        body,
        timeoutMs,
        maxBytes: MAX_BYTES,
      },
      headers: { 'Content-Type': 'application/json' },
    });
    const ms = performance.now() - started;
    clearTimeout(deadline);
    clearImmediate(turn);
    // Whatever happens, one connection: never a second try, never a redirect followed.
    assert.equal(receiver.connections(), 1);
    return { outcome, receiver, ms, lateTurns };
  }

  function answered({ outcome }: Met): Extract<Outcome, { outcome: 'answered' }> {
    assert.equal(outcome.outcome, 'answered', JSON.stringify(outcome));
    return outcome;
  }
  function failed({ outcome }: Pick<Met, 'outcome'>): [string, boolean] {
    assert.equal(outcome.outcome, 'failed', JSON.stringify(outcome));
    return [outcome.reason, outcome.sent];
  }
  /** Writes for ever, as fast as it is read. */
  const flood = (socket: Socket, chunk: Buffer): void => {
    const more = (): void => {
      while (!socket.destroyed && socket.write(chunk));
    };
    socket.on('drain', more);
    more();
  };

  it('reads 64 KiB of an endless body, then cuts the connection', async () => {
    let closed: Promise<unknown> | undefined;
    const met = await post((socket) => {
      closed = new Promise((resolve) => socket.on('close', resolve));
      socket.write(`${OK}Content-Type: text/plain\r\n\r\n`);
      flood(socket, Buffer.alloc(32_768, 'x'));
    });
    const { status, body, truncated, bodyComplete } = answered(met);
    assert.deepEqual([status, body.byteLength, truncated, bodyComplete], [200, MAX_BYTES, true, false]);
    assert.equal(recordedText(body), 'x'.repeat(5_000));
    assert.equal(met.lateTurns, 0);
    await closed;
  });

  it('treats a body of exactly the limit as whole', async () => {
    const { body, truncated, bodyComplete } = answered(
      await post((socket) => socket.end(answer(200, 'x'.repeat(MAX_BYTES)))),
    );
    assert.deepEqual([body.byteLength, truncated, bodyComplete], [MAX_BYTES, false, true]);
  });

  it('ends an endless slow body at the deadline, with the status and what has arrived', async () => {
    const met = await post((socket) => {
      socket.write(`${OK}\r\n`);
      const timer = setInterval(() => socket.write('d'), 20);
      socket.on('close', () => {
        clearInterval(timer);
      });
    }, deadlineMs);
    const { status, body, bodyComplete } = answered(met);
    assert.deepEqual([status, bodyComplete], [200, false]);
    assert.match(body.toString(), /^d+$/);
    assert.ok(
      met.ms >= deadlineMs - 10 && met.lateTurns <= maxLateTurns,
      JSON.stringify([met.ms, met.lateTurns]),
    );
  });

  it('fails at the deadline when the headers drip', async () => {
    const met = await post((socket) => {
      socket.write(OK);
      const timer = setInterval(() => socket.write('X-A: b\r\n'), 20);
      socket.on('close', () => {
        clearInterval(timer);
      });
    }, deadlineMs);
    assert.deepEqual(failed(met), ['timeout', true]);
    assert.ok(
      met.ms >= deadlineMs - 10 && met.lateTurns <= maxLateTurns,
      JSON.stringify([met.ms, met.lateTurns]),
    );
  });

  it('fails at the deadline when nothing is answered', async () => {
    const met = await post(() => undefined, deadlineMs);
    assert.deepEqual(failed(met), ['timeout', true]);
    assert.ok(met.lateTurns <= maxLateTurns, String(met.lateTurns));
  });

  it('fails at the deadline when interim answers never end', async () => {
    const met = await post((socket) => {
      const again = (): void => {
        socket.write('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(10));
        if (!socket.destroyed) setImmediate(again);
      };
      again();
    }, deadlineMs);
    assert.deepEqual(failed(met), ['timeout', true]);
    assert.ok(met.lateTurns <= maxLateTurns, String(met.lateTurns));
  });

  it('fails at the deadline when the request is never read', async () => {
    const receiver = await startRawReceiver(
      () => undefined,
      (onSocket) => new Server({ pauseOnConnect: true }, onSocket),
    );
    receivers.push(receiver);
    const http = createPublicHttp({ allow: ['127.0.0.1'] });
    const url = `http://127.0.0.1:${receiver.port}/`;
    const body = Buffer.alloc(30_000_000);
    const asked = { url, method: 'POST', body, timeoutMs: deadlineMs, maxBytes: 1 } as const;
    const outcome = await http.request(asked);
    assert.deepEqual(failed({ outcome }), ['timeout', true]);
    assert.equal(receiver.requests.length, 0);
  });

  it('fails at the deadline when the connection never opens, and reports that nothing was sent', async () => {
    const http = createPublicHttp({ allow: ['127.0.0.1'], connect: () => new Socket() });
    const outcome = await http.request({
      url: 'http://127.0.0.1:9/',
      method: 'GET',
      timeoutMs: 200,
      maxBytes: 1,
    });
    assert.deepEqual(failed({ outcome }), ['timeout', false]);
  });

  it('never decompresses an answer', async () => {
    const bomb = gzipSync(Buffer.alloc(30_000_000));
    const { body, headers } = answered(
      await post((socket) =>
        socket.end(answer(200, bomb.subarray(0, 20_000), { 'Content-Encoding': 'gzip' })),
      ),
    );
    assert.equal(body.byteLength, 20_000);
    assert.equal(headers['content-encoding'], 'gzip');
  });

  for (const status of [301, 302, 303, 307, 308]) {
    it(`accepts ${status} as the answer and follows no redirect`, async () => {
      const elsewhere = await startRawReceiver((socket) => socket.end(answer(200, '')));
      receivers.push(elsewhere);
      const there = `http://127.0.0.1:${elsewhere.port}/`;
      const met = await post((socket) => socket.end(answer(status, '', { Location: there })));
      assert.equal(answered(met).status, status);
      assert.equal(elsewhere.connections(), 0);
    });
  }

  it('refuses a head of more than 16 KiB', async () => {
    const head = Array.from({ length: 2_000 }, (_, index) => `X-Header-${index}: y\r\n`).join('');
    assert.deepEqual(failed(await post((socket) => socket.write(`${OK}${head}\r\n`))), ['protocol', true]);
  });

  it('fails on a reset after the request was read, without a second try', async () => {
    const met = await post((socket) => socket.resetAndDestroy());
    assert.deepEqual(failed(met), ['connection_reset', true]);
    assert.equal(met.receiver.requests.length, 1);
  });

  it('fails on a close without an answer, without a second try', async () => {
    const met = await post((socket) => socket.end());
    assert.deepEqual(failed(met), ['connection_reset', true]);
    assert.equal(met.receiver.requests.length, 1);
  });

  it('fails on a close within the headers', async () => {
    assert.deepEqual(failed(await post((socket) => socket.end(`${OK}Content-Le`))), [
      'connection_reset',
      true,
    ]);
  });

  it('counts complete headers as answered when the connection resets within the body', async () => {
    const met = await post((socket) => {
      socket.write(`${OK}Content-Length: 100\r\n\r\nhalf`, () =>
        // Both must arrive: a reset may overtake what is still in flight.
        setTimeout(() => socket.resetAndDestroy(), 50),
      );
    });
    const { status, body, truncated, bodyComplete } = answered(met);
    assert.deepEqual([status, String(body), truncated, bodyComplete], [200, 'half', false, false]);
  });

  it('counts complete headers as answered when the chunks are broken', async () => {
    const met = await post((socket) =>
      socket.end(`${OK}Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\nzz\r\n`),
    );
    const { status, body, bodyComplete } = answered(met);
    assert.deepEqual([status, String(body), bodyComplete], [200, 'ab', false]);
  });

  for (const [name, bytes, expected] of [
    ['500 with a body', answer(500, 'broken'), [500, 'broken', true]],
    ['204', 'HTTP/1.1 204 No Content\r\n\r\n', [204, '', true]],
    [
      'an HTTP/1.0 answer that ends with the connection',
      'HTTP/1.0 200 OK\r\n\r\nhello',
      [200, 'hello', true],
    ],
    ['an answer without a length', `${OK}\r\nhello`, [200, 'hello', true]],
    [
      'an unasked 100 Continue first',
      `HTTP/1.1 100 Continue\r\n\r\n${OK}Content-Length: 2\r\n\r\nok`,
      [200, 'ok', true],
    ],
    [
      'an unasked upgrade',
      'HTTP/1.1 101 Go\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nzzz',
      [101, '', true],
    ],
    [
      'chunks with trailers',
      `${OK}Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX: y\r\n\r\n`,
      [200, 'ok', true],
    ],
    ['bytes beyond the length', `${OK}Content-Length: 2\r\n\r\nok and more`, [200, 'ok', true]],
    ['bytes that are no UTF-8', answer(200, Buffer.from([0xff, 0x00, 0x61])), [200, '\ufffda', true]],
    ['a pair at the cut', answer(200, `${'x'.repeat(4_999)}😀`), [200, 'x'.repeat(4_999), true]],
  ] as const) {
    it(`accepts ${name}`, async () => {
      const { status, body, bodyComplete } = answered(await post((socket) => socket.end(bytes)));
      assert.deepEqual([status, recordedText(body), bodyComplete], expected);
    });
  }

  for (const [name, bytes] of [
    ['no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n\r\n'],
    ['two lengths', `${OK}Content-Length: 2\r\nContent-Length: 3\r\n\r\nok`],
    ['a header with NUL', `${OK}X: a\0b\r\n\r\n`],
  ] as const) {
    it(`refuses ${name} as no answer`, async () => {
      assert.deepEqual(failed(await post((socket) => socket.end(bytes))), ['protocol', true]);
    });
  }

  it('accepts an answer that comes before the request was read', async () => {
    const receiver = await startRawReceiver(
      () => undefined,
      (onSocket) => {
        const server = new Server(onSocket);
        return server.on('connection', (socket: Socket) => socket.end(answer(413, 'too much')));
      },
    );
    receivers.push(receiver);
    const http = createPublicHttp({ allow: ['127.0.0.1'] });
    const url = `http://127.0.0.1:${receiver.port}/`;
    const outcome = await http.request({
      url,
      method: 'POST',
      body: '{}',
      timeoutMs: ampleMs,
      maxBytes: 100,
    });
    assert.equal(outcome.outcome === 'answered' && outcome.status, 413);
  });

  it('stops at once when the caller gives up', async () => {
    const stop = new AbortController();
    const receiver = await startRawReceiver(() => {
      stop.abort();
    });
    receivers.push(receiver);
    const http = createPublicHttp({ allow: ['127.0.0.1'] });
    const url = `http://127.0.0.1:${receiver.port}/`;
    const asked = { url, method: 'GET', timeoutMs: ampleMs, maxBytes: 1, signal: stop.signal } as const;
    assert.deepEqual(failed({ outcome: await http.request(asked) }), ['aborted', true]);
    assert.deepEqual(failed({ outcome: await http.request(asked) }), ['aborted', false]);
    assert.equal(receiver.requests.length, 1);
  });

  it('reports a refused connection, and that nothing was sent', async () => {
    const gone = await startRawReceiver(() => undefined);
    await gone.close();
    const http = createPublicHttp({ allow: ['127.0.0.1'] });
    const url = `http://127.0.0.1:${gone.port}/`;
    const outcome = await http.request({ url, method: 'GET', timeoutMs: ampleMs, maxBytes: 1 });
    assert.deepEqual(failed({ outcome }), ['connection_refused', false]);
  });
});
