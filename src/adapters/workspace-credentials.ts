/** The tokens of connected workspaces: opened for one call. */
import type { Encryption } from './encryption.ts';
import type { Database } from './db/database.ts';
import { markNeedsReconnect, tokenPlace, type ToolConnectionRow } from './db/tool-connections.ts';

export class WorkspaceCredentials {
  readonly #db: Database;
  readonly #encryption: Encryption;

  constructor(db: Database, encryption: Encryption) {
    this.#db = db;
    this.#encryption = encryption;
  }

  /** @throws Error when it was sealed with another key */
  open(connection: ToolConnectionRow): string {
    if (connection.access_token === null) throw new Error('The connection holds no token.');
    return this.#encryption.open(connection.access_token, tokenPlace(connection, 'access_token'));
  }

  /** After a 401. @returns another token to try, or undefined when the connection must be made again */
  async renew(connection: ToolConnectionRow): Promise<string | undefined> {
    await markNeedsReconnect(this.#db, connection.id, 'The workspace refuses the token.');
    return undefined;
  }
}
