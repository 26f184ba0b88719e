/** The claim: whoever comes to a callback, however often and however late, one request leaves at most. */
import { FairShares } from '../../../src/worker/around-activities.ts';
import assert from 'node:assert/strict';
import { createConnection } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { ApplicationFailure } from '@temporalio/common';
import { postCallback } from '../../../src/app/conversations/post-callback.ts';
import { connectDatabase, type Database } from '../../../src/adapters/postgres/database.ts';
import { findDelivery } from '../../../src/adapters/postgres/conversations/deliveries.ts';
import { createEncryption } from '../../../src/adapters/secrets/encryption.ts';
import { createPublicHttp } from '../../../src/adapters/http/public-http.ts';
import { backing } from '../../support/backing.ts';
import { pendingCallback } from '../../support/pending-callback.ts';
import { startReceiver, type Receiver } from '../../support/receiver.ts';
import { until } from '../../support/until.ts';

/** More than a busy machine takes for an answer, less than the pauses below. */
const timeoutMs = 10_000;

describe('postCallback', () => {
  let db: Database;
  let receiver: Receiver;
  const realNow = performance.now.bind(performance);
  let skippedMs = 0;
  /** Has the effect of SIGSTOP and SIGCONT: only the clock has moved on. */
  const pause = (ms: number) => {
    skippedMs += ms;
  };
  before(async () => {
    // No worker works on it: nobody else comes to these callbacks.
    db = connectDatabase(await (await backing()).freshDatabase(), 12);
    receiver = await startReceiver();
    performance.now = () => realNow() + skippedMs;
  });
  after(async () => {
    performance.now = realNow;
    await Promise.all([db.close(), receiver.close()]);
  });

  /** The dependencies that a worker process gives to the function. */
  function worker(over: { db?: Database; http?: ReturnType<typeof createPublicHttp> } = {}) {
    const http = createPublicHttp({ allow: [receiver.host] });
    const shares = new FairShares(100, () => undefined);
    const encryption = createEncryption(undefined);
    return { db, http, shares, encryption, callbackTimeoutMs: timeoutMs, callbackLookupMs: 60_000, ...over };
  }
  const row = async (id: string) => (await findDelivery(db, id))!;
  /** A database whose process is stopped right after its claim was committed. */
  const pausedAfterClaim = (ms: number): Database => {
    const query = async (statement: { name: string }, ...rest: unknown[]) => {
      const result: unknown = await Reflect.apply(db.pool.query.bind(db.pool), undefined, [
        statement,
        ...rest,
      ]);
      if (statement.name === 'claim-delivery') pause(ms);
      return result;
    };
    return { ...db, pool: { query } as unknown as Database['pool'] };
  };

  it('sends once if ten attempts start at the same time, and makes the others retry', async () => {
    const { id, path } = await pendingCallback(db, receiver);
    const answered = Promise.withResolvers<undefined>();
    receiver.behave(path, { until: answered.promise });
    // An attempt that starts after the answer would read back the outcome, so that the answer waits for all of them.
    let refused = 0;
    const attempts = Array.from({ length: 10 }, async () => {
      try {
        return await postCallback({ ...worker(), callbackTimeoutMs: 60_000 }, id);
      } catch (error) {
        assert.ok(error instanceof ApplicationFailure);
        refused += 1;
        return 'refused';
      }
    });
    await until('nine attempts are refused', () => refused === 9);
    answered.resolve(undefined);
    assert.deepEqual(
      (await Promise.all(attempts)).filter((one) => one !== 'refused'),
      ['delivered'],
    );
    assert.equal(receiver.requestsTo(path).length, 1);
  });

  it('reads back the recorded outcome of an attempt, whatever it was, and sends nothing', async () => {
    for (const [status, expected] of [
      [200, 'delivered'],
      [500, 'failed'],
    ] as const) {
      const { id, path } = await pendingCallback(db, receiver);
      receiver.behave(path, { status });
      assert.equal(await postCallback(worker(), id), expected);
      assert.equal(await postCallback(worker(), id), expected);
      assert.equal(receiver.requestsTo(path).length, 1);
    }
  });

  it('waits for an attempt that may be in progress, then records it as unknown, and never sends again', async () => {
    const { id, path } = await pendingCallback(db, receiver);
    receiver.behave(path, { hang: true });
    // The process that sent it is killed: its record never comes.
    const dying = { ...worker(), callbackTimeoutMs: 2000, db: dyingBeforeItsRecord(db) };
    await assert.rejects(postCallback(dying, id), /killed/);
    assert.equal((await row(id)).status, 'attempting');
    await assert.rejects(postCallback(worker(), id), { type: 'Attempting' });
    await db
      .knex('deliveries')
      .where({ id })
      .update({ attempted_at: new Date(Date.now() - 60_000) });
    assert.equal(await postCallback(worker(), id), 'unknown');
    assert.equal(await postCallback(worker(), id), 'unknown');
    assert.equal(receiver.requestsTo(path).length, 1);
  });

  it('sends nothing when its process was stopped before the claim, and leaves the claim to others', async () => {
    const { id, path } = await pendingCallback(db, receiver);
    const { http } = worker();
    const prepare: typeof http.prepare = async (url) => {
      const prepared = await http.prepare(url);
      pause(20_000);
      return prepared;
    };
    await assert.rejects(postCallback(worker({ http: { ...http, prepare } }), id), { type: 'Late' });
    assert.equal((await row(id)).status, 'pending');
    assert.equal(await postCallback(worker(), id), 'delivered');
    assert.equal(receiver.requestsTo(path).length, 1);
  });

  it('sends nothing when its process was stopped between claim and send', async () => {
    const { id, path } = await pendingCallback(db, receiver);
    assert.equal(await postCallback(worker({ db: pausedAfterClaim(20_000) }), id), 'failed');
    await delay(100);
    assert.equal(receiver.requestsTo(path).length, 0);
  });

  it('sends nothing when its process was stopped while it was connecting', async () => {
    const { id, path } = await pendingCallback(db, receiver);
    const http = createPublicHttp({
      allow: [receiver.host],
      connect: (to) => {
        pause(20_000);
        return createConnection(to);
      },
    });
    assert.equal(await postCallback(worker({ http }), id), 'failed');
    await delay(100);
    assert.equal(receiver.requestsTo(path).length, 0);
  });
});

function dyingBeforeItsRecord(db: Database): Database {
  const query = async (statement: { name: string }, ...rest: unknown[]) => {
    if (statement.name === 'finish-delivery') throw new Error('killed');
    return await (Reflect.apply(db.pool.query.bind(db.pool), undefined, [
      statement,
      ...rest,
    ]) as Promise<unknown>);
  };
  return { ...db, pool: { query } as unknown as Database['pool'] };
}
