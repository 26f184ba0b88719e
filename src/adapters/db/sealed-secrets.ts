/** Which key the secrets of this database are sealed with, and how they come under another. */
import type { Encryption } from '../encryption.ts';
import { isDatabaseUnavailable, type Database } from './database.ts';
import { acrossOrganizations } from './organization-scope.ts';

/** Where secrets stand. `organization` is SQL: what the sealing is bound to. */
const sealedColumns = [
  {
    table: 'channels',
    key: 'agent_id',
    columns: ['instance_token', 'webhook_secret'],
    organization: 't.organization_id',
  },
  {
    table: 'channel_checks',
    key: 'id',
    columns: ['instance_token'],
    organization: '(select c.organization_id from channels c where c.agent_id = t.agent_id)',
  },
  {
    table: 'tool_connections',
    key: 'id',
    columns: ['access_token', 'refresh_token'],
    organization: 't.organization_id',
  },
] as const;

const setting = 'encryption_key_id';
const retryMs = 1000;

/**
 * Notes the key at the first start. Waits for Postgres where it is away.
 * @throws Error when the database's secrets are sealed with a key that this process does not have
 */
export async function verifyEncryptionKey(db: Database, encryption: Encryption): Promise<void> {
  const [sealing] = encryption.keyIds;
  if (sealing === undefined) return;
  const noted = await noteKey(db, sealing);
  if (!encryption.keyIds.includes(noted)) {
    throw new Error(
      `The secrets in this database are sealed with the ENCRYPTION_KEY of id ${noted}, and this process has ${encryption.keyIds.join(' and ')}. ` +
        'Give it the key of the first start. To change keys set both, the new one, a comma and the old one, and run: npm run parley -- secrets rotate',
    );
  }
}

async function noteKey(db: Database, sealing: string): Promise<string> {
  for (;;) {
    try {
      // The installation's own, of no organization.
      const { rows } = await acrossOrganizations(() =>
        db.pool.query<{ value: string }>(
          `with noted as (insert into installation (name, value) values ($1, $2) on conflict do nothing returning value)
             select value from noted union all select value from installation where name = $1 limit 1`,
          [setting, sealing],
        ),
      );
      const [row] = rows;
      // Another process noted it between the two halves of the statement.
      if (row !== undefined) return row.value;
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
  }
}

/** Seals every secret with the first key, in one transaction. @returns how many were sealed anew */
export async function rotateSecrets(
  db: Database,
  encryption: Encryption,
): Promise<{ sealed: number; key_id: string }> {
  const [sealing] = encryption.keyIds;
  if (sealing === undefined) throw new Error('Set ENCRYPTION_KEY: the new key, a comma, and the old key.');
  return await db.knex.transaction(async (trx) => {
    let sealed = 0;
    for (const { table, key, columns, organization } of sealedColumns) {
      for (const column of columns) {
        const { rows }: { rows: { id: string; organization: string; secret: string }[] } = await trx.raw(
          `select t.${key} as id, ${organization} as organization, t.${column} as secret from ${table} t where t.${column} is not null for update of t`,
        );
        for (const { id, organization: organizationId, secret } of rows) {
          if (secret.startsWith(`v1:${sealing}:`)) continue;
          const place = { organizationId, table, rowId: id, column };
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
