/** Connects to Postgres with two pools: one for prepared statements, and one for knex queries and transactions. */
import knex from 'knex';
import pg from 'pg';
import { z } from 'zod';
import { PublicError } from '../../contract/errors.ts';
import {
  ConnectionShares,
  currentScope,
  databaseRoles,
  enterByRole,
  enterSigned,
  forAccounts,
  ScopedPool,
  type Enter,
  type ScopeKind,
} from './organization-scope.ts';

/** How many connections of a pool are in use and idle, how many callers wait for one, and how many it may open. */
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

/** The limit on the connections of each pool that one organization may hold at once. */
export interface PoolShare {
  /** Share of a pool's connections, between 0 and 1. */
  share: number;
  /** Called with an organization's id whenever one of its queries waits or fails because its whole share is in use. */
  reached: (organization: string) => void;
}

/**
 * Creates the two pools. A pool opens a connection only when a query needs one.
 * @param poolSize maximum connections of each pool
 * @param scoped true or a share if each query must run in a scope (see organization-scope.ts). A share also limits the
 * connections of each organization
 */
export function connectDatabase(
  url: string,
  poolSize: number,
  scoped: boolean | PoolShare = false,
): Database {
  return connect(url, poolSize, scoped);
}

/**
 * Connects with the role `parley_worker`, without scopes.
 * @param url URL of a login that has this role or may change to it
 * @param poolSize maximum connections of each pool
 */
export function connectWorkerDatabase(url: string, poolSize: number): Database {
  return connect(url, poolSize, false, { role: databaseRoles.worker });
}

/** The URL of the API's login for each kind of scope. */
export type ApiLogins = Readonly<Record<ScopeKind, string>>;

/**
 * Connects the API with one login for each kind of scope. Each query uses the login of the scope in which it runs. So
 * it reaches only the rows that this login may reach, even if an attacker has changed the query's text.
 * @param poolSize maximum connections of each of the two pools of `organization`. The maximum of each pool of the other
 * two logins is a third of that, but at least 2.
 * @param scoped a share limits the connections that one organization may hold; true: no such limit
 */
export function connectApiDatabase(urls: ApiLogins, poolSize: number, scoped: true | PoolShare): Database {
  const fewer = Math.max(2, Math.ceil(poolSize / 3));
  const across = connect(urls.across, fewer, false);
  let key: Promise<Buffer> | undefined;
  const enter = enterSigned(
    () =>
      (key ??= readScopeKey(across).catch((error: unknown) => {
        key = undefined;
        throw error;
      })),
  );
  const byKind = {
    across,
    accounts: connect(urls.accounts, fewer, false),
    organization: connect(urls.organization, poolSize, scoped, { enter }),
  };
  const current = () => byKind[currentScope().kind];
  const all = Object.values(byKind);
  return {
    knex: routeQueries(byKind.organization.knex, () => current().knex),
    pool: {
      query: (statement, values) => current().pool.query(statement, values),
      connect: () => current().pool.connect(),
      end: () => Promise.resolve(),
    },
    poolUse: () => ({
      statements: sumOf(all.map((db) => db.poolUse().statements)),
      queries: sumOf(all.map((db) => db.poolUse().queries)),
    }),
    close: async () => {
      await Promise.all(all.map((db) => db.close()));
    },
  };
}

const scopeKey = statement('scope-key', z.object({ key: z.instanceof(Buffer) }))`select key from scope_keys`;

/** @throws Error if the database has no scope key, because it is not migrated */
async function readScopeKey(db: Database): Promise<Buffer> {
  const row = await queryRow(db, scopeKey, []);
  if (row === undefined) throw new Error('The database has no scope key: run parley migrate.');
  return row.key;
}

function sumOf(pools: readonly PoolUse[]): PoolUse {
  const sum = (field: keyof PoolUse) => pools.reduce((total, pool) => total + pool[field], 0);
  return { used: sum('used'), idle: sum('idle'), waiting: sum('waiting'), limit: sum('limit') };
}

/**
 * Changes the knex instance `queries`, so that each checkout takes a connection from the pool of the instance that
 * `current` returns.
 */
function routeQueries(queries: knex.Knex, current: () => knex.Knex): knex.Knex {
  const client = clientOf(queries);
  const acquire = client.acquireConnection.bind(client);
  const release = client.releaseConnection.bind(client);
  const lenders = new WeakMap<object, knex.Knex.Client>();
  client.acquireConnection = async () => {
    const lender = clientOf(current());
    const connection: unknown = lender === client ? await acquire() : await lender.acquireConnection();
    if (lender !== client && connection instanceof pg.Client) lenders.set(connection, lender);
    return connection;
  };
  client.releaseConnection = async (connection: object) => {
    const lender = lenders.get(connection);
    await (lender === undefined ? release(connection) : lender.releaseConnection(connection));
  };
  return queries;
}

function connect(
  url: string,
  poolSize: number,
  scoped: boolean | PoolShare,
  { role, enter = enterByRole }: { role?: string; enter?: Enter } = {},
): Database {
  const shares = () =>
    typeof scoped === 'boolean'
      ? undefined
      : new ConnectionShares(Math.max(1, Math.floor(scoped.share * poolSize)), scoped.reached);
  const settings = { ...connectionSettings(url, role), Client: PrimaryClient, max: poolSize };
  const pool = scoped === false ? new pg.Pool(settings) : new ScopedPool(settings);
  if (pool instanceof ScopedPool) Object.assign(pool, { shares: shares(), enter });
  // The pool replaces a broken idle connection. Without this listener, the connection's error would end the process.
  pool.on('error', () => undefined);
  const queries = knex({
    client: 'pg',
    connection: connectionSettings(url, role),
    pool: { min: 0, max: poolSize },
    acquireConnectionTimeout: 5000,
  });
  clientOf(queries).driver = { ...pg, Client: PrimaryClient };
  if (scoped !== false) scopeQueries(queries, shares(), enter);
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

/**
 * Counts the connections of knex's pool, which knex's types do not declare. Returns zeros if the pool has no counts.
 */
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

/**
 * Returns the client of a knex instance.
 * @throws Error if it is not a `knex.Client`, for example because a new version of knex uses another class
 */
function clientOf(queries: knex.Knex): knex.Knex.Client {
  const client: unknown = queries.client;
  if (!(client instanceof knex.Client)) throw new Error('knex uses an unexpected client');
  return client;
}

/**
 * Makes knex enter the caller's scope at each checkout, and limits the connections of each organization to its share. A
 * checkout throws the errors of `ConnectionShares.take` and `enter`, and an Error if the connection is not a pg client.
 * @throws Error if knex's client is not of the expected class
 */
function scopeQueries(queries: knex.Knex, shares: ConnectionShares | undefined, enter: Enter): void {
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
      await enter(connection);
    } catch (error) {
      await client.releaseConnection(connection);
      throw error;
    }
    return connection;
  };
}

/** A database whose statements and knex queries all run in one transaction. */
export interface Transaction extends Database {
  readonly isTransaction: true;
}

/**
 * Runs `work` in one transaction, in the caller's scope. `work` must use the database that it receives, and must not
 * wait for anything else, because the transaction holds a connection.
 * @returns the result of `work`, after the commit
 * @throws the error of `work`, after the transaction was rolled back; an error of beginning or committing it
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

/**
 * Works like `inTransaction`, but in the scope of accounts. Of the API's queries, only those in this scope can read
 * passwords and sessions, and change users.
 */
export async function inAccountTransaction<T>(
  db: Database,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return await forAccounts(() => inTransaction(db, work));
}

/** Wraps the connection of a transaction as a pool. `release` does nothing, because knex releases the connection. */
function poolOfOne(connection: pg.Client): StatementPool {
  return {
    query: (statement, values) => connection.query(statement, values),
    connect: () => Promise.resolve(Object.assign(connection, { release: () => undefined })),
    end: () => Promise.resolve(),
  };
}

/** A prepared statement, with the schema of its rows. Postgres parses its text once per connection. */
export interface Statement<Row = unknown> {
  readonly name: string;
  readonly text: string;
  readonly row: z.ZodType<Row>;
}

/** Makes the function of a statement: its parameters after `db` are the values of $1, $2 … `undefined` means null. */
type FunctionTag<Result> = <Values extends unknown[]>(
  text: TemplateStringsArray,
  ...sql: readonly (string | number)[]
) => (db: Database, ...values: Values) => Promise<Result>;

interface Template<Row> {
  (text: TemplateStringsArray, ...sql: readonly (string | number)[]): Statement<Row>;
  /** A function that returns what `queryRows` returns. */
  readonly rows: FunctionTag<Row[]>;
  /** A function that returns what `queryRow` returns. */
  readonly row: FunctionTag<Row | undefined>;
  /** A function that returns what `queryIds` returns. */
  readonly ids: FunctionTag<string[]>;
  /** A function that returns what `queryResult` returns. The statement's schema is that of the column `result`. */
  readonly result: FunctionTag<Row>;
  /** A function that returns true if the statement returns a row. */
  readonly hasRow: FunctionTag<boolean>;
  /** A function that returns nothing. */
  readonly write: FunctionTag<void>;
}

/**
 * Defines a prepared statement: `` statement('find-role', roleRow)`select … where id = $1` ``; or a function that runs
 * it: `` statement('find-role', roleRow).row<[id: string]>`select … where id = $1` `` is called as `f(db, id)`. The
 * template may interpolate only SQL that is part of the code. Values are passed as the parameters $1, $2 …
 * @param name unique among all statements, because each connection prepares only one text per name
 * @param row the schema that parses each row; needed if the rows are read. It may contain a schema of the public API if
 * every stored row satisfies that schema's limits
 */
export function statement(name: string): Template<unknown>;
export function statement<Row>(name: string, row: z.ZodType<Row>): Template<Row>;
export function statement(name: string, row: z.ZodType = z.unknown()): Template<unknown> {
  const define =
    <Row>(schema: z.ZodType<Row>) =>
    (text: TemplateStringsArray, ...sql: readonly (string | number)[]): Statement<Row> => ({
      name,
      text: String.raw({ raw: text }, ...sql).trimStart(),
      row: schema,
    });
  const tag =
    <Row, Result>(
      schema: () => z.ZodType<Row>,
      run: (db: Database, defined: Statement<Row>, values: unknown[]) => Promise<Result>,
    ): FunctionTag<Result> =>
    (text, ...sql) => {
      const defined = define(schema())(text, ...sql);
      return async (db, ...values) => await run(db, defined, values);
    };
  const own = () => row;
  return Object.assign(define(row), {
    rows: tag(own, queryRows),
    row: tag(own, queryRow),
    ids: tag(() => idRow, queryIds),
    result: tag(() => resultRow(row), queryResult),
    hasRow: tag(own, async (...query) => (await queryRows(...query)).length > 0),
    write: tag(own, async (...query) => {
      await queryRows(...query);
    }),
  });
}

/**
 * Runs a prepared statement on the pool for prepared statements, or in the transaction. Waits for a free connection as
 * long as `connectionSettings` and the organization's share allow.
 * @returns the rows, parsed with the statement's schema
 * @throws the driver's errors; NoSlot if the organization uses its whole share, and too many of its queries already
 * wait or no connection becomes free in time; Error if a scoped database is used outside a scope; ZodError if a row
 * does not match the schema
 */
export async function queryRows<Row>(
  db: Database,
  { name, text, row }: Statement<Row>,
  values: unknown[],
): Promise<Row[]> {
  const result = await db.pool.query({ name, text, values });
  return result.rows.map((found) => row.parse(found));
}

/** Runs a prepared statement like `queryRows`. @returns the first row; undefined if there is none */
export async function queryRow<Row>(
  db: Database,
  statement: Statement<Row>,
  values: unknown[],
): Promise<Row | undefined> {
  return (await queryRows(db, statement, values))[0];
}

/** The schema of a row that contains an id. */
export const idRow = z.object({ id: z.string() });

/** Runs a prepared statement like `queryRows`. @returns the `id` of each row */
export async function queryIds(
  db: Database,
  statement: Statement<{ id: string }>,
  values: unknown[],
): Promise<string[]> {
  return (await queryRows(db, statement, values)).map(({ id }) => id);
}

/** Returns the first row of a write that always returns a row. @throws Error if there is none */
export function firstRow<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined) throw new Error('the write returned no row');
  return row;
}

/** @returns the rows of a knex query, parsed with the schema. @throws ZodError if a row does not match it */
export async function rowsOf<Row>(row: z.ZodType<Row>, query: PromiseLike<unknown[]>): Promise<Row[]> {
  return (await query).map((found) => row.parse(found));
}

/** Works like `rowsOf` for a knex query that ends with `first()`. @returns undefined if there is no row */
export async function rowOf<Row>(row: z.ZodType<Row>, query: PromiseLike<unknown>): Promise<Row | undefined> {
  const found = await query;
  return found === undefined ? undefined : row.parse(found);
}

/** Works like `rowsOf`. @returns the first row; undefined if there is none */
export async function firstRowOf<Row>(
  row: z.ZodType<Row>,
  query: PromiseLike<unknown[]>,
): Promise<Row | undefined> {
  return (await rowsOf(row, query))[0];
}

/** A JSON value exactly as it is stored. `z.json()` would remove keys such as `__proto__`, which a model may choose. */
export const storedJson = z.custom<z.core.util.JSONType>((value) => value !== undefined);

/** A timestamp as the API shows it: ISO 8601 in UTC. */
export const isoDate = z.date().transform((date) => date.toISOString());

/** Returns a schema that removes the nulls of a row before it parses the row, so that a null column is an absent field. */
export function sparseRow<Row>(row: z.ZodType<Row>) {
  return z.preprocess(withoutNulls, row);
}

function withoutNulls(row: unknown): unknown {
  if (typeof row !== 'object' || row === null) return row;
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}

/** Returns the schema of a row with the column `result`, whose value the given schema parses. */
export function resultRow<T>(result: z.ZodType<T>) {
  return z.object({ result });
}

/**
 * Runs a prepared statement like `queryRows`. The statement always returns a row with a column `result`.
 * @returns the value of `result` in the first row
 * @throws Error if there is no row; the errors of `queryRows`
 */
export async function queryResult<T>(
  db: Database,
  statement: Statement<{ result: T }>,
  values: unknown[],
): Promise<T> {
  const row = await queryRow(db, statement, values);
  if (row === undefined) throw new Error(`${statement.name} gave no row`);
  return row.result;
}

/**
 * Converts the keys of an object from snake case, which all SQL uses, to camel case. Does not convert the keys of
 * nested objects. Returns null and values that are not objects unchanged.
 */
export function camelKeys(json: unknown): unknown {
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [camelKey(key), value]));
}

const camelNames = new Map<string, string>();

/** The keys are names of columns and of keys in the code's SQL, so the map does not grow without bound. */
function camelKey(key: string): string {
  let name = camelNames.get(key);
  if (name === undefined) {
    name = key.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    camelNames.set(key, name);
  }
  return name;
}

/** Returns the schema of a row or a JSON object that the code reads in camel case (see `camelKeys`). */
export function camelRow<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.preprocess(camelKeys, z.object(shape));
}

/**
 * SQLSTATEs of a Postgres that is down, full, busy or read-only:
 * https://www.postgresql.org/docs/current/errcodes-appendix.html. The timeouts in connectionSettings() raise 57014,
 * 55P03 and 25P03. A deadlock, for example with a migration, raises 40P01.
 */
const unavailableStates = /^(08|57P|53|25006|57014|55P03|25P03|40P01)/;

/**
 * True if Postgres was unreachable, full, busy or read-only, closed the connection, or exceeded a timeout, or if no
 * connection of the pool became free in time. The query may have written something.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return (
    unavailableStates.test(code) ||
    ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'ENOENT', 'EAI_AGAIN'].includes(code) ||
    /Connection terminated|timeout expired|is not queryable|Query read timeout|timeout exceeded when trying to connect|Timeout acquiring a connection|pool is full/i.test(
      error.message,
    )
  );
}

/**
 * Runs a write, and converts a violation of one unique index or constraint to a public error.
 * @param constraint name of the unique index or constraint
 * @param sentence the sentence of the public error; default: that of `conflict`
 * @throws PublicError conflict if the write violates the constraint; any other error of the write
 */
export async function orConflict<T>(
  constraint: string,
  write: () => Promise<T>,
  sentence?: string,
): Promise<T> {
  try {
    return await write();
  } catch (cause) {
    if (!isUniqueViolation(cause, constraint)) throw cause;
    throw new PublicError('conflict', { cause, ...(sentence !== undefined && { sentence }) });
  }
}

/** True if the error is a violation of the unique index or constraint of this name. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    error.code === '23505' &&
    'constraint' in error &&
    error.constraint === constraint
  );
}

/**
 * Milliseconds after which a query fails and the server counts as unavailable. Chosen to be long enough for writing
 * 16 MiB of attachments and for the cleanup's deletes.
 */
const answerMs = 12_000;
/**
 * Milliseconds after which the server cancels a statement. Shorter than the query timeout: otherwise, statements whose
 * callers have given up would continue and hold their locks.
 */
const statementMs = answerMs - 1000;
/**
 * Milliseconds after which the server ends a statement's wait for a lock. Shorter than the statement timeout, so that
 * the error names the lock.
 */
const lockMs = statementMs - 1000;

/** SQLSTATE read_only_sql_transaction. */
const readOnly = '25006';

/**
 * Returns the settings of a connection to Postgres: its URL, role, timeouts and application name.
 * @param role the role that the connection assumes; default: the login's own
 */
export function connectionSettings(url: string, role?: string) {
  return {
    connectionString: url,
    ...(role !== undefined && { options: `-c role=${role}` }),
    connectionTimeoutMillis: 3000,
    query_timeout: answerMs,
    statement_timeout: statementMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: statementMs,
    keepAlive: true,
    application_name: 'parley',
  };
}

interface ProtocolMessage {
  parameterName?: string;
  parameterValue?: string;
  code?: string;
  status?: string;
}

type Connected = (error: Error | null, client?: pg.Client) => void;

/**
 * A connection that is used only while its server accepts writes. It closes once the server becomes a standby or
 * read-only, so that the pool opens a new connection, which can reach the new primary.
 */
export class PrimaryClient extends pg.Client {
  #readOnly = false;

  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const { connection } = this;
    // Between two queries, the client may have no other listener for errors. An error without a listener would end the
    // process.
    this.on('error', () => undefined);
    // Postgres 14 and newer report both parameters at the start and whenever they change.
    connection.on('parameterStatus', ({ parameterName, parameterValue }: ProtocolMessage) => {
      const isOfRole =
        parameterName === 'in_hot_standby' || parameterName === 'default_transaction_read_only';
      if (isOfRole && parameterValue === 'on') this.#closeSoon();
    });
    connection.on('errorMessage', ({ code }: ProtocolMessage) => {
      if (code === readOnly) this.#closeSoon();
    });
  }

  /** Closes the connection after the current statement or, within a transaction, after the transaction. */
  #closeSoon(): void {
    if (this.#readOnly) return;
    this.#readOnly = true;
    const { connection } = this;
    // Must run before the client's own listener, which may send the next statement.
    connection.prependListener('readyForQuery', ({ status }: ProtocolMessage) => {
      if (status === 'I') connection.stream.destroy(readOnlyError());
    });
  }

  /** @throws Error with SQLSTATE 25006 if the server is a standby or read-only; the driver's errors */
  override connect(): Promise<this>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<this> | undefined {
    const connected = this.#connectToPrimary();
    if (callback === undefined) return connected;
    connected.then(
      () => {
        callback(null, this);
      },
      (error: unknown) => {
        callback(error instanceof Error ? error : new Error(String(error)));
      },
    );
    return undefined;
  }

  /** @throws Error with SQLSTATE 25006 if the server is a standby or read-only; the driver's errors */
  async #connectToPrimary(): Promise<this> {
    await super.connect();
    if (this.#readOnly) throw readOnlyError();
    return this;
  }
}

function readOnlyError(): Error {
  return Object.assign(new Error('This Postgres is read-only.'), { code: readOnly });
}
