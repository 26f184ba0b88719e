/**
 * Gives the access tokens of MCP servers at which an administrator has signed in, and renews them. A refresh token is
 * used by one process at a time: the process claims it in Postgres before the request leaves, and stores the new tokens
 * only if it still has the claim.
 *
 * If a process dies after the authorization server has answered and before the new tokens are stored, they are lost. The
 * claim remains, and the next call takes it over once that process's request must have ended. It tries the same refresh
 * token again: an authorization server that accepts it twice gives new tokens, and one that does not refuses. The server
 * then needs a sign-in, which the API, the console and the results of its tools say.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { v7 as newId } from 'uuid';
import { McpFault } from '../../adapters/mcp/mcp-session.ts';
import {
  OAuthRefusal,
  oauthStepMs,
  renewTokens,
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

/** Milliseconds before its expiry at which a token is renewed, so that it is valid for a whole call. Chosen. */
const earlyMs = 30_000;
/** Maximum milliseconds from a renewal's claim to its end: the request's, and a margin for a slow process. Chosen. */
const maxRenewalMs = oauthStepMs + 5000;
/** Maximum milliseconds between claim and request. A process that was paused for longer sends nothing. Chosen. */
const pausedMs = 1500;
/** Maximum milliseconds for which a call waits for another process's renewal. Chosen: longer than one can last. */
const waitMs = maxRenewalMs + 5000;
const pollMs = 250;
/** Attempts to store new tokens while Postgres is unavailable, and the time between them. Chosen. */
const storing = { attempts: 10, delayMs: 500 };

type SecretColumn = 'client_secret' | 'code_verifier' | 'access_token' | 'refresh_token';

/** @returns the row and column to which a sign-in's encrypted secret is bound */
export const signInPlace = ({ id, organization_id }: McpSignInKey, column: SecretColumn): SecretPlace => ({
  ...{ organizationId: organization_id, table: 'mcp_sign_ins', rowId: id, column },
});

/** @returns the decrypted secret; undefined if there is none @throws Error if its key was lost */
export function openSecret(
  encryption: Encryption,
  row: McpSignInRow,
  column: SecretColumn,
): string | undefined {
  const sealed = row[column];
  return sealed === null ? undefined : encryption.open(sealed, signInPlace(row, column));
}

/** @returns the columns of a grant; the refresh token is null if the grant has none */
export function tokenColumns(encryption: Encryption, key: McpSignInKey, grant: OAuthGrant): McpTokenColumns {
  const { accessToken, refreshToken, expiresAt } = grant;
  return {
    access_token: encryption.seal(accessToken, signInPlace(key, 'access_token')),
    refresh_token:
      refreshToken === undefined ? null : encryption.seal(refreshToken, signInPlace(key, 'refresh_token')),
    access_expires_at: expiresAt ?? null,
  };
}

/** @returns where the codes and refresh tokens of a sign-in are exchanged */
export function endpointOf(encryption: Encryption, row: McpSignInRow): TokenEndpoint {
  const { issuer, token_endpoint: url, resource, client_id: id, token_auth: auth } = row;
  const secret = openSecret(encryption, row, 'client_secret');
  return { ...{ issuer, url }, resource: resource ?? undefined, client: { id, secret, auth } };
}

/**
 * Returns a server's access token, renewed if it expires soon or was refused. Waits while another process renews it.
 * @param refused the token that the server refused, if any
 * @returns undefined if an administrator must sign in at the server, which is recorded
 * @throws McpFault if the token could not be renewed now; the signal's reason; Error if the key of a secret was lost
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
    // A token that was renewed during this call is used even if it expires soon: a further one would too.
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
 * Records that an administrator must sign in at the server, because the server refuses a token that is new. Does nothing
 * if the token was replaced since.
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
 * Makes one renewal that has the claim, and stores its result. Not aborted with the call that needs the token, because
 * the response would be lost.
 * @returns true if new tokens were stored; false if the refresh token was refused, or the claim was taken over
 * @throws McpFault if the authorization server has a fault that may pass; Error if the key of a secret was lost
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

/** Runs `drop`, and marks the server if it returns true, in one transaction. */
async function needSignIn(
  db: Database,
  { organization_id, server_id }: McpSignInRow,
  drop: (tx: Database) => Promise<boolean>,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    // The server is locked first, as by everything that changes both rows.
    const server = await lockMcpServer(tx, organization_id, server_id);
    if (server !== undefined && (await drop(tx)))
      await updateMcpServer(tx, server, { status: 'needs_sign_in' });
  });
}
