/**
 * Writes failed sign-ins to the audit log of the account's organizations. Strangers can cause these events, so their
 * number per hour is limited.
 */
import { recordAudit } from '../../adapters/postgres/accounts/audit-log.ts';
import { organizationsOfEmail } from '../../adapters/postgres/accounts/members.ts';
import { inAccountTransaction } from '../../adapters/postgres/database.ts';
import { forAccounts } from '../../adapters/postgres/organization-scope.ts';
import type { ApiDeps } from '../deps.ts';

/**
 * Records a failed sign-in in each organization of the account, unless too many were recorded there within the last
 * hour (see `PasswordGuard.mayRecord`). Does nothing for an email without an account. Must not be awaited before the
 * response, because its duration would reveal which emails have accounts. Never throws: logs a warning if it fails.
 */
export async function recordFailedSignIn(
  { db, log, passwords }: Pick<ApiDeps, 'db' | 'log' | 'passwords'>,
  email: string,
  address: string | undefined,
  action: 'sign_in_failed' | 'second_factor_failed' = 'sign_in_failed',
): Promise<void> {
  try {
    const target = email.toLowerCase();
    const name = 'somebody who is not signed in';
    const organizations: string[] = [];
    for (const id of await forAccounts(() => organizationsOfEmail(db, target)))
      if (await passwords.mayRecord(id, action, target)) organizations.push(id);
    await inAccountTransaction(db, async (tx) => {
      for (const organizationId of organizations)
        await recordAudit(tx, { kind: 'system', name, address, organizationId }, action, target);
    });
  } catch (err) {
    log.warn({ err }, 'a failed sign-in could not be written to the audit log');
  }
}
