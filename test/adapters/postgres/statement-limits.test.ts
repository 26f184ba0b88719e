/** Postgres itself ends what its caller has given up: a statement, a wait for a lock, a transaction left open. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import pg from 'pg';
import {
  connectDatabase,
  type Database,
  isDatabaseUnavailable,
} from '../../../src/adapters/postgres/database.ts';
import { acrossOrganizations } from '../../../src/adapters/postgres/organization-scope.ts';
import { backing } from '../../support/backing.ts';
import { until } from '../../support/until.ts';

describe('A database connection', () => {
  let url: string;
  let admin: pg.Client;
  /** A pool of its own, because within a transaction Postgres shows the activity that it showed first. */
  let observer: pg.Pool;
  const open: Database[] = [];

  before(async () => {
    url = await (await backing()).freshDatabase();
    admin = new pg.Client(url);
    await admin.connect();
    observer = new pg.Pool({ connectionString: url });
    await admin.query('create table held (id integer primary key, value integer)');
    await admin.query('insert into held select number, 0 from generate_series(0, 4) as number');
    await admin.query('grant all on held to parley_api, parley_api_across');
  });
  afterEach(async () => {
    await admin.query('rollback');
  });
  after(async () => {
    await Promise.all(open.map((db) => db.close()));
    await Promise.all([admin.end(), observer.end()]);
  });

  const ways = [
    ['a statement', false, (db: Database, sql: string) => db.pool.query(sql)],
    ['a statement of the API', true, (db: Database, sql: string) => db.pool.query(sql)],
    ['a query', false, (db: Database, sql: string) => db.knex.raw(sql)],
    ['a query of the API', true, (db: Database, sql: string) => db.knex.raw(sql)],
  ] as const;
  const statesOf = async (sql: string) => {
    const { rows } = await observer.query<{ state: string }>(
      "select state from pg_stat_activity where datname = current_database() and query like $1 and state <> 'idle'",
      [`${sql}%`],
    );
    return rows.map(({ state }) => state);
  };
  const failureOf = async (asked: PromiseLike<unknown>): Promise<Error & { code?: string }> => {
    try {
      await asked;
    } catch (error) {
      assert.ok(error instanceof Error);
      return error;
    }
    throw new Error('it succeeded');
  };

  it('ends on the server what runs too long or waits too long for a lock, before its caller gives up', async () => {
    await admin.query('begin');
    await admin.query('update held set value = 1');
    await Promise.all(
      ways.map(async ([name, scoped, ask], index) => {
        const db = connectDatabase(url, 2, scoped);
        open.push(db);
        const sleep = `select pg_sleep(60), ${index}`;
        const update = `update held set value = 1 where id = ${index}`;
        const [slow, locked] = await acrossOrganizations(() =>
          Promise.all([failureOf(ask(db, sleep)), failureOf(ask(db, update))]),
        );
        assert.deepEqual([slow.code, locked.code], ['57014', '55P03'], name);
        assert.ok(isDatabaseUnavailable(slow) && isDatabaseUnavailable(locked), name);
        await until(
          () => `${name} to end on the server`,
          async () => [...(await statesOf(sleep)), ...(await statesOf(update))].length === 0,
        );
      }),
    );
  });

  it('of a transaction that its process has abandoned is closed by the server, and the rows are free again', async () => {
    const db = connectDatabase(url, 2);
    open.push(db);
    const forgotten = await db.knex.transaction();
    await forgotten.raw('update held set value = 2 where id = 4');
    assert.deepEqual(await statesOf('update held set value = 2'), ['idle in transaction']);
    await until(
      'the server to end it',
      async () => (await statesOf('update held set value = 2')).length === 0,
    );
    const failed = await failureOf(forgotten.raw('select 1'));
    assert.ok(isDatabaseUnavailable(failed), failed.message);
    await forgotten.rollback().catch(() => undefined);
    await db.knex.raw('update held set value = 3 where id = 4');
  });

  it('to a Postgres that accepts it and never answers fails like one to a Postgres that is down', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const target = new URL(url);
    target.port = String((silent.address() as AddressInfo).port);
    target.hostname = '127.0.0.1';
    const db = connectDatabase(target.href, 1);
    try {
      const asked = [db.pool.query('select 1'), db.knex.raw('select 1')].map(failureOf);
      for (const failed of await Promise.all(asked)) assert.ok(isDatabaseUnavailable(failed), failed.message);
    } finally {
      silent.close();
      await db.close();
    }
  });

  it('in a deadlock counts as one to a busy Postgres, so that its caller tries again', async () => {
    const db = connectDatabase(url, 2, false);
    open.push(db);
    const [left, right] = [await db.pool.connect(), await db.pool.connect()];
    const raise = (id: number) => `update held set value = value + 1 where id = ${id}`;
    try {
      for (const [client, id] of [
        [left, 0],
        [right, 1],
      ] as const) {
        await client.query('begin');
        await client.query(raise(id));
      }
      const settled = await Promise.allSettled([left.query(raise(1)), right.query(raise(0))]);
      const [failed, ...others] = settled.filter((one) => one.status === 'rejected');
      assert.ok(failed !== undefined && others.length === 0);
      assert.equal((failed.reason as { code: string }).code, '40P01');
      assert.ok(isDatabaseUnavailable(failed.reason));
    } finally {
      for (const client of [left, right]) {
        await client.query('rollback');
        client.release();
      }
    }
  });
});
