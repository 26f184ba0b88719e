/** Stores webhook endpoints: the URLs whose callbacks are signed, and the secrets that sign them, encrypted. */
import { v7 as newId } from 'uuid';
import { PublicError } from '../../../contract/errors.ts';
import type { SecretPlace } from '../../secrets/encryption.ts';
import { firstRow, orConflict, type Database, type Transaction } from '../database.ts';

export interface WebhookEndpointRow {
  id: string;
  organization_id: string;
  /** In the form that `endpointUrl()` writes. */
  url: string;
  /** Encrypted. Null: the key that encrypted it was lost. */
  secret: string | null;
  /** Encrypted. Callbacks are also signed with it until `previous_until`. */
  previous_secret: string | null;
  /** The end of the last rotation's overlap; may be in the past. */
  previous_until: Date | null;
  created_at: Date;
  rotated_at: Date | null;
}

/** The secrets that sign a callback. `previous_secret` is null after the overlap. */
export type SealedEndpoint = Pick<
  WebhookEndpointRow,
  'id' | 'organization_id' | 'url' | 'secret' | 'previous_secret'
>;

/** @returns the place where an endpoint's secret is stored; the secret's encryption is bound to this place */
export function signingSecretPlace(
  { id, organization_id }: Pick<WebhookEndpointRow, 'id' | 'organization_id'>,
  column: 'secret' | 'previous_secret',
): SecretPlace {
  return { organizationId: organization_id, table, rowId: id, column };
}

const table = 'webhook_endpoints';
const endpoints = (db: Database) => db.knex<WebhookEndpointRow>(table);

/** @returns the organization's endpoints, by URL */
export async function listWebhookEndpoints(
  db: Database,
  organizationId: string,
): Promise<WebhookEndpointRow[]> {
  return await endpoints(db).where({ organization_id: organizationId }).orderBy('url', 'asc');
}

/**
 * Finds an endpoint and locks it until the transaction ends.
 * @param id a UUID
 * @returns undefined if the organization has no such endpoint
 */
export async function lockWebhookEndpoint(
  db: Database,
  organizationId: string,
  id: string,
): Promise<WebhookEndpointRow | undefined> {
  return await endpoints(db).where({ id, organization_id: organizationId }).forUpdate().first();
}

/**
 * Stores a new endpoint. Locks the organization until the transaction ends, so that concurrent calls cannot exceed
 * `max`.
 * @param seal encrypts the endpoint's secret for the given place
 * @returns undefined if the organization has `max` endpoints
 * @throws PublicError conflict if the organization has an endpoint with this URL
 */
export async function insertWebhookEndpoint(
  db: Transaction,
  organizationId: string,
  { url, max, seal }: { url: string; max: number; seal: (place: SecretPlace) => string },
): Promise<WebhookEndpointRow | undefined> {
  const key = { id: newId(), organization_id: organizationId };
  await db.knex('organizations').where({ id: organizationId }).forNoKeyUpdate().first('id');
  if ((await listWebhookEndpoints(db, organizationId)).length >= max) return undefined;
  const row = { ...key, url, secret: seal(signingSecretPlace(key, 'secret')) };
  const insert = () => endpoints(db).insert(row).returning('*');
  return firstRow(await orConflict('webhook_endpoints_url', insert, 'This URL is already an endpoint.'));
}

/**
 * Replaces an endpoint's secrets.
 * @param overlapSeconds how long callbacks are also signed with the previous secret, if there is one
 * @throws PublicError not_found if there is no such endpoint
 */
export async function replaceSigningSecret(
  db: Database,
  { id, organization_id }: Pick<WebhookEndpointRow, 'id' | 'organization_id'>,
  sealed: { secret: string; previous: string | null },
  overlapSeconds: number,
): Promise<WebhookEndpointRow> {
  const until = db.knex.raw("clock_timestamp() + ? * interval '1 second'", [overlapSeconds]);
  const [row] = await endpoints(db)
    .where({ id, organization_id })
    .update({
      secret: sealed.secret,
      previous_secret: sealed.previous,
      previous_until: sealed.previous === null ? null : until,
      rotated_at: db.knex.raw('clock_timestamp()'),
    })
    .returning('*');
  if (row === undefined) throw new PublicError('not_found');
  return row;
}

/** Deletes an endpoint with its secrets. @returns undefined if the organization has no such endpoint */
export async function deleteWebhookEndpoint(
  db: Database,
  organizationId: string,
  id: string,
): Promise<Pick<WebhookEndpointRow, 'url'> | undefined> {
  const [row] = await endpoints(db).where({ id, organization_id: organizationId }).delete('url');
  return row;
}
