import assert from 'node:assert/strict';
import { connect, Server, type Socket } from 'node:net';
import { createServer, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { createPublicHttp, type Outcome } from '../../../src/adapters/http/public-http.ts';
import { namesBy } from '../../support/names.ts';
import {
  expiredCertificate,
  expiredKey,
  receiverCertificate,
  receiverKey,
} from '../../support/receiver-certificate.ts';
import { answer, startRawReceiver, type RawReceiver } from '../../support/raw-receiver.ts';

describe('public http over TLS', () => {
  const trusted = getCACertificates('default');
  let receiver: RawReceiver;
  const names: string[] = [];
  const protocols: unknown[] = [];

  before(async () => {
    receiver = await startRawReceiver(
      (socket) => socket.end(answer(200, 'ok')),
      (onSocket) =>
        createServer(
          { key: receiverKey, cert: receiverCertificate, ALPNProtocols: ['h2', 'http/1.1'] },
          (socket) => {
            names.push(String(socket.servername));
            protocols.push(socket.alpnProtocol);
            onSocket(socket);
          },
        ).on('tlsClientError', () => undefined),
    );
  });
  beforeEach(() => {
    setDefaultCACertificates([receiverCertificate]);
    names.length = 0;
  });
  afterEach(() => {
    setDefaultCACertificates(trusted);
  });
  after(() => receiver.close());

  const post = (url: string, dial?: () => Socket): Promise<Outcome> =>
    createPublicHttp({
      allow: [],
      names: namesBy(() => Promise.resolve(['9.9.9.9'])),
      connect: dial ?? (() => connect(receiver.port, '127.0.0.1')),
    }).request({ url, method: 'POST', body: '{}', timeoutMs: 2_000, maxBytes: 100 });
  const refusedByTls = (outcome: Outcome): boolean =>
    outcome.outcome === 'failed' && outcome.reason === 'tls' && !outcome.sent;

  it('asks the judged address for the certificate of the name', async () => {
    const outcome = await post('https://receiver.example/cb');
    assert.equal(outcome.outcome === 'answered' && outcome.status, 200);
    assert.deepEqual(names, ['receiver.example']);
    assert.deepEqual(protocols, ['http/1.1']);
    assert.match(receiver.requests.at(-1) ?? '', /^Host: receiver\.example\r$/m);
  });

  it('sends nothing to a certificate of another name or address', async () => {
    const before = receiver.requests.length;
    assert.ok(refusedByTls(await post('https://other.example/')));
    assert.ok(refusedByTls(await post('https://9.9.9.9/')));
    assert.equal(receiver.requests.length, before);
  });

  it('sends nothing to an untrusted certificate, whatever the environment says', async () => {
    setDefaultCACertificates(trusted);
    const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      assert.ok(refusedByTls(await post('https://receiver.example/')));
    } finally {
      if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
      else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before;
    }
  });

  it('sends nothing to an expired certificate of the name, which is trusted otherwise', async () => {
    setDefaultCACertificates([expiredCertificate]);
    const expired = await startRawReceiver(
      (socket) => socket.end(answer(200, 'ok')),
      (onSocket) =>
        createServer({ key: expiredKey, cert: expiredCertificate }, onSocket).on(
          'tlsClientError',
          () => undefined,
        ),
    );
    const dial = (): Socket => connect(expired.port, '127.0.0.1');
    const outcome = await post('https://receiver.example/', dial);
    const { requests, connections } = expired;
    await expired.close();
    assert.ok(refusedByTls(outcome), JSON.stringify(outcome));
    assert.deepEqual([requests, connections()], [[], 1]);
  });

  it('fails if the server does not use TLS', async () => {
    const plain = await startRawReceiver(
      () => undefined,
      (onSocket) =>
        new Server((socket) => {
          onSocket(socket);
          socket.end(answer(200, 'plain'));
        }),
    );
    assert.ok(refusedByTls(await post('https://receiver.example/', () => connect(plain.port, '127.0.0.1'))));
    await plain.close();
  });

  it('ends a handshake that never ends at the deadline', async () => {
    const mute = await startRawReceiver(() => undefined);
    const outcome = await createPublicHttp({
      allow: [],
      names: namesBy(() => Promise.resolve(['9.9.9.9'])),
      connect: () => connect(mute.port, '127.0.0.1'),
    }).request({ url: 'https://receiver.example/', method: 'GET', timeoutMs: 300, maxBytes: 1 });
    assert.deepEqual(outcome.outcome === 'failed' && [outcome.reason, outcome.sent], ['timeout', false]);
    await mute.close();
  });
});
