/**
 * Connects to Postgres with two pools: one for prepared statements of hot paths, one for knex and everything else. Each
 * connection of the API is set to the organization for which code runs, so that Postgres shows it no other's rows.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import knex from 'knex';
import pg from 'pg';
import type { z } from 'zod';
import { Limiter } from '../../limits/limiter.ts';
import { connectionSettings, PrimaryClient } from './primary-client.ts';

/** Role that sees the rows of one organization (see row-security.ts). */
export const apiRole = 'parley_api';
/** Role that sees the rows of all organizations, for the queries of acrossOrganizations(). */
export const everyOrganizationRole = 'parley_api_across';
const everyOrganization = '*';

const scope = new AsyncLocalStorage<string>();

/** Within `work`, queries of a scoped database see and change rows of this organization only. */
export function inOrganization<T>(organizationId: string, work: () => T): T {
  return scope.run(organizationId, work);
}

/**
 * Within `work`, queries see and change the rows of all organizations. For queries that belong to no single
 * organization, such as finding the organization of a token. Give the reason in a comment.
 */
export function acrossOrganizations<T>(work: () => T): T {
  return scope.run(everyOrganization, work);
}

/** Counts of a pool's connections, and of the callers that wait for one. */
export interface PoolUse {
  used: number;
  idle: number;
  waiting: number;
  limit: number;
}

/** A pool of connections, or the one connection of a transaction. */
export interface StatementPool {
  query<Row extends pg.QueryResultRow>(
    statement: string | pg.QueryConfig,
    values?: unknown[],
  ): Promise<pg.QueryResult<Row>>;
  connect(): Promise<pg.PoolClient>;
  end(): Promise<void>;
}

export interface Database {
  readonly knex: knex.Knex;
  readonly pool: StatementPool;
  poolUse(): { statements: PoolUse; queries: PoolUse };
  close(): Promise<void>;
}

pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number);

/** Limits how many connections of each pool one organization may hold. */
export interface PoolShare {
  /** Between 0 and 1. */
  share: number;
  /** Called when a query waits because its organization uses its whole share. */
  reached: (organization: string) => void;
}

/**
 * Creates both pools. They open connections when queries need them.
 * @param scoped true, or a share, for the API: each query then needs a scope: inOrganization() or acrossOrganizations()
 */
export function connectDatabase(
  url: string,
  poolSize: number,
  scoped: boolean | PoolShare = false,
): Database {
  const shares = () =>
    typeof scoped === 'boolean'
      ? undefined
      : new ConnectionShares(Math.max(1, Math.floor(scoped.share * poolSize)), scoped.reached);
  const settings = { ...connectionSettings(url), Client: PrimaryClient, max: poolSize };
  const pool = scoped === false ? new pg.Pool(settings) : new ScopedPool(settings);
  if (pool instanceof ScopedPool) pool.shares = shares();
  // A broken idle connection is replaced at the next query; without a listener its error would end the process.
  pool.on('error', () => undefined);
  const queries = knex({
    client: 'pg',
    connection: connectionSettings(url),
    pool: { min: 0, max: poolSize },
    acquireConnectionTimeout: 5000,
  });
  clientOf(queries).driver = { ...pg, Client: PrimaryClient };
  if (scoped !== false) scopeQueries(queries, shares());
  return {
    knex: queries,
    pool,
    poolUse: () => ({
      statements: {
        used: pool.totalCount - pool.idleCount,
        idle: pool.idleCount,
        waiting: pool.waitingCount,
        limit: poolSize,
      },
      queries: { ...knexPoolUse(queries), limit: poolSize },
    }),
    close: async () => {
      await Promise.all([pool.end(), queries.destroy()]);
    },
  };
}

const entered = new WeakMap<pg.ClientBase, string>();

const enter = {
  name: 'enter-organization',
  text: `select set_config('role', $1, false), set_config('parley.organization', $2, false)`,
};

/**
 * Sets the role and the organization of a connection at its checkout.
 * @throws Error outside of inOrganization() and acrossOrganizations()
 */
async function enterScope(client: pg.ClientBase): Promise<void> {
  const wanted = scope.getStore();
  if (wanted === undefined) {
    throw new Error(
      'This code reaches the database for no organization: call it in inOrganization() or acrossOrganizations().',
    );
  }
  if (entered.get(client) === wanted) return;
  entered.delete(client);
  const values = wanted === everyOrganization ? [everyOrganizationRole, ''] : [apiRole, wanted];
  await client.query({ ...enter, values });
  entered.set(client, wanted);
}

/**
 * Maximum queries of an organization that wait while it uses its whole share, and their maximum wait. A query beyond
 * either limit fails with NoSlot. Chosen.
 */
const maxWait = { maxWaiting: 500, maxWaitMs: 5000 };

/** Limits how many connections of a pool one organization holds, so that its slow queries cannot block the others. */
class ConnectionShares {
  readonly #limiter: Limiter;
  readonly #reached: (organization: string) => void;

  /** @param reached called when a query waits because its organization uses its whole share */
  constructor(perOrganization: number, reached: (organization: string) => void) {
    this.#limiter = new Limiter({ maxPerOwner: perOrganization, ...maxWait });
    this.#reached = reached;
  }

  /**
   * Takes a connection's slot for the current organization. Outside of inOrganization(), nothing is limited.
   * @returns a function that frees the slot
   * @throws NoSlot if too many queries of the organization wait, or no slot became free in time
   */
  async take(): Promise<() => void> {
    const organization = scope.getStore();
    if (organization === undefined || organization === everyOrganization) return () => undefined;
    const taken = this.#limiter.tryHold(organization);
    if (taken !== undefined) return taken;
    this.#reached(organization);
    return await this.#limiter.hold(organization);
  }
}

type Connected = Parameters<pg.Pool['connect']>[0];

/** A pool that enters the caller's scope at every checkout. */
class ScopedPool extends pg.Pool {
  shares: ConnectionShares | undefined;

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | undefined {
    const checkedOut = this.#checkOut();
    if (callback === undefined) return checkedOut;
    checkedOut.then(
      (client) => {
        callback(undefined, client, client.release.bind(client));
      },
      (error: unknown) => {
        callback(error instanceof Error ? error : new Error(String(error)), undefined, () => undefined);
      },
    );
    return undefined;
  }

  async #checkOut(): Promise<pg.PoolClient> {
    const giveBack = await this.shares?.take();
    let client: pg.PoolClient | undefined;
    try {
      client = await super.connect();
      await enterScope(client);
    } catch (error) {
      client?.release(true);
      giveBack?.();
      throw error;
    }
    if (giveBack !== undefined) {
      // The pool creates a new `release` for each checkout.
      const release = client.release.bind(client);
      client.release = (destroy) => {
        release(destroy);
        giveBack();
      };
    }
    return client;
  }
}

/** Knex's types do not declare its pool. */
function knexPoolUse(queries: knex.Knex): Omit<PoolUse, 'limit'> {
  const client: unknown = queries.client;
  const pool: unknown = typeof client === 'object' && client !== null && 'pool' in client && client.pool;
  return isCountingPool(pool)
    ? { used: pool.numUsed(), idle: pool.numFree(), waiting: pool.numPendingAcquires() }
    : { used: 0, idle: 0, waiting: 0 };
}

type CountingPool = Record<'numUsed' | 'numFree' | 'numPendingAcquires', () => number>;

function isCountingPool(pool: unknown): pool is CountingPool {
  return typeof pool === 'object' && pool !== null && 'numUsed' in pool && 'numPendingAcquires' in pool;
}

function clientOf(queries: knex.Knex): knex.Knex.Client {
  const client: unknown = queries.client;
  if (!(client instanceof knex.Client)) throw new Error('knex uses an unexpected client');
  return client;
}

function scopeQueries(queries: knex.Knex, shares: ConnectionShares | undefined): void {
  const client = clientOf(queries);
  const acquire = client.acquireConnection.bind(client);
  const release = client.releaseConnection.bind(client);
  const taken = new WeakMap<object, () => void>();
  client.releaseConnection = async (connection: object) => {
    await release(connection);
    taken.get(connection)?.();
    taken.delete(connection);
  };
  client.acquireConnection = async () => {
    const giveBack = await shares?.take();
    let connection: unknown;
    try {
      connection = await acquire();
    } catch (error) {
      giveBack?.();
      throw error;
    }
    if (!(connection instanceof pg.Client)) throw new Error('knex uses a connection that is not a pg client');
    if (giveBack !== undefined) taken.set(connection, giveBack);
    try {
      await enterScope(connection);
    } catch (error) {
      await client.releaseConnection(connection);
      throw error;
    }
    return connection;
  };
}

/** A database whose statements and queries all belong to one transaction. */
export interface Transaction extends Database {
  readonly isTransaction: true;
}

/**
 * Runs `work` in one transaction, in the caller's scope; rolls back everything if `work` throws. `work` must use the
 * database that it receives. It holds a connection, so it must not wait for anything except the database.
 */
export async function inTransaction<T>(db: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return await db.knex.transaction(async (trx) => {
    const connection: unknown = await clientOf(trx).acquireConnection();
    if (!(connection instanceof pg.Client)) throw new Error('knex uses a connection that is not a pg client');
    return await work({
      isTransaction: true,
      knex: trx,
      pool: poolOfOne(connection),
      poolUse: () => db.poolUse(),
      close: () => Promise.resolve(),
    });
  });
}

/** Wraps the transaction's connection as a pool. `release` does nothing, because knex releases the connection. */
function poolOfOne(connection: pg.Client): StatementPool {
  return {
    query: (statement, values) => connection.query(statement, values),
    connect: () => Promise.resolve(Object.assign(connection, { release: () => undefined })),
    end: () => Promise.resolve(),
  };
}

/** A prepared statement, parsed once per connection. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/**
 * Runs a prepared statement on the pool for hot paths. Waits for a connection as long as `connectionSettings` and the
 * organization's share allow.
 * @throws the driver's errors; NoSlot if the organization uses its whole share and no connection becomes free in time,
 * or too many of its queries already wait; Error if a scoped database is used outside a scope
 */
export async function queryRows<Row extends pg.QueryResultRow>(
  db: Database,
  statement: Statement,
  values: unknown[],
): Promise<Row[]> {
  const result = await db.pool.query<Row>({ ...statement, values });
  return result.rows;
}

/** Runs a prepared statement like `queryRows`. @returns the first row; undefined if there is none */
export async function queryRow<Row extends pg.QueryResultRow>(
  db: Database,
  statement: Statement,
  values: unknown[],
): Promise<Row | undefined> {
  return (await queryRows<Row>(db, statement, values))[0];
}

/**
 * Runs a prepared statement that returns one row with a JSON column `result`, as our SQL functions do.
 * @returns the result, parsed with the schema
 * @throws ZodError if the SQL and the schema differ; Error if there is no row
 */
export async function queryResult<T>(
  db: Database,
  statement: Statement,
  values: unknown[],
  schema: z.ZodType<T>,
): Promise<T> {
  const row = await queryRow<{ result: unknown }>(db, statement, values);
  if (row === undefined) throw new Error(`${statement.name} gave no row`);
  return schema.parse(row.result);
}

/** Renames an object's own keys, but not nested ones, from snake case to camel case, which workflows use. */
export function camelKeys(json: unknown): unknown {
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(
    Object.entries(json).map(([key, value]) => [
      key.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
}

/**
 * SQLSTATEs of a Postgres that is down, full, busy or read-only. 57014, 55P03 and 25P03 are raised by the timeouts in
 * connectionSettings().
 */
const unavailableStates = /^(08|57P|53|25006|57014|55P03|25P03)/;

/**
 * True if Postgres was unreachable, full, busy or read-only, closed the connection, or exceeded a timeout. It is
 * unknown whether anything was written.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return (
    unavailableStates.test(code) ||
    ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'ENOENT', 'EAI_AGAIN'].includes(code) ||
    /Connection terminated|is not queryable|Query read timeout|timeout exceeded when trying to connect|Timeout acquiring a connection|pool is full/i.test(
      error.message,
    )
  );
}

/** True if the error is a violation of this unique index or constraint. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    error.code === '23505' &&
    'constraint' in error &&
    error.constraint === constraint
  );
}
