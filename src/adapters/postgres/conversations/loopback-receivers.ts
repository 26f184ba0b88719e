/** Stores the receivers on this machine that an organization allows in local mode. Other modes do not read them. */
import { z } from 'zod';
import { statement, type Transaction } from '../database.ts';

const table = 'loopback_receivers';

/** @returns true if the organization allows the receiver at `host`, for example `localhost:5000` */
export const isLoopbackAllowed = statement('find-loopback-receiver').hasRow<
  [organizationId: string, host: string]
>`
  select 1 from loopback_receivers where organization_id = $1 and host = $2`;

/** @returns the allowed hosts with their ports, in alphabetical order */
export const listLoopbackReceivers = statement('list-loopback-receivers', z.array(z.string())).result<
  [organizationId: string]
>`
  select array(select host from loopback_receivers where organization_id = $1 order by host) as result`;

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
export const forbidLoopbackReceiver = statement('forbid-loopback-receiver').hasRow<
  [organizationId: string, host: string]
>`
  delete from loopback_receivers where organization_id = $1 and host = $2 returning host`;
