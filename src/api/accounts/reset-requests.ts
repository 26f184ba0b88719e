/**
 * Mails the reset links that people ask for on the sign-in page. Works after the response, so that neither its status nor
 * its duration shows whether an email has an account.
 */
import { setImmediate as afterResponse } from 'node:timers/promises';
import type { Auth } from '../../adapters/accounts/auth.ts';
import { makeAskedResetLink } from '../../adapters/accounts/password-resets.ts';
import { findAccount } from '../../adapters/accounts/people.ts';
import { inAccountTransaction, type Database } from '../../adapters/postgres/database.ts';
import { forAccounts } from '../../adapters/postgres/organization-scope.ts';
import { RateLimiter } from '../../adapters/postgres/rate-limiter.ts';
import { Limiter } from '../../limits/limiter.ts';
import type { Logger } from '../../log.ts';
import { seldomWarning } from '../../seldom.ts';
import type { Mails } from './mails.ts';

/** Maximum links that the installation mails in an hour, to all accounts together. Chosen. */
const perInstallation = { maxCalls: 200, windowSeconds: 60 * 60 };
/**
 * This process works on `max` requests at once, and lets `maxWaiting` more wait; it drops all others. Chosen: if the mail
 * server is slow, a request takes up to 10 s.
 */
const bounds = { max: 2, maxPerOwner: 2, maxWaiting: 50, maxWaitMs: 60_000 };

export type ResetRequests = ReturnType<typeof createResetRequests>;

/** @param options.origin origin of the console, for the links */
export function createResetRequests(options: {
  db: Database;
  log: Logger;
  auth: Auth;
  mails: Mails;
  origin: string;
}) {
  const { db, log, auth, mails, origin } = options;
  const installation = new RateLimiter(db, 'asked-resets', perInstallation);
  const limiter = new Limiter(bounds);
  const running = new Set<Promise<void>>();
  const dropped = seldomWarning(log, 'a reset link that somebody asked for was not made or not sent');
  let isClosed = false;
  return { add, close };

  /**
   * Begins to make and mail a link once the response has been sent. Returns at once and never throws: logs a warning if
   * the request is dropped or fails.
   * @param email as entered; it need not belong to an account
   */
  function add(email: string): void {
    const work = limiter
      .use(undefined, async () => {
        await afterResponse();
        await mailLink(email);
      })
      .catch(dropped)
      .finally(() => running.delete(work));
    running.add(work);
  }

  /** Gives up the requests that wait, and waits for those in progress. */
  async function close(): Promise<void> {
    isClosed = true;
    await Promise.all(running);
  }

  /** Does nothing if a limit is reached, or the email has no account with a password. */
  async function mailLink(email: string): Promise<void> {
    if (isClosed || !(await mails.mayAskReset(email))) return;
    const userId = await forAccounts(() => findAccount(auth, email));
    if (userId === undefined || (await installation.take('all')) > 0) return;
    const made = await inAccountTransaction(db, (tx) => makeAskedResetLink(tx, userId, origin));
    if (made !== undefined) await mails.askedReset(made);
  }
}
