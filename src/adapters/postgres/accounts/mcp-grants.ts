/**
 * Stores registered MCP clients and the grants of members. A grant is the row of one consent. It contains the hash of
 * the authorization code and, once the code has been used, the hashes of the tokens.
 */
import { v7 as newId } from 'uuid';
import { z } from 'zod';
import { mcpGrant } from '../../../contract/accounts/mcp-clients.ts';
import { firstRow, queryRow, queryRows, statement, type Database, type Transaction } from '../database.ts';
import { acrossOrganizations } from '../organization-scope.ts';

/** Maximum clients without a consent. Above it, a new client replaces the oldest, which must register again. Chosen. */
const maxUnusedClients = 1000;
/**
 * Maximum grants per member and organization. Above it, a new grant replaces the one that has not been used for the
 * longest time. Chosen.
 */
const maxGrants = 20;
const codeSeconds = 300;
export const accessSeconds = 60 * 60;
/** Lifetime of a refresh token. Chosen. */
const refreshSeconds = 30 * 24 * 60 * 60;

const mcpClient = z.object({
  id: z.string(),
  name: z.string(),
  redirect_uris: z.array(z.string()),
  created_at: z.date(),
});
export type McpClient = z.infer<typeof mcpClient>;

const mcpAccess = z.object({
  id: z.string(),
  organization_id: z.string(),
  user_id: z.string(),
  resource: z.string(),
});
export type McpAccess = z.infer<typeof mcpAccess>;

const grantRow = mcpGrant.extend({ created_at: z.date(), last_used_at: z.date().nullable() });

const insertClient = statement('insert-mcp-client', mcpClient)`
  with surplus as (
    delete from mcp_clients where id = any(array(
      select id from mcp_clients where not consented order by created_at desc offset ${maxUnusedClients - 1})))
  insert into mcp_clients (id, name, redirect_uris) values ($1, $2, $3) returning *`;

/**
 * Registers a client, which belongs to no organization. Each call registers another one. If more than
 * `maxUnusedClients` clients then have no consent, deletes the oldest of them.
 */
export async function registerMcpClient(
  db: Database,
  { name, redirectUris }: { name: string; redirectUris: readonly string[] },
): Promise<McpClient> {
  const insert = () => queryRows(db, insertClient, [newId(), name, redirectUris]);
  return firstRow(await acrossOrganizations(insert));
}

const findClient = statement('find-mcp-client', mcpClient)`
  select id, name, redirect_uris, created_at from mcp_clients where id = $1`;

/**
 * Finds a registered client.
 * @param id a UUID
 * @returns undefined if no such client is registered
 */
export async function findMcpClient(db: Database, id: string): Promise<McpClient | undefined> {
  return await acrossOrganizations(() => queryRow(db, findClient, [id]));
}

export interface NewGrant {
  organizationId: string;
  userId: string;
  clientId: string;
  resource: string;
  redirectUri: string;
  codeChallenge: string;
  codeHash: Buffer;
}

const insertGrant = statement('insert-mcp-grant')`
  with surplus as (
    delete from mcp_grants where id = any(array(
      select id from mcp_grants where organization_id = $2 and user_id = $3
        order by coalesce(last_used_at, created_at) desc offset ${maxGrants - 1})))
    , consented as (update mcp_clients set consented = true where id = $4 and not consented)
  insert into mcp_grants
      (id, organization_id, user_id, client_id, resource, redirect_uri, code_challenge, code_hash, expires_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, now() + interval '${codeSeconds} seconds')`;

/**
 * Stores a member's consent as a grant, with the hash of its authorization code, and marks the client as consented.
 * Each call stores another grant. If the member then has more than `maxGrants` in the organization, deletes those that
 * have not been used for the longest time.
 */
export async function openMcpGrant(db: Database, grant: NewGrant): Promise<void> {
  const { organizationId, userId, clientId, resource, redirectUri, codeChallenge, codeHash } = grant;
  const values = [newId(), organizationId, userId, clientId, resource, redirectUri, codeChallenge, codeHash];
  await queryRows(db, insertGrant, values);
}

const findCode = statement(
  'find-mcp-code',
  z.object({ id: z.string(), code_challenge: z.string(), used: z.boolean() }),
)`
  select id, code_challenge, code_used_at is not null as used from mcp_grants
    where code_hash = $1 and client_id = $2 and (code_used_at is not null or expires_at > now())`;

/**
 * Finds a grant by its code, even if the code was used.
 * @returns undefined if the code is unknown, was issued to another client, or expired before it was used
 */
export async function findMcpCode(
  db: Database,
  clientId: string,
  codeHash: Buffer,
): Promise<{ id: string; code_challenge: string; used: boolean } | undefined> {
  return await acrossOrganizations(() => queryRow(db, findCode, [codeHash, clientId]));
}

export interface TokenHashes {
  access: Buffer;
  refresh: Buffer;
}

const useCode = statement('use-mcp-code')`
  update mcp_grants set code_used_at = now(), access_hash = $4, refresh_hash = $5,
      access_expires_at = now() + interval '${accessSeconds} seconds', expires_at = now() + interval '${refreshSeconds} seconds'
    where code_hash = $1 and client_id = $2 and ($3::text is null or redirect_uri = $3)
      and code_used_at is null and expires_at > now()
    returning id`;

/**
 * Exchanges a code for tokens. A code works once.
 * @param code.redirectUri undefined if the client did not send it again, so that it is not compared
 * @returns true if the tokens are now valid; false if the code is unknown, used or expired, or was issued to another
 * client or for another redirect URI
 */
export async function useMcpCode(
  db: Database,
  code: { clientId: string; codeHash: Buffer; redirectUri: string | undefined },
  tokens: TokenHashes,
): Promise<boolean> {
  const values = [code.codeHash, code.clientId, code.redirectUri ?? null, tokens.access, tokens.refresh];
  return (await acrossOrganizations(() => queryRows(db, useCode, values))).length === 1;
}

const refreshGrant = statement('refresh-mcp-grant')`
  update mcp_grants set previous_refresh_hash = refresh_hash, access_hash = $3, refresh_hash = $4,
      access_expires_at = now() + interval '${accessSeconds} seconds', expires_at = now() + interval '${refreshSeconds} seconds'
    where refresh_hash = $1 and client_id = $2 and expires_at > now()
    returning id`;
const deleteReused = statement('delete-reused-mcp-grant')`
  delete from mcp_grants where previous_refresh_hash = $1 and client_id = $2`;

/**
 * Replaces the tokens of a grant. If the previous refresh token is used again, deletes the grant, because the token may
 * be stolen.
 * @returns true if the new tokens are now valid; false if the refresh token is unknown, used or expired, or was issued
 * to another client
 */
export async function refreshMcpGrant(
  db: Database,
  { clientId, refreshHash }: { clientId: string; refreshHash: Buffer },
  tokens: TokenHashes,
): Promise<boolean> {
  return await acrossOrganizations(async () => {
    const values = [refreshHash, clientId, tokens.access, tokens.refresh];
    if ((await queryRows(db, refreshGrant, values)).length === 1) return true;
    await queryRows(db, deleteReused, [refreshHash, clientId]);
    return false;
  });
}

const findAccess = statement('find-mcp-access', mcpAccess)`
  select id, organization_id, user_id, resource from mcp_grants
    where access_hash = $1 and access_expires_at > now()`;
const recordUse = statement('record-mcp-use')`
  update mcp_grants set last_used_at = now()
    where id = $1 and (last_used_at is null or last_used_at < now() - interval '1 minute')`;

/**
 * Finds the grant of an access token, and records its use at most once a minute.
 * @returns undefined if the token is unknown or expired
 */
export async function findMcpAccess(db: Database, accessHash: Buffer): Promise<McpAccess | undefined> {
  return await acrossOrganizations(async () => {
    const row = await queryRow(db, findAccess, [accessHash]);
    if (row !== undefined) await queryRows(db, recordUse, [row.id]);
    return row;
  });
}

const deleteByToken = statement('delete-mcp-grant-by-token')`
  delete from mcp_grants where client_id = $1 and (access_hash = $2 or refresh_hash = $2)`;

/**
 * Deletes the grant of an access or refresh token. Does nothing if the token is unknown or was issued to another
 * client.
 */
export async function revokeMcpToken(db: Database, clientId: string, tokenHash: Buffer): Promise<void> {
  await acrossOrganizations(() => queryRows(db, deleteByToken, [clientId, tokenHash]));
}

const deleteById = statement('end-mcp-grant')`delete from mcp_grants where id = $1`;

/** Deletes a grant. Called when its code is used a second time, because the code may be stolen. Idempotent. */
export async function endMcpGrant(db: Database, id: string): Promise<void> {
  await acrossOrganizations(() => queryRows(db, deleteById, [id]));
}

/** @returns at most 500 grants whose code was used and that have not expired, newest first */
export const listMcpGrants = statement('list-mcp-grants', grantRow).rows<[organizationId: string]>`
  select g.id, c.name as client_name, coalesce(u.email, 'a former member') as member_email, g.created_at, g.last_used_at
    from mcp_grants g join mcp_clients c on c.id = g.client_id left join console_users u on u.id = g.user_id
    where g.organization_id = $1 and g.code_used_at is not null and g.expires_at > now()
    order by g.created_at desc limit 500`;

const deleteOfOrganization = statement('delete-mcp-grant', z.object({ client_name: z.string() }))`
  delete from mcp_grants g using mcp_clients c
    where g.id = $1 and g.organization_id = $2 and c.id = g.client_id returning c.name as client_name`;

const deleteOfUser = statement(
  'delete-mcp-grants-of-user',
  z.object({ organization_id: z.string(), client_name: z.string() }),
)`
  delete from mcp_grants g using mcp_clients c where g.user_id = $1 and c.id = g.client_id
    returning g.organization_id, c.name as client_name`;

/** Deletes a grant. @returns the client's name; undefined if the organization has no such grant */
export async function deleteMcpGrant(
  db: Database,
  id: string,
  organizationId: string,
): Promise<string | undefined> {
  const row = await queryRow(db, deleteOfOrganization, [id, organizationId]);
  return row?.client_name;
}

/** Deletes a user's grants in all organizations. @returns the client's name and the organization of each grant */
export async function endConsentsOf(
  tx: Transaction,
  userId: string,
): Promise<{ organization_id: string; client_name: string }[]> {
  return await queryRows(tx, deleteOfUser, [userId]);
}
