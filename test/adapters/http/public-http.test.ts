import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { connect } from 'node:net';
import { promisify } from 'node:util';
import { createPublicHttp, type Sending } from '../../../src/adapters/http/public-http.ts';
import { namesBy } from '../../support/names.ts';
import { answer, startRawReceiver, type RawReceiver } from '../../support/raw-receiver.ts';

const run = promisify(execFile);
const callback: Sending = {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: '{"event":"message.completed","text":"é"}',
  timeoutMs: 2_000,
  maxBytes: 65_536,
};
const PUBLIC = '9.9.9.9';

describe('public http', () => {
  let receiver: RawReceiver;
  beforeEach(async () => {
    receiver = await startRawReceiver((socket) => socket.end(answer(200, 'ok')));
  });
  afterEach(() => receiver.close());

  it('sends the four headers of a callback and nothing else', async () => {
    const http = createPublicHttp({ allow: ['127.0.0.1'] });
    await http.request({ ...callback, url: `http://127.0.0.1:${receiver.port}/cb/%7Bx%7D?a=1&b=%20#part` });
    const [head = '', body] = (receiver.requests[0] ?? '').split('\r\n\r\n');
    const [line, ...headers] = head.split('\r\n');
    assert.equal(line, 'POST /cb/%7Bx%7D?a=1&b=%20 HTTP/1.1');
    assert.deepEqual(headers.sort(), [
      'Connection: close',
      `Content-Length: ${Buffer.byteLength(String(callback.body))}`,
      'Content-Type: application/json',
      `Host: 127.0.0.1:${receiver.port}`,
    ]);
    assert.equal(Buffer.from(body ?? '', 'latin1').toString('utf8'), callback.body);
  });

  it('sends a GET without a body, with the headers it is given', async () => {
    const http = createPublicHttp({ allow: ['127.0.0.1'] });
    const url = `http://127.0.0.1:${receiver.port}/status`;
    const sent = await http.request({
      ...{ url, method: 'GET', headers: { token: 't0' } },
      ...{ timeoutMs: 2_000, maxBytes: 100 },
    });
    assert.equal(sent.outcome === 'answered' && sent.body.toString(), 'ok');
    assert.equal(
      receiver.requests[0],
      `GET /status HTTP/1.1\r\ntoken: t0\r\nHost: 127.0.0.1:${receiver.port}\r\nConnection: close\r\n\r\n`,
    );
  });

  for (const [name, url, reason] of [
    ['a private address', 'http://127.0.0.1:PORT/', 'private_address'],
    ['a mapped address', 'http://[::ffff:127.0.0.1]:PORT/', 'private_address'],
    ['an odd form', 'http://2130706433:PORT/', 'odd_host'],
    ['an internal name', 'http://localhost:PORT/', 'internal_name'],
    ['credentials', 'http://user@127.0.0.1:PORT/', 'credentials_in_url'],
    ['another scheme', 'ftp://127.0.0.1:PORT/', 'scheme_not_allowed'],
    ['no URL', '127.0.0.1:PORT', 'malformed_url'],
  ] as const) {
    it(`blocks ${name} without a connection or a look-up`, async () => {
      // The stub keeps a broken rule from sending anything off this machine.
      const http = createPublicHttp({
        allow: [],
        names: namesBy(() => assert.fail('looked up')),
        connect: () => connect(receiver.port, '127.0.0.1'),
      });
      const outcome = await http.request({ ...callback, url: url.replace('PORT', String(receiver.port)) });
      assert.deepEqual(outcome, { outcome: 'blocked', reason });
      assert.equal(receiver.connections(), 0);
    });
  }

  describe('with names', () => {
    const dialled: string[] = [];
    /** Nothing leaves: every dial ends at the receiver, and is noted with where it meant to go. */
    const toReceiver = (to: { host: string; port: number }) => {
      dialled.push(`${to.host} ${to.port}`);
      return connect({ host: '127.0.0.1', port: receiver.port });
    };
    beforeEach(() => {
      dialled.length = 0;
    });

    it('connects to the address that was judged, even if the name has moved since', async () => {
      const answers = [[PUBLIC], ['127.0.0.1']];
      const http = createPublicHttp({
        allow: [],
        names: namesBy(() => Promise.resolve(answers.shift() ?? [])),
        connect: toReceiver,
      });
      const outcome = await http.request({ ...callback, url: 'http://rebind.example.net:8080/' });
      assert.equal(outcome.outcome, 'answered');
      assert.deepEqual(dialled, [`${PUBLIC} 8080`]);
      assert.equal(answers.length, 1, 'looked up once');
      assert.match(receiver.requests[0] ?? '', /^Host: rebind\.example\.net:8080\r$/m);
    });

    it('blocks a name when any of its addresses is not public', async () => {
      for (const found of [[PUBLIC, '10.0.0.1'], ['::1', PUBLIC], ['::ffff:9.9.9.9'], ['not an address']]) {
        const resolve = () => Promise.resolve(found);
        const http = createPublicHttp({ allow: [], names: namesBy(resolve), connect: toReceiver });
        const outcome = await http.request({ ...callback, url: 'http://mixed.example.net/' });
        assert.deepEqual(outcome, { outcome: 'blocked', reason: 'private_address' });
      }
      assert.deepEqual(dialled, []);
    });

    it('distinguishes a name that does not exist from a name server that is away', async () => {
      const failing = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }));
      const prepare = (resolve: () => Promise<string[]>) =>
        createPublicHttp({ allow: [], names: namesBy(resolve) }).prepare('http://gone.example.net/');
      assert.deepEqual(await prepare(failing('ENOTFOUND')), { kind: 'unresolved', reason: 'not_found' });
      assert.deepEqual(await prepare(() => Promise.resolve([])), { kind: 'unresolved', reason: 'not_found' });
      assert.deepEqual(await prepare(failing('EAI_AGAIN')), { kind: 'unresolved', reason: 'unavailable' });
      const http = createPublicHttp({ allow: [], names: namesBy(failing('ENOTFOUND')) });
      const outcome = await http.request({ ...callback, url: 'http://gone.example.net/' });
      assert.equal(outcome.outcome === 'failed' && outcome.reason, 'no_such_name');
    });

    it('tries the next judged address when one refuses, and sends one request', async () => {
      const refusing = await startRawReceiver(() => undefined);
      await refusing.close();
      const resolve = () => Promise.resolve(['2606:4700::1', PUBLIC, '8.8.8.8']);
      const http = createPublicHttp({
        allow: [],
        names: namesBy(resolve),
        connect: (to) => (to.host === PUBLIC ? toReceiver(to) : connect(refusing.port, '127.0.0.1')),
      });
      const outcome = await http.request({ ...callback, url: 'http://dual.example.net/' });
      assert.equal(outcome.outcome, 'answered');
      assert.equal(receiver.requests.length, 1);
      assert.deepEqual(dialled, [`${PUBLIC} 80`]);
    });

    it('opens an internal name only by its own exception or a range that holds all its addresses', async () => {
      const resolve = () => Promise.resolve(['172.18.0.3']);
      const judge = async (allow: string[], url: string) => {
        const prepared = await createPublicHttp({
          allow,
          names: namesBy(resolve),
          connect: toReceiver,
        }).prepare(url);
        return prepared.kind === 'allowed' ? prepared.target.isException : prepared;
      };
      const internal = { kind: 'blocked', reason: 'internal_name' };
      assert.equal(await judge(['gateway'], 'http://gateway:9000/'), true);
      assert.equal(await judge(['gateway:9000'], 'http://gateway:9000/'), true);
      assert.equal(await judge(['172.18.0.0/16'], 'http://gateway:9000/'), true);
      assert.deepEqual(await judge(['gateway:9000'], 'http://gateway:9001/'), internal);
      assert.deepEqual(await judge(['172.19.0.0/16'], 'http://gateway:9000/'), internal);
      assert.deepEqual(await judge(['gateway'], 'http://user@gateway/'), {
        kind: 'blocked',
        reason: 'credentials_in_url',
      });
      assert.equal(await judge(['172.18.0.0/16'], 'http://8.8.8.8/'), false);
    });
  });

  it('sends only to a destination that it judged itself', async () => {
    const http = createPublicHttp({ allow: ['127.0.0.1'] });
    const prepared = await http.prepare(`http://127.0.0.1:${receiver.port}/`);
    assert.ok(prepared.kind === 'allowed');
    await assert.rejects(http.send({ ...prepared.target }, callback), /must come from prepare/);
    await assert.rejects(
      createPublicHttp({ allow: [] }).send(prepared.target, callback),
      /must come from prepare/,
    );
    assert.equal(receiver.connections(), 0);
  });

  it('subtracts the look-up from its timeout', async () => {
    // The look-up takes almost all of the minute; the clock alone moves on.
    const realNow = performance.now.bind(performance);
    const late = () => {
      performance.now = () => realNow() + 58_000;
      return Promise.resolve([PUBLIC]);
    };
    const mute = await startRawReceiver(() => undefined);
    const http = createPublicHttp({
      allow: [],
      names: namesBy(late),
      connect: () => connect(mute.port, '127.0.0.1'),
    });
    const started = realNow();
    try {
      const url = 'http://slow.example.net/';
      const outcome = await http.request({ ...callback, url, timeoutMs: 60_000 });
      assert.equal(outcome.outcome === 'failed' && outcome.reason, 'timeout');
      assert.ok(realNow() - started < 30_000);
    } finally {
      performance.now = realNow;
    }
    await mute.close();
  });

  it('ignores proxy variables', async () => {
    const proxy = await startRawReceiver((socket) => socket.end(answer(502, 'proxy')));
    const at = `http://127.0.0.1:${proxy.port}`;
    const source = new URL('../../../src/adapters/http/public-http.ts', import.meta.url).href;
    const script = `
      import { createPublicHttp } from ${JSON.stringify(source)};
      const http = createPublicHttp({ allow: ['127.0.0.1'] });
      const sent = await http.request({ url: 'http://127.0.0.1:${receiver.port}/', method: 'GET', timeoutMs: 2000, maxBytes: 9 });
      console.log(sent.status);`;
    const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'];
    const env = Object.fromEntries(names.map((name) => [name, at]));
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], {
      env: { ...env, NODE_USE_ENV_PROXY: '1', NO_PROXY: '', no_proxy: '' },
    });
    assert.equal(stdout.trim(), '200');
    assert.equal(proxy.connections(), 0);
    await proxy.close();
  });
});
