/**
 * Connects to a writable Postgres. Refuses a standby or a read-only server, and closes the connection to a server that
 * becomes read-only, so that the next connection reaches the new primary.
 */
import pg from 'pg';

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

  /** @throws Error with SQLSTATE 25006 if the server is read-only; the driver's errors */
  async #connectToPrimary(): Promise<this> {
    await super.connect();
    if (this.#readOnly) throw readOnlyError();
    return this;
  }
}

function readOnlyError(): Error {
  return Object.assign(new Error('This Postgres is read-only.'), { code: readOnly });
}
