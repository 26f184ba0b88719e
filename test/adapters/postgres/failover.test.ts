/**
 * A Postgres that cannot be written counts as away: two real servers, one of which follows the other, and a promotion.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import {
  connectDatabase,
  isDatabaseUnavailable,
  type Database,
} from '../../../src/adapters/postgres/database.ts';
import { Notifications } from '../../../src/adapters/postgres/notifications.ts';
import { startPostgres, type Postgres } from '../../../src/local/postgres.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';
import { until } from '../../support/until.ts';

describe('After a failover of Postgres', () => {
  let folder: string;
  let first: Postgres;
  let second: Postgres;
  let line: TcpProxy;
  let url: string;
  let db: Database;
  let notifications: Notifications;
  let heard: string[];

  const onServer = async (server: Postgres, ...statements: string[]) => {
    const client = new pg.Client(server.url);
    await client.connect();
    try {
      for (const sql of statements) await client.query(sql);
    } finally {
      await client.end();
    }
  };
  const connections = async (server: Postgres) => {
    const client = new pg.Client(server.url);
    await client.connect();
    const { rows } = await client.query<{ n: number }>(
      "select count(*)::int as n from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
    );
    await client.end();
    return rows[0]!.n;
  };
  /** The outcome of each way to ask for a write: `written`, or the error. */
  const write = async (value: string) => {
    const ways = [
      db.pool.query('insert into kept values ($1)', [value]),
      db.knex('kept').insert({ value }),
      db.knex.transaction((trx) => trx('kept').insert({ value })),
    ];
    return (await Promise.allSettled(ways)).map((one): unknown =>
      one.status === 'fulfilled' ? 'written' : one.reason,
    );
  };
  const allUnavailable = (outcomes: unknown[]) => {
    for (const one of outcomes) assert.ok(isDatabaseUnavailable(one), String(one));
  };
  const allWritten = (outcomes: unknown[]) => {
    assert.deepEqual(outcomes, ['written', 'written', 'written']);
  };

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'parley-failover-'));
    const folders = ['first', 'second'].map((name) => join(folder, name)) as [string, string];
    first = await startPostgres({ dataDir: folders[0] });
    await onServer(first, 'create table kept (value text)');
    await first.stop();
    execFileSync('cp', ['-a', folders[0], folders[1]]);
    const cluster = join(folders[1], 'cluster');
    first = await startPostgres({ dataDir: folders[0] });
    const { password, port } = new URL(first.url);
    appendFileSync(
      join(cluster, 'postgresql.auto.conf'),
      `primary_conninfo = 'host=127.0.0.1 port=${port} user=postgres password=${password}'\n`,
    );
    const signal = join(cluster, 'standby.signal');
    writeFileSync(signal, '');
    const { uid, gid } = statSync(cluster);
    chownSync(signal, uid, gid);
    second = await startPostgres({ dataDir: folders[1] });
  });
  after(async () => {
    await Promise.all([first.stop(), second.stop()]);
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    line = await startTcpProxy({ host: '127.0.0.1', port: first.port });
    const through = new URL(first.url);
    through.port = String(line.port);
    url = through.href;
    db = connectDatabase(url, 4);
    heard = [];
    notifications = new Notifications(url, () => undefined);
    notifications.on('told', (payload) => heard.push(payload));
  });
  afterEach(async () => {
    await notifications.close();
    await db.close();
    await line.close();
  });

  const hears = async (server: Postgres, word: string) => {
    await until('the notification', async () => {
      notifications.connect();
      await onServer(server, `notify told, '${word}'`);
      return heard.includes(word);
    });
  };

  it('a server that turns read-only is unavailable, and each connection to it is replaced', async () => {
    allWritten(await write('before'));
    const before = await connections(first);
    await onServer(first, 'alter system set default_transaction_read_only = on', 'select pg_reload_conf()');
    // Postgres reads its configuration again a moment after pg_reload_conf returns.
    await until('writes to be refused', async () => (await write('before')).every(isDatabaseUnavailable));
    await until('no connection to be kept', async () => (await connections(first)) === 0);
    allUnavailable(await write('lost'));
    // A read would show what the new primary has gone past.
    const read = await db.pool.query('select 1').catch((error: unknown) => error);
    assert.ok(isDatabaseUnavailable(read), String(read));
    await onServer(
      first,
      'set default_transaction_read_only = off',
      'alter system reset default_transaction_read_only',
      'select pg_reload_conf()',
    );
    await until('writes', async () => (await write('after')).every((one) => one === 'written'));
    assert.ok(before > 0);
  });

  it('a standby is unavailable until it is promoted, and leaves no connection behind; then all work continues', async () => {
    allWritten(await write('first'));
    await hears(first, 'one');
    await line.cut();
    line.lead({ host: '127.0.0.1', port: second.port });
    await line.restore();
    allUnavailable(await write('standby'));
    const read = await db.pool.query('select 1').catch((error: unknown) => error);
    assert.ok(isDatabaseUnavailable(read), String(read));
    for (let tries = 0; tries < 30; tries += 1) {
      notifications.connect();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await until('no connection to be kept', async () => (await connections(second)) === 0);
    await first.stop();
    await onServer(second, 'select pg_promote()');
    await until('writes', async () => (await write('second')).every((one) => one === 'written'));
    await hears(second, 'two');
    const { rows } = await db.pool.query<{ value: string }>('select distinct value from kept order by value');
    assert.deepEqual(
      rows.map(({ value }) => value).filter((value) => value !== 'before' && value !== 'after'),
      ['first', 'second'],
    );
  });
});
