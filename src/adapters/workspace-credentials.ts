/** The tokens of connected workspaces: opened for one call, renewed once for all who need it. */
import type { DocsOAuth, OAuthGrant } from './docs-oauth.ts';
import { WorkspaceNotReached, WorkspaceRateLimited } from './docs-failures.ts';
import type { Encryption } from './encryption.ts';
import type { Database } from './db/database.ts';
import { tokenPlace, withLockedConnection, type ToolConnectionRow } from './db/tool-connections.ts';

export class WorkspaceCredentials {
  readonly #db: Database;
  readonly #encryption: Encryption;
  readonly #oauth: DocsOAuth | undefined;
  readonly #renewing = new Map<string, Promise<string | undefined>>();

  constructor(db: Database, encryption: Encryption, oauth: DocsOAuth | undefined) {
    this.#db = db;
    this.#encryption = encryption;
    this.#oauth = oauth;
  }

  /** @throws Error when it was sealed with another key */
  open(connection: ToolConnectionRow): string {
    const token = this.#read(connection, 'access_token');
    if (token === undefined) throw new Error('The connection holds no token.');
    return token;
  }

  /** What is kept of a grant in this row. */
  seal(
    row: Pick<ToolConnectionRow, 'id' | 'organization_id'>,
    grant: Pick<OAuthGrant, 'access_token' | 'refresh_token'>,
  ) {
    const { access_token: access, refresh_token: refresh } = grant;
    return {
      access_token: this.#encryption.seal(access, tokenPlace(row, 'access_token')),
      refresh_token:
        refresh == null ? null : this.#encryption.seal(refresh, tokenPlace(row, 'refresh_token')),
    };
  }

  /**
   * After a 401.
   * @param refused the token that the workspace did not take
   * @returns another one to try, or undefined when the connection must be made again
   * @throws WorkspaceNotReached, WorkspaceRateLimited: nothing has changed, try later
   */
  async renew(connection: ToolConnectionRow, refused: string): Promise<string | undefined> {
    const { id } = connection;
    // Of one process one waits for the row's lock, so that a renewal takes one database connection.
    const running = this.#renewing.get(id);
    if (running !== undefined) return await running;
    const renewal = this.#renew(id, refused).finally(() => this.#renewing.delete(id));
    this.#renewing.set(id, renewal);
    return await renewal;
  }

  /** Under the row's lock, over all workers: the first renews, the others find what it got. */
  async #renew(id: string, refused: string): Promise<string | undefined> {
    return await withLockedConnection(this.#db, id, async (row, save) => {
      if (row.status !== 'connected') return undefined;
      const current = this.open(row);
      if (current !== refused) return current;
      const refresh = this.#read(row, 'refresh_token');
      if (refresh === undefined || this.#oauth === undefined) {
        await save({ status: 'needs_reconnect', last_error: 'The workspace refuses the token.' });
        return undefined;
      }
      try {
        const grant = await this.#oauth.refresh(refresh);
        await save(this.seal(row, grant));
        return grant.access_token;
      } catch (error) {
        if (error instanceof WorkspaceNotReached || error instanceof WorkspaceRateLimited) throw error;
        // Refused, or answered without our reading it: the pair that we hold is dead.
        await save({ status: 'needs_reconnect', last_error: 'The tokens could not be renewed.' });
        return undefined;
      }
    });
  }

  #read(row: ToolConnectionRow, column: 'access_token' | 'refresh_token'): string | undefined {
    const sealed = row[column];
    return sealed === null ? undefined : this.#encryption.open(sealed, tokenPlace(row, column));
  }
}
