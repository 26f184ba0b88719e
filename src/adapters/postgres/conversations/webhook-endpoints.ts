/** Stores webhook endpoints: URLs whose callbacks are signed, and the encrypted secrets that sign these callbacks. */
import { v7 as newId } from 'uuid';
import { z } from 'zod';
import { orNotFound } from '../../../contract/errors.ts';
import type { SecretPlace } from '../../secrets/encryption.ts';
import {
  firstRow,
  firstRowOf,
  orConflict,
  rowsOf,
  statement,
  type Database,
  type Transaction,
} from '../database.ts';
import { organizationTable } from '../organization-table.ts';

const webhookEndpointRow = z.object({
  id: z.string(),
  organization_id: z.string(),
  /** The URL in the form that `endpointUrl()` returns. */
  url: z.string(),
  /** Encrypted; null if the key that encrypted it was lost. */
  secret: z.string().nullable(),
  /** Encrypted; null if there is none. Callbacks are also signed with it until `previous_until`. */
  previous_secret: z.string().nullable(),
  /** When the overlap of the last rotation ends; may be in the past. Null if there is no previous secret. */
  previous_until: z.date().nullable(),
  created_at: z.date(),
  rotated_at: z.date().nullable(),
  /** True if the endpoint also gets the alert conversation.waiting of agents without an alert URL. */
  waiting_alerts: z.boolean(),
});
export type WebhookEndpointRow = z.infer<typeof webhookEndpointRow>;

/** An endpoint with the encrypted secrets that sign its callbacks. `previous_secret` is null after the overlap. */
export const sealedEndpoint = webhookEndpointRow.pick({
  id: true,
  organization_id: true,
  url: true,
  secret: true,
  previous_secret: true,
});
export type SealedEndpoint = z.infer<typeof sealedEndpoint>;

/** @returns the place to which the encryption of an endpoint's secret is bound: its row and column */
export function signingSecretPlace(
  { id, organization_id }: Pick<WebhookEndpointRow, 'id' | 'organization_id'>,
  column: 'secret' | 'previous_secret',
): SecretPlace {
  return { organizationId: organization_id, table, rowId: id, column };
}

const table = 'webhook_endpoints';
const endpoints = (db: Database) => db.knex<WebhookEndpointRow>(table);
const ofOrganization = organizationTable(table, webhookEndpointRow);

/** @returns the organization's endpoints in the order of their URLs */
export const listWebhookEndpoints = ofOrganization.list('url');

/**
 * Finds an endpoint and locks it until the transaction ends.
 * @param id a UUID
 * @returns undefined if the organization has no such endpoint
 */
export const lockWebhookEndpoint = ofOrganization.lock;

/**
 * Stores a new endpoint. Locks the organization until the transaction ends, so that concurrent calls cannot exceed
 * `max`.
 * @param seal returns the endpoint's secret, encrypted for the given place
 * @returns undefined if the organization already has `max` endpoints
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
  const insert = () => rowsOf(webhookEndpointRow, endpoints(db).insert(row).returning('*'));
  return firstRow(await orConflict('webhook_endpoints_url', insert, 'This URL is already an endpoint.'));
}

/**
 * Replaces an endpoint's secrets.
 * @param sealed the new secret and the previous one, encrypted; `previous` is null if there is no overlap
 * @param overlapSeconds how long from now callbacks are also signed with the previous secret, if there is one
 * @throws PublicError not_found if there is no such endpoint
 */
export async function replaceSigningSecret(
  db: Database,
  { id, organization_id }: Pick<WebhookEndpointRow, 'id' | 'organization_id'>,
  sealed: { secret: string; previous: string | null },
  overlapSeconds: number,
): Promise<WebhookEndpointRow> {
  const until = db.knex.raw("clock_timestamp() + ? * interval '1 second'", [overlapSeconds]);
  const changed = await firstRowOf(
    webhookEndpointRow,
    endpoints(db)
      .where({ id, organization_id })
      .update({
        secret: sealed.secret,
        previous_secret: sealed.previous,
        previous_until: sealed.previous === null ? null : until,
        rotated_at: db.knex.raw('clock_timestamp()'),
      })
      .returning('*'),
  );
  return orNotFound(changed);
}

/**
 * Sets whether an endpoint gets alerts about conversations that wait for a person.
 * @returns the endpoint, with the earlier setting as `were_on`; undefined if the organization has no such endpoint
 */
export const setWaitingAlerts = statement(
  'set-waiting-alerts',
  webhookEndpointRow.extend({ were_on: z.boolean() }),
).row<[organizationId: string, id: string, isOn: boolean]>`
  update webhook_endpoints w set waiting_alerts = $3
    from (select id, waiting_alerts as were_on from webhook_endpoints
            where id = $2 and organization_id = $1 for update) before
    where w.id = before.id returning w.*, before.were_on`;

/**
 * Deletes the alerts conversation.waiting to an endpoint that were not posted yet. Call it after the endpoint was
 * deleted or its `waiting_alerts` were switched off. Alerts that a channel's alert_url gets stay.
 */
export const withdrawWaitingAlerts = statement('withdraw-waiting-alerts').write<
  [organizationId: string, url: string]
>`
  delete from deliveries d where d.organization_id = $1 and d.status = 'pending' and d.kind = 'alert'
    and d.event = 'conversation.waiting' and d.url = $2
    and not exists (select from channels h where h.agent_id = d.agent_id and h.alert_url = d.url)`;

/** Deletes an endpoint with its secrets. @returns its URL; undefined if the organization has no such endpoint */
export const deleteWebhookEndpoint = statement('delete-webhook-endpoint', z.object({ url: z.string() })).row<
  [organizationId: string, id: string]
>`
  delete from webhook_endpoints where id = $2 and organization_id = $1 returning url`;
