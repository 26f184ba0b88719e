/** Background work that depends on Postgres: bounded while it is away, and always reported. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { StreamOutbox } from '../../../src/worker/stream-outbox.ts';
import { connectDatabase, type Database } from '../../../src/adapters/postgres/database.ts';
import { Notifications } from '../../../src/adapters/postgres/notifications.ts';
import { RunAnswers } from '../../../src/adapters/postgres/conversations/run-answers.ts';
import { RunStreams } from '../../../src/adapters/postgres/conversations/run-streams.ts';
import { until } from '../../support/until.ts';

const runId = '00000000-0000-0000-0000-000000000001';

describe('While Postgres is away', () => {
  let connections = 0;
  /** Takes connections and drops them. */
  const away = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  let url: string;
  let db: Database;

  before(async () => {
    away.listen(0, '127.0.0.1');
    await once(away, 'listening');
    url = `postgres://parley@127.0.0.1:${(away.address() as AddressInfo).port}/parley`;
    db = connectDatabase(url, 1);
  });
  beforeEach(() => {
    connections = 0;
  });
  after(async () => {
    await db.close();
    away.close();
  });

  it('a listener that is asked to connect all the time tries a few times, and reports each failure', async () => {
    const failures: unknown[] = [];
    const notifications = new Notifications(url, (error) => failures.push(error));
    const end = performance.now() + 4000;
    await until('four seconds', () => {
      notifications.connect();
      return Promise.resolve(performance.now() > end);
    });
    await notifications.close();
    // Pauses of 0.25 to 0.5 s, 0.5 to 1 s, 1 to 2 s, 2 to 4 s.
    assert.ok(connections >= 2 && connections <= 5, `${connections} connections`);
    assert.ok(failures.length >= connections - 1, `${failures.length} failures reported`);
  });

  it('readers of streams and answers report what they could not read', async () => {
    const notifications = new Notifications(url, () => undefined);
    const failures: Error[] = [];
    const failed = (error: unknown) => {
      if (error instanceof Error) failures.push(error);
    };
    const streams = new RunStreams(db, notifications, failed);
    const reader = streams.follow({ organizationId: runId, runId }, 0);
    const read = reader.next();
    await until('the stream to report', () => Promise.resolve(failures.length > 0));
    reader.close();
    assert.deepEqual(await read, []);
    assert.deepEqual(await reader.next(), [], 'a closed reader does not wait');
    streams.close();
    failures.length = 0;
    const answers = new RunAnswers(db, notifications, failed);
    assert.equal(await answers.waitFor(runId, 500), false);
    // Far longer than the test may take.
    assert.equal(await answers.waitFor(runId, 600_000, AbortSignal.abort()), false);
    answers.close();
    assert.match(failures[0]?.message ?? '', /connection/i);
    await notifications.close();
  });

  it('a writer of streams reports what it could not store, and ends its text all the same', async () => {
    const failures: unknown[] = [];
    const outbox = new StreamOutbox({
      append: () => Promise.reject(new Error('away')),
      begin: () => Promise.resolve(),
      failed: (error) => failures.push(error),
    });
    const feed = await outbox.feed(runId, 0);
    feed.push('a text');
    await feed.settle();
    feed.close();
    assert.ok(failures.length >= 2);
  });
});
