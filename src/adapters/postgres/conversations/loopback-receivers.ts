/** Stores the receivers on this machine that an organization allows in local mode. Other modes do not read them. */
import { z } from 'zod';
import { queryRows, rowsOf, statement, type Database, type Transaction } from '../database.ts';

const table = 'loopback_receivers';

const find = statement('find-loopback-receiver')`
  select 1 from loopback_receivers where organization_id = $1 and host = $2`;

/** @returns true if the organization allows the receiver at `host`, for example `localhost:5000` */
export async function isLoopbackAllowed(
  db: Database,
  organizationId: string,
  host: string,
): Promise<boolean> {
  return (await queryRows(db, find, [organizationId, host])).length > 0;
}

/** @returns the allowed hosts with their ports, in alphabetical order */
export async function listLoopbackReceivers(db: Database, organizationId: string): Promise<string[]> {
  return await rowsOf(
    z.string(),
    db.knex(table).where({ organization_id: organizationId }).orderBy('host').pluck('host'),
  );
}

/**
 * Allows a receiver. Idempotent. Locks the organization until the transaction ends, so that concurrent calls cannot
 * exceed `max`.
 * @returns true if the receiver is allowed now; false if the organization already allows `max` other receivers
 */
export async function allowLoopbackReceiver(
  db: Transaction,
  organizationId: string,
  host: string,
  max: number,
): Promise<boolean> {
  await db.knex('organizations').where({ id: organizationId }).forNoKeyUpdate().first('id');
  const known = await listLoopbackReceivers(db, organizationId);
  if (known.includes(host)) return true;
  if (known.length >= max) return false;
  await db.knex(table).insert({ organization_id: organizationId, host });
  return true;
}

/** Forbids a receiver. @returns false if it was not allowed before */
export async function forbidLoopbackReceiver(
  db: Database,
  organizationId: string,
  host: string,
): Promise<boolean> {
  return (await db.knex(table).where({ organization_id: organizationId, host }).delete()) > 0;
}
