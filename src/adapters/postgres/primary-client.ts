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
 * Shorter than the query timeout, so that the server cancels a statement before the caller gives up. Otherwise
 * abandoned statements accumulate and hold locks.
 */
const statementMs = answerMs - 1000;
/** Shorter than the statement timeout, so that the error reports the wait for a lock instead of a slow statement. */
const lockMs = statementMs - 1000;

/** SQLSTATE read_only_sql_transaction. */
const readOnly = '25006';

/**
 * Returns the settings of every connection that Parley opens to Postgres.
 * @param role the role of the connection; default: the login's own
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
    // Between two queries, the client has no other listener, and an error without a listener ends the process.
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

  /** Closes the connection once the current statement has its result and an open transaction has ended. */
  #closeSoon(): void {
    if (this.#readOnly) return;
    this.#readOnly = true;
    const { connection } = this;
    // Must run before the client's own listener, which may send the next statement.
    connection.prependListener('readyForQuery', ({ status }: ProtocolMessage) => {
      if (status === 'I') connection.stream.destroy(readOnlyError());
    });
  }

  /** @throws Error with SQLSTATE 25006 if the server is read-only */
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

  async #connectToPrimary(): Promise<this> {
    await super.connect();
    if (this.#readOnly) throw readOnlyError();
    return this;
  }
}

function readOnlyError(): Error {
  return Object.assign(new Error('This Postgres is read-only.'), { code: readOnly });
}
