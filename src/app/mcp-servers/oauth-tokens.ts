/**
 * Returns the access tokens of MCP servers at which an administrator has signed in, and renews them. A refresh token
 * is used by one process at a time: the process claims it in Postgres before it sends the request, and stores the new
 * tokens only if it still has the claim.
 *
 * If a process dies after the authorization server has answered and before the new tokens are stored, they are lost.
 * The claim remains. Once the request of that process must have ended, the next call takes the claim over and tries
 * the same refresh token again. If the authorization server does not accept a refresh token twice, an administrator
 * must sign in again; the API, the console and the results of the MCP server's tools report that.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { v7 as newId } from 'uuid';
import { McpFault } from '../../adapters/mcp/mcp-session.ts';
import {
  OAuthRefusal,
  oauthStepMs,
  renewTokens,
  revokeToken,
  type OAuthGrant,
  type TokenEndpoint,
} from '../../adapters/mcp/mcp-oauth.ts';
import { inTransaction, isDatabaseUnavailable, type Database } from '../../adapters/postgres/database.ts';
import {
  claimMcpRenewal,
  dropMcpTokens,
  endMcpRenewal,
  findMcpSignIn,
  type McpSignInKey,
  type McpSignInRow,
  type McpTokenColumns,
} from '../../adapters/postgres/mcp-servers/mcp-sign-ins.ts';
import {
  lockMcpServer,
  updateMcpServer,
  type McpServerRow,
} from '../../adapters/postgres/mcp-servers/mcp-servers.ts';
import type { Encryption, SecretPlace } from '../../adapters/secrets/encryption.ts';
import type { McpDeps } from './connect.ts';

/**
 * Milliseconds before its expiry at which a token counts as expiring soon and is renewed, so that it rarely expires
 * during a call. Chosen: the default timeout of a call.
 */
const earlyMs = 30_000;
/**
 * Milliseconds after which a claimed renewal counts as lost, so that another process may take over the claim: the
 * maximum duration of the request, and a margin for a slow process. Chosen.
 */
const maxRenewalMs = oauthStepMs + 5000;
/** Maximum milliseconds between claim and request. A process that was paused for longer sends nothing. Chosen. */
const pausedMs = 1500;
/**
 * Maximum milliseconds for which a call waits for another process's renewal. Chosen: longer than `maxRenewalMs`, so
 * that the call can take over a lost renewal.
 */
const waitMs = maxRenewalMs + 5000;
const pollMs = 250;
/**
 * Maximum attempts at storing new tokens while Postgres is unavailable, and the milliseconds between two of them.
 * Chosen.
 */
const storing = { attempts: 10, delayMs: 500 };

type SecretColumn = 'client_secret' | 'code_verifier' | 'access_token' | 'refresh_token';

/** @returns the row and column to which a sign-in's encrypted secret is bound */
export const signInPlace = ({ id, organization_id }: McpSignInKey, column: SecretColumn): SecretPlace => ({
  organizationId: organization_id,
  table: 'mcp_sign_ins',
  rowId: id,
  column,
});

/** @returns the decrypted secret; undefined if there is none @throws Error if the secret cannot be decrypted */
export function openSecret(
  encryption: Encryption,
  row: McpSignInRow,
  column: SecretColumn,
): string | undefined {
  const sealed = row[column];
  return sealed === null ? undefined : encryption.open(sealed, signInPlace(row, column));
}

/** @returns the columns that store a grant, with encrypted tokens; the refresh token is null if the grant has none */
export function tokenColumns(encryption: Encryption, key: McpSignInKey, grant: OAuthGrant): McpTokenColumns {
  const { accessToken, refreshToken, expiresAt } = grant;
  return {
    access_token: encryption.seal(accessToken, signInPlace(key, 'access_token')),
    refresh_token:
      refreshToken === undefined ? null : encryption.seal(refreshToken, signInPlace(key, 'refresh_token')),
    access_expires_at: expiresAt ?? null,
  };
}

/**
 * @returns the token endpoint of a sign-in, with the decrypted client secret
 * @throws Error if the secret cannot be decrypted
 */
export function endpointOf(encryption: Encryption, row: McpSignInRow): TokenEndpoint {
  const { issuer, token_endpoint: url, resource, client_id: id, token_auth: auth } = row;
  const secret = openSecret(encryption, row, 'client_secret');
  return { issuer, url, resource: resource ?? undefined, client: { id, secret, auth } };
}

/**
 * Returns a server's access token. Renews it if it expires soon or was refused, and waits while another process renews
 * it.
 * @param refused the token that the server refused, if any
 * @returns undefined if an administrator must sign in at the server. The server's status then shows this.
 * @throws McpFault if the token could not be renewed now; the signal's reason or AbortError if the signal aborts;
 * Error if a secret cannot be decrypted
 */
export async function accessToken(
  deps: McpDeps,
  server: Pick<McpServerRow, 'id' | 'organization_id'>,
  { refused, signal }: { refused?: string | undefined; signal?: AbortSignal | undefined } = {},
): Promise<string | undefined> {
  const { db, encryption } = deps;
  const until = performance.now() + waitMs;
  let first: string | undefined;
  let hasRenewed = false;
  for (;;) {
    signal?.throwIfAborted();
    if (performance.now() > until) throw new McpFault('its access is being renewed', { sent: false });
    const row = await findMcpSignIn(db, server.organization_id, server.id);
    const token = row && openSecret(encryption, row, 'access_token');
    if (row?.access_token == null || token === undefined) return undefined;
    first ??= token;
    // A token that was renewed during this call is used even if it expires soon, because the next one would expire
    // soon too.
    const isNew = hasRenewed || token !== first;
    const leftMs = (row.access_expires_at?.getTime() ?? Infinity) - Date.now();
    const isLast = row.refresh_token === null && leftMs > 0;
    if (token !== refused && (isNew || isLast || leftMs > earlyMs)) return token;
    const { access_token: sealed } = row;
    if (row.refresh_token === null || hasRenewed) {
      await needSignIn(db, row, (tx) => dropMcpTokens(tx, row.id, sealed));
      continue;
    }
    const claim = { renewalId: newId(), maxRenewalMs };
    const claiming = performance.now();
    if (await claimMcpRenewal(db, row.id, sealed, claim)) {
      hasRenewed = await renew(deps, row, claim.renewalId, claiming);
      continue;
    }
    await sleep(pollMs, undefined, signal && { signal });
  }
}

/**
 * Records that an administrator must sign in at the server, because the server refuses a new access token. Does
 * nothing if another token has been stored since.
 */
export async function dropRefusedToken(
  { db, encryption }: McpDeps,
  server: Pick<McpServerRow, 'id' | 'organization_id'>,
  refused: string,
): Promise<void> {
  const row = await findMcpSignIn(db, server.organization_id, server.id);
  const sealed = row?.access_token;
  if (row === undefined || sealed == null || openSecret(encryption, row, 'access_token') !== refused) return;
  await needSignIn(db, row, (tx) => dropMcpTokens(tx, row.id, sealed));
}

/**
 * Revokes the tokens of a sign-in whose server was removed: the refresh token, which ends the access, or the access
 * token if there is no refresh token. Makes one attempt and ignores its errors, because the authorization server may
 * no longer exist, and the tokens are no longer stored.
 */
export async function revokeSignIn({ encryption, http }: McpDeps, row: McpSignInRow): Promise<void> {
  try {
    const refresh = openSecret(encryption, row, 'refresh_token');
    const token = refresh ?? openSecret(encryption, row, 'access_token');
    if (token === undefined) return;
    const hint = refresh === undefined ? 'access_token' : 'refresh_token';
    const parts = { http, organizationId: row.organization_id };
    await revokeToken(parts, endpointOf(encryption, row), { token, hint });
  } catch {
    // The server has been removed, and nobody waits for the revocation.
  }
}

/**
 * Renews the tokens once, under the claim `renewalId`, and stores the new ones. The signal of the call that needs a
 * token does not abort the renewal, because the new tokens would then be lost.
 * @param claiming when the claim began (`performance.now()`)
 * @returns true if new tokens were stored; false if the refresh token was refused, the claim was taken over, or the
 * sign-in was replaced
 * @throws McpFault if the authorization server cannot be reached or has a fault, or if this process was paused; Error
 * if a secret cannot be decrypted, or if the tokens cannot be stored
 */
async function renew(
  deps: McpDeps,
  row: McpSignInRow,
  renewalId: string,
  claiming: number,
): Promise<boolean> {
  const { db, encryption, http } = deps;
  const release = async () => await endMcpRenewal(db, row.id, renewalId, {});
  if (performance.now() - claiming > pausedMs) {
    await release();
    throw new McpFault('its access could not be renewed: the process was paused', { sent: false });
  }
  let grant: OAuthGrant;
  try {
    const endpoint = endpointOf(encryption, row);
    const refreshToken = openSecret(encryption, row, 'refresh_token') ?? '';
    grant = await renewTokens({ http, organizationId: row.organization_id }, endpoint, refreshToken);
  } catch (error) {
    if (error instanceof OAuthRefusal) {
      const none = { access_token: null, refresh_token: null, access_expires_at: null };
      await needSignIn(db, row, (tx) => endMcpRenewal(tx, row.id, renewalId, none));
      return false;
    }
    await release();
    if (!(error instanceof McpFault)) throw error;
    throw new McpFault(`its access could not be renewed: ${error.message}`, { sent: false, cause: error });
  }
  const columns = tokenColumns(encryption, row, grant);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await endMcpRenewal(db, row.id, renewalId, columns);
    } catch (error) {
      if (!isDatabaseUnavailable(error) || attempt === storing.attempts) throw error;
      await sleep(storing.delayMs);
    }
  }
}

/** Runs `drop` and, if `drop` returns true, records that the server needs a sign-in, in one transaction. */
async function needSignIn(
  db: Database,
  { organization_id, server_id }: McpSignInRow,
  drop: (tx: Database) => Promise<boolean>,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    // Locks the server before its sign-in, as `McpSignIns` does. In another order, the two could deadlock.
    const server = await lockMcpServer(tx, organization_id, server_id);
    if (server !== undefined && (await drop(tx)))
      await updateMcpServer(tx, server, { status: 'needs_sign_in' });
  });
}
