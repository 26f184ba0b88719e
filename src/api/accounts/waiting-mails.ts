/** Sends members the emails about conversations that began to wait for a person. */
import { findOrganizationsToMail, takeWaitingMails } from '../../adapters/postgres/accounts/waiting-mails.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import { acrossOrganizations, inOrganization } from '../../adapters/postgres/organization-scope.ts';
import type { Mails } from './mails.ts';

/** Milliseconds between two rounds. Chosen. */
const everyMs = 5000;
/** Maximum organizations whose emails are sent at once, so that a slow mail server holds few of them. Chosen. */
const atOnce = 5;

/**
 * Sends the emails that are due, in rounds, until `close` is called.
 * @param failed called with the error of a failed round; the next round starts nevertheless
 * @returns `close`, which waits for the email that each organization is sending
 */
export function mailWaiting(
  db: Database,
  mails: Mails,
  failed: (error: unknown) => void,
): { close: () => Promise<void> } {
  const sending = new Map<string, Promise<void>>();
  let isClosed = false;
  const mail = async (organizationId: string) => {
    for (const one of await inOrganization(organizationId, () => takeWaitingMails(db, organizationId))) {
      if (isClosed) return;
      await mails.waiting(organizationId, one);
    }
  };
  const round = async () => {
    // Across organizations, because the next email can be any organization's.
    for (const id of await acrossOrganizations(() => findOrganizationsToMail(db, atOnce))) {
      if (sending.size >= atOnce || sending.has(id)) continue;
      sending.set(
        id,
        mail(id)
          .catch(failed)
          .finally(() => sending.delete(id)),
      );
    }
  };
  const timer = setInterval(() => void round().catch(failed), everyMs).unref();
  return {
    close: async () => {
      clearInterval(timer);
      isClosed = true;
      await Promise.all(sending.values());
    },
  };
}
