/** Stores sign-ins at MCP servers: those in progress, and the tokens of completed ones. Secrets are encrypted. */
import { v7 as newId } from 'uuid';
import { z } from 'zod';
import {
  firstRow,
  firstRowOf,
  idRow,
  queryRow,
  rowOf,
  rowsOf,
  statement,
  type Database,
  type Transaction,
} from '../database.ts';

const mcpSignInRow = z.object({
  id: z.string(),
  organization_id: z.string(),
  server_id: z.string(),
  status: z.enum(['pending', 'completed']),
  /** Issuer of the authorization server. */
  issuer: z.string(),
  /** The only address that gets the code, the client's secret and the refresh token. */
  token_endpoint: z.string(),
  token_auth: z.enum(['client_secret_basic', 'client_secret_post', 'none']),
  /** The resource for which tokens are requested; null if the server publishes no metadata. */
  resource: z.string().nullable(),
  client_id: z.string(),
  /** Encrypted; null if the client has no secret. */
  client_secret: z.string().nullable(),
  /** True if an administrator typed the client; false if Parley registered itself. */
  is_client_typed: z.boolean(),
  /** True if the authorization response must contain the issuer. */
  names_issuer: z.boolean(),
  state_hash: z.instanceof(Buffer).nullable(),
  state_expires_at: z.date().nullable(),
  /** Encrypted; null once the sign-in is completed. */
  code_verifier: z.string().nullable(),
  /** Encrypted; null until the sign-in is completed, and once the token is no longer accepted. */
  access_token: z.string().nullable(),
  /** Encrypted; null if the server issued none, or `access_token` is null. */
  refresh_token: z.string().nullable(),
  access_expires_at: z.date().nullable(),
  /** Identifies the renewal that uses the refresh token now, or whose process died; null if there is none. */
  renewal_id: z.string().nullable(),
  renewal_began_at: z.date().nullable(),
  created_at: z.date(),
});
export type McpSignInRow = z.infer<typeof mcpSignInRow>;
/** The ids to which the encryption of a sign-in's secrets is bound. */
export type McpSignInKey = Pick<McpSignInRow, 'id' | 'organization_id'>;
export type McpTokenColumns = Pick<McpSignInRow, 'access_token' | 'refresh_token' | 'access_expires_at'>;
type NewMcpSignIn = Pick<
  McpSignInRow,
  | 'server_id'
  | 'issuer'
  | 'token_endpoint'
  | 'token_auth'
  | 'resource'
  | 'client_id'
  | 'is_client_typed'
  | 'names_issuer'
>;

const signIns = (db: Database) => db.knex<McpSignInRow>('mcp_sign_ins');

/** Milliseconds within which a person must complete a sign-in. Chosen: the same as for workspaces. */
const pendingMs = 10 * 60_000;

/**
 * Starts a sign-in that is valid for `pendingMs`. Deletes the server's earlier sign-in if that is still in progress.
 * The caller must have locked the server.
 * @param seal encrypts the secrets for the ids of the new row
 */
export async function openMcpSignIn(
  tx: Transaction,
  organizationId: string,
  { stateHash, ...signIn }: NewMcpSignIn & { stateHash: Buffer },
  seal: (key: McpSignInKey) => Pick<McpSignInRow, 'client_secret' | 'code_verifier'>,
): Promise<McpSignInRow> {
  const key = { id: newId(), organization_id: organizationId };
  await signIns(tx)
    .where({ server_id: signIn.server_id, organization_id: organizationId, status: 'pending' })
    .delete();
  return firstRow(
    await rowsOf(
      mcpSignInRow,
      signIns(tx)
        .insert({
          ...key,
          ...signIn,
          ...seal(key),
          state_hash: stateHash,
          state_expires_at: new Date(Date.now() + pendingMs),
        })
        .returning('*'),
    ),
  );
}

/**
 * Consumes the state of a sign-in, so that it can be completed only once.
 * @returns the sign-in; undefined if the state is unknown, used, older than `pendingMs`, or of another server
 */
export async function takeMcpSignIn(
  db: Database,
  serverId: string,
  stateHash: Buffer,
): Promise<McpSignInRow | undefined> {
  return await firstRowOf(
    mcpSignInRow,
    signIns(db)
      .where({ server_id: serverId, status: 'pending', state_hash: stateHash })
      .where('state_expires_at', '>', new Date())
      .update({ state_hash: null, state_expires_at: null })
      .returning('*'),
  );
}

/** Deletes a sign-in that failed. Idempotent. */
export async function deleteMcpSignIn(db: Database, { id, organization_id }: McpSignInKey): Promise<void> {
  await signIns(db).where({ id, organization_id }).delete();
}

/**
 * Completes a sign-in with its tokens, and deletes the server's earlier completed one. The caller must have locked the
 * server.
 * @returns false, without any change, if the sign-in is no longer in progress, for example because a later one has
 * replaced it
 */
export async function completeMcpSignIn(
  tx: Transaction,
  { id, organization_id, server_id }: McpSignInKey & Pick<McpSignInRow, 'server_id'>,
  tokens: McpTokenColumns,
): Promise<boolean> {
  const pending = await rowOf(
    idRow,
    signIns(tx).where({ id, organization_id, status: 'pending' }).forUpdate().first('id'),
  );
  if (pending === undefined) return false;
  await signIns(tx).where({ server_id, organization_id, status: 'completed' }).delete();
  await signIns(tx)
    .where({ id, organization_id })
    .update({ ...tokens, status: 'completed', code_verifier: null });
  return true;
}

/** Finds the completed sign-in at a server. @returns undefined if nobody has completed one */
export const findMcpSignIn = statement('mcp-sign-in-of-server', mcpSignInRow).row<
  [organizationId: string, serverId: string]
>`
  select * from mcp_sign_ins where server_id = $2 and status = 'completed' and organization_id = $1`;

/** @returns the completed sign-ins at these servers of the organization */
export async function listMcpSignIns(
  db: Database,
  organizationId: string,
  serverIds: readonly string[],
): Promise<McpSignInRow[]> {
  if (serverIds.length === 0) return [];
  return await rowsOf(
    mcpSignInRow,
    signIns(db)
      .whereIn('server_id', serverIds)
      .where({ organization_id: organizationId, status: 'completed' }),
  );
}

const claim = statement('claim-mcp-renewal')`
  update mcp_sign_ins set renewal_id = $3, renewal_began_at = clock_timestamp()
    where id = $1 and status = 'completed' and access_token = $2
      and (renewal_id is null or renewal_began_at < clock_timestamp() - $4 * interval '1 millisecond')
    returning id`;

/**
 * Claims a sign-in's refresh token for one renewal. Of concurrent calls, one gets the claim. The process of a renewal
 * that lasts longer than `maxRenewalMs` counts as lost, and another call can take over its claim.
 * @param accessToken the encrypted access token that is to be replaced
 * @returns false if another renewal has the claim, or if the access token was replaced or deleted
 */
export async function claimMcpRenewal(
  db: Database,
  id: string,
  accessToken: string,
  { renewalId, maxRenewalMs }: { renewalId: string; maxRenewalMs: number },
): Promise<boolean> {
  return (await queryRow(db, claim, [id, accessToken, renewalId, maxRenewalMs])) !== undefined;
}

/**
 * Ends a renewal and stores its result.
 * @param tokens the new tokens; nulls if the refresh token was refused; `{}` if nothing has changed
 * @returns false, without any change, if the renewal no longer has the claim, or the sign-in was replaced
 */
export async function endMcpRenewal(
  db: Database,
  id: string,
  renewalId: string,
  tokens: McpTokenColumns | Record<string, never>,
): Promise<boolean> {
  const changed = await signIns(db)
    .where({ id, renewal_id: renewalId })
    .update({ ...tokens, renewal_id: null, renewal_began_at: null });
  return changed > 0;
}

/**
 * Deletes the tokens of a sign-in, because they were refused, or have expired and cannot be renewed.
 * @param accessToken the encrypted access token, as the caller has read it
 * @returns false, without any change, if the access token was replaced or deleted in the meantime
 */
export const dropMcpTokens = statement('drop-mcp-tokens').hasRow<[id: string, accessToken: string]>`
  update mcp_sign_ins set access_token = null, refresh_token = null, access_expires_at = null
    where id = $1 and access_token = $2 returning id`;
