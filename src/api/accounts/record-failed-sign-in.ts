/**
 * Writes failed sign-ins to the audit log of the account's organizations. Strangers can cause these events, so their
 * number per hour is limited.
 */
import { hasEnoughOf, recordAudit } from '../../adapters/postgres/accounts/audit-log.ts';
import { organizationsOfEmail } from '../../adapters/postgres/accounts/members.ts';
import { inAccountTransaction } from '../../adapters/postgres/database.ts';
import type { ApiDeps } from '../deps.ts';

/**
 * Maximum events of one action per organization and hour: with the same target, and in total. Further ones are not
 * recorded, so that strangers cannot fill the log. Chosen.
 */
const perHour = { sameTarget: 5, all: 100 };

/**
 * Records a failed sign-in in each organization of the account, up to `perHour`. Does nothing for an email without an
 * account. Must not be awaited before the response, because its duration would reveal which emails have accounts. Never
 * throws: logs a warning if it fails.
 */
export async function recordFailedSignIn(
  { db, log }: ApiDeps,
  email: string,
  address: string | undefined,
  action: 'sign_in_failed' | 'second_factor_failed' = 'sign_in_failed',
): Promise<void> {
  try {
    await inAccountTransaction(db, async (tx) => {
      for (const organizationId of await organizationsOfEmail(tx, email.toLowerCase())) {
        const actor = {
          kind: 'system',
          name: 'somebody who is not signed in',
          address,
          organizationId,
        } as const;
        const event = { action, target: email.toLowerCase() } as const;
        if (!(await hasEnoughOf(tx, organizationId, event, perHour)))
          await recordAudit(tx, actor, event.action, event.target);
      }
    });
  } catch (err) {
    log.warn({ err }, 'a failed sign-in could not be written to the audit log');
  }
}
