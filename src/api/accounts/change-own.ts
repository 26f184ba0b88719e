import { recordForAccount } from '../../adapters/postgres/accounts/audit-log.ts';
import { inAccountTransaction, type Transaction } from '../../adapters/postgres/database.ts';
import type { AuditAction } from '../../contract/accounts/audit.ts';
import type { PersonCaller } from '../caller.ts';
import type { ApiDeps } from '../deps.ts';

/**
 * Changes the caller's account, and records an audit event in each of the caller's organizations. If `change` returns
 * undefined, records nothing.
 * @param targetOf returns the target of the event from the result of `change`; by default, the caller's email
 * @returns the result of `change`
 */
export async function changeOwn<T>(
  { db }: ApiDeps,
  person: PersonCaller,
  action: AuditAction,
  change: (tx: Transaction) => Promise<T | undefined>,
  targetOf: (changed: T) => string = () => person.email,
): Promise<T | undefined> {
  return await inAccountTransaction(db, async (tx) => {
    const changed = await change(tx);
    if (changed !== undefined) await recordForAccount(tx, person.userId, person, action, targetOf(changed));
    return changed;
  });
}
