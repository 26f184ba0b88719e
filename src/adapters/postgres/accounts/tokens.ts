/**
 * Stores API tokens with the hashes of their secrets, and records their calls. Generates secrets, and checks their
 * form.
 */
import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { v7 as newId } from 'uuid';
import { z } from 'zod';
import type { ApiRequest } from '../../../contract/accounts/api-requests.ts';
import { tokenScopes, type TokenScope } from '../../../contract/accounts/token-scopes.ts';
import { tokenCaps } from '../../../contract/data/credit-caps.ts';
import { firstRowOf, queryRow, queryRows, rowsOf, statement, type Database } from '../database.ts';
import { acrossOrganizations } from '../organization-scope.ts';

const tokenRow = z.object({
  id: z.string(),
  organization_id: z.string(),
  name: z.string(),
  prefix: z.string(),
  /** Null: full access. */
  scopes: z.array(z.enum(tokenScopes)).nullable(),
  before_scopes: z.boolean(),
  /** Null: every agent. May contain ids of deleted agents, which `agents` omits. */
  agent_ids: z.array(z.string()).nullable(),
  agents: z.array(z.object({ id: z.string(), name: z.string() })).nullable(),
  expires_at: z.date().nullable(),
  created_by: z.string().nullable(),
  created_by_name: z.string().nullable(),
  rotated_by: z.string().nullable(),
  /** When the previous secret stops working, which may be in the past; null if the token was never rotated. */
  previous_until: z.date().nullable(),
  created_at: z.date(),
  revoked_at: z.date().nullable(),
  last_used_at: z.date().nullable(),
  call_count: z.number(),
  monthly_credit_limit: z.number().nullable(),
  credit_caps: tokenCaps.nullable(),
  monthly_message_limit: z.number().nullable(),
});
export type TokenRow = z.infer<typeof tokenRow>;
const tokenName = tokenRow.pick({ name: true, prefix: true });
const deletedToken = tokenRow.pick({ name: true, prefix: true, organization_id: true });

/** @returns the token's status; expiry is judged by this machine's clock */
export function statusOf(
  token: Pick<TokenRow, 'revoked_at' | 'expires_at'>,
): 'Active' | 'Expired' | 'Revoked' {
  if (token.revoked_at !== null) return 'Revoked';
  return token.expires_at !== null && token.expires_at.getTime() <= Date.now() ? 'Expired' : 'Active';
}

/** SQL condition: the token is neither revoked nor expired. */
export const isActiveToken = 'revoked_at is null and (expires_at is null or expires_at > now())';

const columns = `id, organization_id, name, prefix, scopes, before_scopes, agent_ids,
  (select json_agg(json_build_object('id', a.id, 'name', a.name) order by a.name) from agents a where a.id = any(agent_ids) and a.deleted_at is null) as agents,
  expires_at, created_by, created_by_name, rotated_by, previous_until, created_at, revoked_at, last_used_at, call_count,
  monthly_credit_limit, monthly_message_limit, credit_caps`;

const tokens = (db: Database) => db.knex('api_tokens').select(db.knex.raw(columns));

export interface NewToken {
  organizationId: string;
  name: string;
  /** Absent: full access. */
  scopes?: readonly TokenScope[] | undefined;
  /** Absent: every agent. The caller checks that the agents belong to the organization. */
  agentIds?: readonly string[] | undefined;
  expiresInDays?: number | undefined;
  /** The creator of the token; `userId` is absent if a program creates it. */
  by?: { userId?: string; name: string };
}

/**
 * Creates an API token.
 * @returns the token's id, its secret as `token`, and the secret's prefix. The secret cannot be read again, because the
 * database stores only its hash
 */
export async function createToken(
  db: Database,
  { organizationId, name, scopes, agentIds, expiresInDays, by }: NewToken,
): Promise<{ id: string; token: string; prefix: string }> {
  const { secret, prefix, hash } = makeTokenSecret();
  const id = newId();
  await db.knex('api_tokens').insert({
    id,
    organization_id: organizationId,
    name,
    prefix,
    secret_hash: hash,
    ...(scopes !== undefined && { scopes }),
    ...(agentIds !== undefined && { agent_ids: [...new Set(agentIds.map((one) => one.toLowerCase()))] }),
    ...(expiresInDays !== undefined && {
      expires_at: db.knex.raw("now() + ? * interval '1 day'", [expiresInDays]),
    }),
    ...(by !== undefined && { created_by: by.userId ?? null, created_by_name: by.name }),
  });
  return { id, token: secret, prefix };
}

/** @returns the organization's tokens, newest first, including revoked ones */
export async function listTokens(db: Database, organizationId: string): Promise<TokenRow[]> {
  return await rowsOf(tokenRow, tokens(db).where({ organization_id: organizationId }).orderBy('id', 'desc'));
}

/**
 * Finds a token of any organization.
 * @param id a UUID
 * @returns the token, even if it is revoked or expired; undefined if there is none
 */
export async function findToken(db: Database, id: string): Promise<TokenRow | undefined> {
  return await firstRowOf(tokenRow, tokens(db).where({ id }));
}

/** Builds a condition that selects one token. @param organizationId undefined: the token of any organization */
function named(id: string, organizationId: string | undefined) {
  return { id, ...(organizationId !== undefined && { organization_id: organizationId }) };
}

/**
 * Revokes a token. Idempotent.
 * @param organizationId undefined: the token may belong to any organization
 * @returns the revoked token; undefined if there is no such token
 */
export async function revokeToken(
  db: Database,
  id: string,
  organizationId?: string,
): Promise<TokenRow | undefined> {
  return await firstRowOf(
    tokenRow,
    db
      .knex('api_tokens')
      .where(named(id, organizationId))
      .update({ revoked_at: db.knex.raw('coalesce(revoked_at, now())') })
      .returning(db.knex.raw(columns)),
  );
}

/**
 * Revokes the tokens, including expired ones, that a member created or last rotated in the organization. Idempotent.
 * @returns the tokens that this call revoked
 */
export const revokeTokensOf = statement('revoke-tokens-of-user', tokenName).rows<
  [organizationId: string, userId: string]
>`
  update api_tokens set revoked_at = now()
    where organization_id = $1 and revoked_at is null and (created_by = $2 or rotated_by = $2) returning name, prefix`;

/**
 * Gives a token a new secret. The current secret still works for `overlapSeconds`; a secret that an earlier rotation
 * replaced stops working at once. Not idempotent: each call makes another secret.
 * @param options.by id of the member who receives the secret; absent for the command line
 * @returns the new secret; undefined if there is no such token, or it is revoked or expired
 */
export async function rotateToken(
  db: Database,
  id: string,
  organizationId: string,
  { overlapSeconds, by }: { overlapSeconds: number; by?: string },
): Promise<{ token: string; prefix: string; name: string } | undefined> {
  const { secret, prefix, hash } = makeTokenSecret();
  const row = await firstRowOf(
    tokenName,
    db
      .knex('api_tokens')
      .where({ id, organization_id: organizationId })
      .whereRaw(isActiveToken)
      .update({
        prefix,
        secret_hash: hash,
        previous_hash: db.knex.ref('secret_hash'),
        rotated_by: by ?? null,
        previous_until: db.knex.raw("now() + ? * interval '1 second'", [overlapSeconds]),
      })
      .returning(['name', 'prefix']),
  );
  return row && { token: secret, prefix, name: row.name };
}

/** Deletes a token. @returns the deleted token; undefined if there is no such token */
export async function deleteToken(
  db: Database,
  id: string,
  organizationId?: string,
): Promise<Pick<TokenRow, 'name' | 'prefix' | 'organization_id'> | undefined> {
  return await firstRowOf(
    deletedToken,
    db.knex('api_tokens').where(named(id, organizationId)).delete(['name', 'prefix', 'organization_id']),
  );
}

const activeToken = tokenRow.pick({ id: true, organization_id: true, scopes: true, agent_ids: true });
export type ActiveToken = z.infer<typeof activeToken>;

const findActive = statement('find-active-token', activeToken)`
  select id, organization_id, scopes, agent_ids from api_tokens
    where (secret_hash = $1 or (previous_hash = $1 and previous_until > now()))
      and ${isActiveToken}`;

/**
 * Finds the token with this secret, in any organization.
 * @returns undefined if the secret is unknown or no longer works after a rotation, or the token is revoked or expired
 */
export async function findActiveToken(db: Database, secret: string): Promise<ActiveToken | undefined> {
  // The token determines the organization, so the query cannot be limited to one.
  return await acrossOrganizations(() => queryRow(db, findActive, [hashToken(secret)]));
}

const addCalls = statement('add-token-calls')`
  update api_tokens t set call_count = call_count + c.calls, last_used_at = greatest(t.last_used_at, c.used)
    from unnest($1::uuid[], $2::int[], $3::timestamptz[]) as c(id, calls, used) where t.id = c.id`;

/**
 * Adds the calls per token that a process has counted and not yet written, and updates when each token was last used.
 * Not idempotent: a repeated call counts them again.
 */
export async function addTokenCalls(
  db: Database,
  counted: readonly { id: string; calls: number; lastUsed: Date }[],
): Promise<void> {
  const values = [
    counted.map((row) => row.id),
    counted.map((row) => row.calls),
    counted.map((row) => row.lastUsed),
  ];
  // One call contains counts of several organizations, so the statement cannot be limited to one.
  await acrossOrganizations(() => queryRows(db, addCalls, values));
}

/** An API request that a token or a member's grant to an MCP client authenticated, as the log stores it. */
export interface RecordedRequest extends Omit<
  ApiRequest,
  'at' | 'path' | 'code' | 'field' | 'reason' | 'token_name'
> {
  organization_id: string;
  /** The time that `id`, a UUID of version 7, begins with. */
  at: Date;
  path: string | undefined;
  code: string | undefined;
  field: string | undefined;
  reason: string | undefined;
}

const record = statement('record-requests')`
  insert into api_requests (organization_id, id, token_id, at, method, route, path, status, code, field, reason, duration_ms)
    select g.* from json_to_recordset($1) as g(organization_id uuid, id uuid, token_id uuid, at timestamptz, method text,
        route text, path text, status smallint, code text, field text, reason text, duration_ms integer)
      where exists (select from organizations o where o.id = g.organization_id)`;
const trimLog = statement('trim-requests')`
  with cut as (
    select t.organization_id, e.is_error,
        (select r.id from api_requests r
           where r.organization_id = t.organization_id and coalesce(r.status >= 400, false) = e.is_error
           order by r.organization_id desc, r.id desc offset $2 limit 1) as id
      from unnest($1::uuid[]) as t(organization_id), (values (false), (true)) as e(is_error)
  ), old as (
    select r.ctid from cut join api_requests r on r.organization_id = cut.organization_id and r.id <= cut.id
        and coalesce(r.status >= 400, false) = cut.is_error
      for update of r skip locked
  )
  delete from api_requests where ctid = any(array(select ctid from old))`;

/**
 * Adds requests to the log, and trims the logs of some organizations. Skips requests of organizations that no longer
 * exist. Not idempotent: repeated rows violate the primary key.
 * @param trim organizations of which only the newest `keep` errors and the newest `keep` other requests remain
 */
export async function recordRequests(
  db: Database,
  rows: readonly RecordedRequest[],
  trim: readonly string[],
  keep: number,
): Promise<void> {
  // The rows belong to several organizations, so the statements cannot be limited to one.
  await acrossOrganizations(async () => {
    await queryRows(db, record, [JSON.stringify(rows)]);
    if (trim.length > 0) await queryRows(db, trimLog, [trim, keep]);
  });
}

/** The secret of an API token is `pk_`, 32 random base-62 characters, and their CRC-32 as 6 base-62 characters. */
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const form = /^pk_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;
const prefixLength = 11;

interface TokenSecret {
  secret: string;
  prefix: string;
  hash: Buffer;
}

/** Returns a random secret, the prefix that lists show, and the hash that is stored. */
export function makeTokenSecret(): TokenSecret {
  const random = Array.from({ length: 32 }, () => digits.charAt(randomInt(62))).join('');
  const secret = `pk_${random}${checksum(random)}`;
  return { secret, prefix: secret.slice(0, prefixLength), hash: hashToken(secret) };
}

/**
 * True if a text has the form and the checksum of a secret. Callers use it to refuse a mistyped secret without a query.
 */
export function isTokenForm(candidate: string): boolean {
  const [, random, sum] = form.exec(candidate) ?? [];
  return random !== undefined && checksum(random) === sum;
}

/** Returns the stored form of a secret. No salt and no slow hash are needed, because secrets are long and random. */
export function hashToken(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

function checksum(random: string): string {
  let rest = crc32(random);
  let out = '';
  while (rest > 0) {
    out = digits.charAt(rest % 62) + out;
    rest = Math.floor(rest / 62);
  }
  return out.padStart(6, '0');
}
