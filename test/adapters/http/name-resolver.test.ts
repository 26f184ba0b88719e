/**
 * Look-ups of supplied URLs: the answers and failures of name servers, how long they are cached, and whose look-ups
 * wait for whose.
 */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { NameResolver } from '../../../src/adapters/http/name-resolver.ts';
import { createPublicHttp } from '../../../src/adapters/http/public-http.ts';
import {
  nxdomain,
  refused,
  servfail,
  startNameServer,
  type NameAnswer,
  type NameServer,
} from '../../support/name-server.ts';
import { answer, startRawReceiver } from '../../support/raw-receiver.ts';
import { until } from '../../support/until.ts';

const someone = 'an organization';

describe('Name resolver', () => {
  let server: NameServer;
  const realNow = performance.now.bind(performance);
  let passedMs = 0;
  /** The time, while it passes only by `pass`: what a test does takes none of the time for which answers are cached. */
  let heldAt: number | undefined;
  const pass = (ms: number) => {
    passedMs += ms;
  };
  before(async () => {
    server = await startNameServer();
    performance.now = () => (heldAt ?? realNow()) + passedMs;
  });
  afterEach(() => {
    heldAt = undefined;
  });
  after(async () => {
    performance.now = realNow;
    await server.close();
  });
  const resolver = (limits: { maxTtlMs?: number; maxEntries?: number } = {}) =>
    new NameResolver({ servers: [server.host], ...limits });
  const codeFor = async (name: string) =>
    await resolver()
      .resolve(name, someone)
      .then(
        (found) => assert.fail(`${name} is ${found.join()}`),
        (error: unknown) => (error as { code: string }).code,
      );

  const failures: [what: string, said: NameAnswer, code: string][] = [
    ['a name that does not exist', { rcode: nxdomain }, 'ENOTFOUND'],
    ['a name without an address', { addresses: [] }, 'ENOTFOUND'],
    ['SERVFAIL', { rcode: servfail }, 'ESERVFAIL'],
    ['REFUSED', { rcode: refused }, 'EREFUSED'],
    ['silence', { silent: true }, 'ETIMEOUT'],
  ];
  for (const [n, [what, said, code]] of failures.entries())
    it(`returns ${code} for ${what}`, async () => {
      server.behave(`failure-${n}.example.com`, said);
      assert.equal(await codeFor(`failure-${n}.example.com`), code);
    });

  it('returns ENOTFOUND for a name that cannot exist, without a request', async () => {
    const name = `${'a'.repeat(64)}.example.com`;
    assert.equal(await codeFor(name), 'ENOTFOUND');
    assert.equal(server.asked(name), 0);
  });

  it('retries once if an answer is lost, and waits for a slow one', async () => {
    server.behave('slow.example.com', { addresses: ['192.0.2.7'], delayMs: 1200 });
    assert.deepEqual(await resolver().resolve('slow.example.com', someone), ['192.0.2.7']);
    server.behave('lost.example.com', { silent: true });
    const asking = resolver().resolve('lost.example.com', someone);
    await until('the first question', () => Promise.resolve(server.asked('lost.example.com') === 1));
    server.behave('lost.example.com', { addresses: ['192.0.2.8'] });
    assert.deepEqual(await asking, ['192.0.2.8']);
    assert.equal(server.asked('lost.example.com'), 2);
  });

  it('caches an answer for its TTL and at most for its own limit', async () => {
    heldAt = realNow();
    server.behave('kept.example.com', { addresses: ['192.0.2.1'], ttl: 30 });
    server.behave('never-kept.example.com', { addresses: ['192.0.2.2'], ttl: 0 });
    server.behave('long-kept.example.com', { addresses: ['192.0.2.3'], ttl: 86_400 });
    const names = resolver({ maxTtlMs: 60_000 });
    const askAll = async () => {
      for (const name of ['kept', 'never-kept', 'long-kept'])
        await names.resolve(`${name}.example.com`, someone);
      return ['kept', 'never-kept', 'long-kept'].map((name) => server.asked(`${name}.example.com`));
    };
    assert.deepEqual(await askAll(), [1, 1, 1]);
    pass(29_000);
    assert.deepEqual(await askAll(), [1, 2, 1]);
    pass(2000);
    assert.deepEqual(await askAll(), [2, 3, 1]);
    pass(30_000);
    assert.deepEqual(await askAll(), [3, 4, 2]);
  });

  it('caches for seconds that a name does not exist, and for a second that the look-up failed', async () => {
    heldAt = realNow();
    server.behave('soon.example.com', { rcode: nxdomain });
    server.behave('ill.example.com', { rcode: servfail });
    const names = resolver();
    const fail = async () => {
      for (const name of ['soon.example.com', 'ill.example.com'])
        await assert.rejects(names.resolve(name, someone));
    };
    await fail();
    await fail();
    assert.deepEqual([server.asked('soon.example.com'), server.asked('ill.example.com')], [1, 1]);
    pass(2000);
    await fail();
    assert.deepEqual([server.asked('soon.example.com'), server.asked('ill.example.com')], [1, 2]);
    pass(4000);
    server.behave('soon.example.com', { addresses: ['192.0.2.4'] });
    assert.deepEqual(await names.resolve('soon.example.com', someone), ['192.0.2.4']);
  });

  it('caches no more names than its limit: those used last', async () => {
    server.behave('.many.example.com', { addresses: ['192.0.2.5'] });
    const names = resolver({ maxEntries: 10 });
    await names.resolve('used.many.example.com', someone);
    for (let n = 0; n < 30; n += 1) {
      await names.resolve(`n${n}.many.example.com`, someone);
      await names.resolve('used.many.example.com', someone);
    }
    assert.equal(server.asked('used.many.example.com'), 1);
    await names.resolve('n0.many.example.com', someone);
    assert.equal(server.asked('n0.many.example.com'), 2);
    await names.resolve('n29.many.example.com', someone);
    assert.equal(server.asked('n29.many.example.com'), 1);
  });

  it('sends one request for all concurrent look-ups of a name', async () => {
    server.behave('shared.example.com', { addresses: ['192.0.2.6'], ttl: 0, delayMs: 100 });
    const names = resolver();
    await Promise.all(Array.from({ length: 50 }, (_, n) => names.resolve('shared.example.com', String(n))));
    assert.equal(server.asked('shared.example.com'), 1);
  });

  it('two hundred names of one organization that get no answer do not delay another’s look-up', async () => {
    server.behave('.dead.example.com', { silent: true });
    server.behave('alive.example.com', { addresses: ['192.0.2.9'] });
    const names = resolver();
    const dead = Array.from({ length: 200 }, (_, n) => `n${n}.dead.example.com`);
    let ended = 0;
    const failing = Promise.allSettled(
      dead.map((name) => names.resolve(name, 'a tenant').finally(() => (ended += 1))),
    );
    const asked = () => dead.filter((name) => server.asked(name) > 0).length;
    await until('the tenant’s share is used', () => Promise.resolve(asked() > 0));
    assert.deepEqual(await names.resolve('alive.example.com', 'another'), ['192.0.2.9']);
    assert.equal(ended, 0, 'it waited until look-ups of the tenant were given up');
    assert.ok(asked() <= 16, `${asked()} of its names are asked for at once`);
    // A name that the tenant waits for a turn with is found by the other at once.
    server.behave('n199.dead.example.com', { addresses: ['192.0.2.10'] });
    assert.deepEqual(await names.resolve('n199.dead.example.com', 'another'), ['192.0.2.10']);
    const failed = await failing;
    const codes = failed.map((one) =>
      one.status === 'rejected' ? (one.reason as { code: string }).code : '',
    );
    assert.deepEqual([...new Set(codes)].sort(), ['EBUSY', 'ETIMEOUT']);
  });

  describe('under the address rules', () => {
    it('connects to the address that it judged, even if the name resolves to another one the next moment', async () => {
      const receiver = await startRawReceiver((socket) => socket.end(answer(200, 'ok')));
      const dialled: string[] = [];
      const http = createPublicHttp({
        allow: [],
        names: resolver(),
        connect: ({ host }) => {
          dialled.push(host);
          return connect(receiver.port, '127.0.0.1');
        },
      });
      const url = 'http://rebind.example.com/';
      server.behave('rebind.example.com', { addresses: ['9.9.9.9'], ttl: 0 });
      const prepared = await http.prepare(url, someone);
      assert.ok(prepared.kind === 'allowed');
      server.behave('rebind.example.com', { addresses: ['127.0.0.1'], ttl: 0 });
      const sent = await http.send(prepared.target, { method: 'GET', timeoutMs: 2000, maxBytes: 100 });
      assert.equal(sent.outcome, 'answered');
      assert.deepEqual(dialled, ['9.9.9.9']);
      assert.deepEqual(await http.prepare(url, someone), { kind: 'blocked', reason: 'private_address' });
      await receiver.close();
    });

    it('judges an answer from the cache by the rules of each client', async () => {
      const names = resolver();
      server.behave('inside.example.com', { addresses: ['127.0.0.1'] });
      const open = await createPublicHttp({ allow: ['127.0.0.0/8'], names }).prepare(
        'http://inside.example.com/',
      );
      assert.equal(open.kind, 'allowed');
      const closed = await createPublicHttp({ allow: [], names }).prepare('http://inside.example.com/');
      assert.deepEqual(closed, { kind: 'blocked', reason: 'private_address' });
      assert.equal(server.asked('inside.example.com'), 1);
    });

    it('asks the system, not the name servers, for names that the operator opened', async () => {
      const names = resolver();
      const prepared = await createPublicHttp({ allow: ['localhost'], names }).prepare('http://localhost:1/');
      assert.ok(prepared.kind === 'allowed' && prepared.target.addresses.length > 0);
      assert.equal(server.asked('localhost'), 0);
    });
  });

  it('refuses a name server that is no address, by name', () => {
    assert.throws(
      () => new NameResolver({ servers: ['dns.example.com'] }),
      /"dns.example.com" is not a name server/,
    );
  });
});
