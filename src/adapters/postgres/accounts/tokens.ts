import { v7 as newId } from 'uuid';
import { makeTokenSecret } from '../../secrets/token-secret.ts';
import { acrossOrganizations } from '../organization-scope.ts';
import { queryRows, type Database, type Statement } from '../database.ts';

export interface TokenRow {
  id: string;
  organization_id: string;
  name: string;
  prefix: string;
  created_at: Date;
  revoked_at: Date | null;
  last_used_at: Date | null;
  call_count: number;
  monthly_credit_limit: number | null;
  monthly_message_limit: number | null;
}

const columns = [
  'id',
  'organization_id',
  'name',
  'prefix',
  'created_at',
  'revoked_at',
  'last_used_at',
  'call_count',
  'monthly_credit_limit',
  'monthly_message_limit',
] as const;

/** Creates an API token. The secret is returned once; the database stores only its hash. */
export async function createToken(
  db: Database,
  token: { organizationId: string; name: string },
): Promise<{ id: string; token: string; prefix: string }> {
  const { secret, prefix, hash } = makeTokenSecret();
  const id = newId();
  await db
    .knex('api_tokens')
    .insert({ id, organization_id: token.organizationId, name: token.name, prefix, secret_hash: hash });
  return { id, token: secret, prefix };
}

/** @returns the organization's tokens, newest first, including revoked ones */
export async function listTokens(db: Database, organizationId: string): Promise<TokenRow[]> {
  return await db
    .knex<TokenRow>('api_tokens')
    .select(...columns)
    .where({ organization_id: organizationId })
    .orderBy('id', 'desc');
}

/**
 * @param id a UUID
 * @returns the token, active or revoked; undefined if there is none
 */
export async function findToken(db: Database, id: string): Promise<TokenRow | undefined> {
  return await db
    .knex<TokenRow>('api_tokens')
    .select(...columns)
    .where({ id })
    .first();
}

/** @param organizationId undefined if the token may belong to any organization */
function named(id: string, organizationId: string | undefined) {
  return { id, ...(organizationId !== undefined && { organization_id: organizationId }) };
}

/** Revokes a token. Idempotent. @returns the token; undefined if there is no such token */
export async function revokeToken(
  db: Database,
  id: string,
  organizationId?: string,
): Promise<TokenRow | undefined> {
  const [row] = await db
    .knex<TokenRow>('api_tokens')
    .where(named(id, organizationId))
    .update({ revoked_at: db.knex.raw('coalesce(revoked_at, now())') })
    .returning(columns);
  return row;
}

/** @returns the deleted token; undefined if there is no such token */
export async function deleteToken(
  db: Database,
  id: string,
  organizationId?: string,
): Promise<TokenRow | undefined> {
  const [row] = await db.knex<TokenRow>('api_tokens').where(named(id, organizationId)).delete(columns);
  return row;
}

const findActive: Statement = {
  name: 'find-active-token',
  text: 'select id, organization_id from api_tokens where secret_hash = $1 and revoked_at is null',
};

/**
 * Finds the token of a call, in any organization.
 * @param hash SHA-256 of the token's secret
 * @returns undefined if the token is unknown or revoked
 */
export async function findActiveToken(
  db: Database,
  hash: Buffer,
): Promise<{ id: string; organization_id: string } | undefined> {
  // The token determines the organization.
  const find = () => queryRows<{ id: string; organization_id: string }>(db, findActive, [hash]);
  const [row] = await acrossOrganizations(find);
  return row;
}

const addCalls: Statement = {
  name: 'add-token-calls',
  text: `update api_tokens t set call_count = call_count + c.calls, last_used_at = greatest(t.last_used_at, c.used)
           from unnest($1::uuid[], $2::int[], $3::timestamptz[]) as c(id, calls, used) where t.id = c.id`,
};

/** Adds the calls per token that a process has counted since it last called this function. */
export async function addTokenCalls(
  db: Database,
  counted: readonly { id: string; calls: number; lastUsed: Date }[],
): Promise<void> {
  const values = [
    counted.map((row) => row.id),
    counted.map((row) => row.calls),
    counted.map((row) => row.lastUsed),
  ];
  // A process counts the calls of all organizations together.
  await acrossOrganizations(() => queryRows(db, addCalls, values));
}
