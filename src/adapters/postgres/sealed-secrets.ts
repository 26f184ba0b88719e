/** Records which key encrypts the secrets of a database, rotates this key, and deletes secrets whose key was lost. */
import { z } from 'zod';
import type { Encryption, SecretPlace } from '../secrets/encryption.ts';
import { newWebhookSecret } from './whatsapp/channels.ts';
import { idRow, isDatabaseUnavailable, queryIds, rowsOf, statement, type Database } from './database.ts';
import { acrossOrganizations } from './organization-scope.ts';

interface SealedColumns {
  table: string;
  columns: readonly string[];
  /** Column with the row id to which the encryption is bound; default: `id`. */
  key?: string;
  /** SQL expression for the organization to which the encryption is bound; default: the row's organization_id. */
  organization?: string;
  /** True if the encryption is bound to no row. */
  isOfAnyRow?: boolean;
}

const sealedColumns: readonly SealedColumns[] = [
  { table: 'channels', columns: ['instance_token', 'webhook_secret'], key: 'agent_id' },
  {
    table: 'channel_checks',
    columns: ['instance_token'],
    organization: '(select c.organization_id from channels c where c.agent_id = t.agent_id)',
  },
  { table: 'tool_connections', columns: ['access_token', 'refresh_token'] },
  { table: 'model_providers', columns: ['api_key'] },
  { table: 'mcp_servers', columns: ['header_value'] },
  {
    table: 'mcp_sign_ins',
    columns: ['client_secret', 'code_verifier', 'access_token', 'refresh_token'],
  },
  { table: 'http_tools', columns: ['headers'] },
  { table: 'webhook_endpoints', columns: ['secret', 'previous_secret'] },
  // The row belongs to a user instead of an organization. Its secrets are encrypted before the row has an id.
  { table: 'console_two_factors', columns: ['secret', 'backup_codes'], organization: `''`, isOfAnyRow: true },
];

/** @returns the place to which the encryption of a second factor's secret is bound: the same for all users */
export function secondFactorPlace(column: 'secret' | 'backup_codes'): SecretPlace {
  return { organizationId: '', table: 'console_two_factors', rowId: '', column };
}

const setting = 'encryption_key_id';
const retryMs = 1000;

/** SQL query for the ids of all keys with which secrets in the database are encrypted now. */
const usedKeys = sealedColumns
  .flatMap(({ table, columns }) =>
    columns.map(
      (column) => `select split_part(${column}, ':', 2) as id from ${table} where ${column} is not null`,
    ),
  )
  .join(' union ');

/**
 * Verifies that this process has the recorded key and every key with which secrets in the database are encrypted. At
 * the first start, records the process's first key. Waits while Postgres is unavailable. Does nothing if the process
 * has no key.
 * @throws Error if this process lacks one of these keys
 */
export async function verifyEncryptionKey(db: Database, encryption: Encryption): Promise<void> {
  const [sealing] = encryption.keyIds;
  if (sealing === undefined) return;
  const lost = (await keysInUse(db, sealing)).filter((id) => !encryption.keyIds.includes(id));
  if (lost.length > 0) {
    throw new Error(
      `The secrets in this database are encrypted with the ENCRYPTION_KEY of id ${lost.join(' and ')}, and this process has ${encryption.keyIds.join(' and ')}. ` +
        'Give it the key of the first start. To change keys set both, the new one, a comma and the old one, and run: npm run parley -- secrets rotate. ' +
        'If that key is lost for good: npm run parley -- secrets forget-lost',
    );
  }
}

const recordKey = statement('record-encryption-key', idRow)`
  with used as (${usedKeys}),
    noted as (insert into installation (name, value)
      select $1, $2 where not exists (select from used where id <> $2) on conflict do nothing returning value)
  select value as id from noted union select value from installation where name = $1 union select id from used`;

/**
 * Records the key id `sealing`, unless a key id is recorded or another key is in use. Retries while Postgres is
 * unavailable.
 * @returns the recorded key id, if there is one, and the ids of all keys in use
 */
async function keysInUse(db: Database, sealing: string): Promise<string[]> {
  for (;;) {
    try {
      // The key belongs to the installation, not to an organization.
      const ids = await acrossOrganizations(() => queryIds(db, recordKey, [setting, sealing]));
      // There are no rows if another process records a key at the same moment. The next iteration finds this key.
      if (ids.length > 0) return ids;
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
  }
}

const sealedRows = z.object({
  rows: z.array(z.object({ id: z.string(), organization: z.string(), secret: z.string() })),
});

/**
 * Re-encrypts with the first key every secret that another key encrypts, and records the first key, in one transaction.
 * Idempotent.
 * @returns how many secrets were encrypted again, and the first key's id
 * @throws Error if the process has no key, or if a secret cannot be decrypted with any of its keys
 */
export async function rotateSecrets(
  db: Database,
  encryption: Encryption,
): Promise<{ sealed: number; key_id: string }> {
  const [sealing] = encryption.keyIds;
  if (sealing === undefined) throw new Error('Set ENCRYPTION_KEY: the new key, a comma, and the old key.');
  return await db.knex.transaction(async (trx) => {
    let sealed = 0;
    for (const {
      table,
      columns,
      key = 'id',
      organization = 't.organization_id',
      isOfAnyRow,
    } of sealedColumns) {
      for (const column of columns) {
        const { rows } = sealedRows.parse(
          await trx.raw(
            `select t.${key} as id, ${organization} as organization, t.${column} as secret from ${table} t where t.${column} is not null for update of t`,
          ),
        );
        for (const { id, organization: organizationId, secret } of rows) {
          if (secret.startsWith(`v1:${sealing}:`)) continue;
          const rowId = isOfAnyRow === true ? '' : id;
          const place = { organizationId, table, rowId, column };
          await trx(table)
            .where(key, id)
            .update({ [column]: encryption.seal(encryption.open(secret, place), place) });
          sealed += 1;
        }
      }
    }
    await trx('installation').insert({ name: setting, value: sealing }).onConflict('name').merge();
    return { sealed, key_id: sealing };
  });
}

const lostChannel = z.object({ agent_id: z.string(), organization_id: z.string() });
const lostSignIn = z.object({ server_id: z.string(), status: z.string() });
const lostFactor = z.object({ user_id: z.string() });

type LosingSecrets =
  | 'channels'
  | 'tool_connections'
  | 'model_providers'
  | 'http_tools'
  | 'mcp_servers'
  | 'webhook_endpoints'
  | 'second_factors';

/**
 * Deletes the secrets that no key of this process decrypts, and records the first key. To be called after a key was
 * lost. Idempotent. Afterwards, users must connect the affected channels and workspaces again, enter the keys of model
 * providers and the headers of HTTP tools and MCP servers, sign in at MCP servers, rotate the secrets of webhook
 * endpoints, and set up their second factors again.
 * @returns how many channels, connections, providers, tools, servers, endpoints and users lost a secret, and the first
 * key's id. An endpoint that lost only its previous secret does not count
 * @throws Error if the process has no key
 */
export async function forgetLostSecrets(
  db: Database,
  encryption: Encryption,
): Promise<Record<LosingSecrets, number> & { key_id: string }> {
  const [sealing] = encryption.keyIds;
  if (sealing === undefined) throw new Error('Set ENCRYPTION_KEY: the key that is used from now on.');
  const { keyIds } = encryption;
  return await db.knex.transaction(async (trx) => {
    const unreadable = (column: string) =>
      trx.raw(`split_part(${column}, ':', 2) <> all (?::text[])`, [[...keyIds]]);
    await trx('channel_checks').where(unreadable('instance_token')).delete();
    const lost = await rowsOf(
      lostChannel,
      trx('channels')
        .where(unreadable('webhook_secret'))
        .orWhere(unreadable('instance_token'))
        .forUpdate()
        .select('agent_id', 'organization_id'),
    );
    for (const row of lost) {
      await trx('channels')
        .where({ agent_id: row.agent_id })
        .update({
          state: 'not_connected',
          instance_token: null,
          next_check_at: null,
          previous_webhook_hash: null,
          ...newWebhookSecret(encryption, row),
        });
    }
    const connections = await trx('tool_connections')
      .where(unreadable('access_token'))
      .orWhere(unreadable('refresh_token'))
      .update({ status: 'needs_reconnect', access_token: null, refresh_token: null });
    const providers = await trx('model_providers').where(unreadable('api_key')).update({ api_key: null });
    const httpTools = await trx('http_tools').where(unreadable('headers')).update({ headers: null });
    const mcpServers = await trx('mcp_servers')
      .where(unreadable('header_value'))
      .update({ header_value: null, status: 'needs_header' });
    const signIns = await rowsOf(
      lostSignIn,
      trx('mcp_sign_ins')
        .where(unreadable('client_secret'))
        .orWhere(unreadable('code_verifier'))
        .orWhere(unreadable('access_token'))
        .orWhere(unreadable('refresh_token'))
        .delete(['server_id', 'status']),
    );
    const signedOut = signIns
      .filter(({ status }) => status === 'completed')
      .map(({ server_id }) => server_id);
    await trx('mcp_servers').whereIn('id', signedOut).update({ status: 'needs_sign_in' });
    await trx('webhook_endpoints')
      .where(unreadable('previous_secret'))
      .update({ previous_secret: null, previous_until: null });
    const endpoints = await trx('webhook_endpoints').where(unreadable('secret')).update({ secret: null });
    const factors = await rowsOf(
      lostFactor,
      trx('console_two_factors')
        .where(unreadable('secret'))
        .orWhere(unreadable('backup_codes'))
        .delete('user_id'),
    );
    const users = factors.map(({ user_id }) => user_id);
    await trx('console_users').whereIn('id', users).update({ two_factor_enabled: false });
    await trx('installation').insert({ name: setting, value: sealing }).onConflict('name').merge();
    return {
      channels: lost.length,
      tool_connections: connections,
      model_providers: providers,
      http_tools: httpTools,
      mcp_servers: mcpServers + signedOut.length,
      webhook_endpoints: endpoints,
      second_factors: users.length,
      key_id: sealing,
    };
  });
}
