/**
 * Encrypts, decrypts and renews the tokens of connected workspaces. Concurrent calls of a process share one renewal.
 */
import type { DocsOAuth, OAuthGrant } from '../../workspace/client/oauth.ts';
import type { Renewal } from '../../workspace/client/call.ts';
import {
  WorkspaceAnswerUnreadable,
  WorkspaceBlocked,
  WorkspaceNotReached,
  WorkspaceRateLimited,
  WorkspaceRefused,
} from '../../workspace/client/failures.ts';
import { createWorkspace } from '../../workspace/client/workspace.ts';
import type { Encryption } from '../../adapters/secrets/encryption.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import {
  refusedNow,
  takenNow,
  tokenPlace,
  withLockedConnection,
  type ToolConnectionRow,
} from '../../adapters/postgres/workspace/tool-connections.ts';

/** Timeout in milliseconds of the request that checks whether the workspace accepts a token. Chosen. */
const askMs = 15_000;

const nothingChanged = (error: unknown): boolean =>
  [WorkspaceBlocked, WorkspaceNotReached, WorkspaceRateLimited].some((kind) => error instanceof kind);

export type WorkspaceCredentials = ReturnType<typeof createWorkspaceCredentials>;

export function createWorkspaceCredentials(
  db: Database,
  encryption: Encryption,
  oauth: DocsOAuth | undefined,
  apiUrl: string,
) {
  const renewing = new Map<string, Promise<Renewal>>();
  return { open, seal, renew, recheck };

  /**
   * @returns the decrypted access token of the connection
   * @throws Error if the connection has no token, or if the token was encrypted with another key
   */
  function open(connection: ToolConnectionRow): string {
    const token = read(connection, 'access_token');
    if (token === undefined) throw new Error('The connection holds no token.');
    return token;
  }

  /**
   * Encrypts a grant's tokens for this row. In another row, they could not be decrypted.
   * @returns the values of the row's token columns; `refresh_token` is null if the grant has none
   */
  function seal(
    row: Pick<ToolConnectionRow, 'id' | 'organization_id'>,
    grant: Pick<OAuthGrant, 'access_token' | 'refresh_token'>,
  ) {
    const { access_token: access, refresh_token: refresh } = grant;
    return {
      access_token: encryption.seal(access, tokenPlace(row, 'access_token')),
      refresh_token: refresh == null ? null : encryption.seal(refresh, tokenPlace(row, 'refresh_token')),
    };
  }

  /**
   * Renews the tokens after a 401. First sends another request with the refused token, because a 401 may concern only
   * one page.
   * @param refused the token that the workspace refused
   * @returns the new token; `good` if the workspace accepts the refused one for the other request; `none` if there is
   * no usable token: the connection then has the status `needs_reconnect`, or it no longer exists
   * @throws WorkspaceBlocked, WorkspaceNotReached or WorkspaceRateLimited if the tokens have not changed and the
   * caller can retry later; Error if a token cannot be decrypted
   */
  async function renew({ id }: ToolConnectionRow, refused: string): Promise<Renewal> {
    // Concurrent callers share one renewal, so that only one database connection waits for the row's lock.
    const running = renewing.get(id);
    if (running !== undefined) return await running;
    const renewal = renewRefused(id, refused).finally(() => renewing.delete(id));
    renewing.set(id, renewal);
    return await renewal;
  }

  async function renewRefused(id: string, refused: string): Promise<Renewal> {
    return (await isTaken(refused)) ? 'good' : await replace(id, 'connected', refused);
  }

  /**
   * Checks a refused connection again, because the workspace may have had a fault, or may have allowed the integration
   * again. If the workspace accepts the token or renews it, records the connection as connected.
   * @throws the errors of `renew`
   */
  async function recheck(connection: ToolConnectionRow): Promise<void> {
    const token = open(connection);
    if (!(await isTaken(token))) {
      await replace(connection.id, 'needs_reconnect', token);
      return;
    }
    await withLockedConnection(db, connection.id, async (row, save) => {
      if (row.status === 'needs_reconnect' && open(row) === token) await save(takenNow);
    });
  }

  /**
   * Checks whether the workspace accepts a token.
   * @returns false if the workspace refuses it with 401; true if it answers with success, with another refusal, or with
   * a body that cannot be read
   * @throws WorkspaceRateLimited or WorkspaceNotReached if there was no such answer
   */
  async function isTaken(token: string): Promise<boolean> {
    try {
      await createWorkspace({ token, apiUrl, timeoutMs: askMs }).retrieveSelf();
      return true;
    } catch (error) {
      if (error instanceof WorkspaceRefused) return error.status !== 401;
      if (error instanceof WorkspaceAnswerUnreadable) return true;
      if (error instanceof WorkspaceRateLimited) throw error;
      throw new WorkspaceNotReached('The workspace refused the token, and could not be asked about it.', {
        cause: error,
      });
    }
  }

  /**
   * Replaces a refused token. Locks the row, so that only the first worker renews the tokens, and the others read the
   * new ones.
   * @param status the status that the connection must still have for its tokens to be renewed
   * @returns the new token; `none` if there is no usable one
   */
  async function replace(id: string, status: ToolConnectionRow['status'], refused: string): Promise<Renewal> {
    const renewal = await withLockedConnection(db, id, async (row, save): Promise<Renewal> => {
      const current = open(row);
      if (row.status === 'connected' && current !== refused) return { token: current };
      if (row.status !== status || current !== refused) return 'none';
      const refresh = read(row, 'refresh_token');
      if (refresh === undefined || oauth === undefined) {
        await save(refusedNow(row, 'The workspace refuses the token.'));
        return 'none';
      }
      try {
        const grant = await oauth.refresh(refresh);
        await save({ ...seal(row, grant), ...takenNow });
        return { token: grant.access_token };
      } catch (error) {
        if (nothingChanged(error)) throw error;
        // The workspace refused the renewal, or its response was lost or could not be read. The stored tokens may no
        // longer work.
        await save(refusedNow(row, 'The tokens could not be renewed.'));
        return 'none';
      }
    });
    return renewal ?? 'none';
  }

  function read(row: ToolConnectionRow, column: 'access_token' | 'refresh_token'): string | undefined {
    const sealed = row[column];
    return sealed === null ? undefined : encryption.open(sealed, tokenPlace(row, column));
  }
}
