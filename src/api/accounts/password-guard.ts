/**
 * Slows down the guessing of passwords and second-factor codes, counts failed sign-ins at identity providers, and limits
 * how many passwords are hashed at once and how many reset links an address asks for. Counts attempts by address and by
 * account. At an address where an account has signed in before, the account has a separate counter, so that attempts
 * from other addresses do not delay it there. The code that confirms a new second factor is not counted.
 */
import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { type Database } from '../../adapters/postgres/database.ts';
import {
  countSignIn,
  forgiveSignIn,
  isKnownAddress,
  takeBackSignIns,
  type DelayRule,
} from '../../adapters/postgres/accounts/sign-in-counters.ts';
import { forAccounts } from '../../adapters/postgres/organization-scope.ts';
import { RateLimiter } from '../../adapters/postgres/rate-limiter.ts';
import type { AuditAction } from '../../contract/accounts/audit.ts';
import { PublicError } from '../../contract/errors.ts';
import { Limiter } from '../../limits/limiter.ts';
import { addressGroup } from './address-group.ts';

const day = 24 * 60 * 60;
const hour = 60 * 60;

/** Limit of the reset links that one address asks for, for any email. Chosen. */
const asked = { maxCalls: 5, windowSeconds: hour };

/**
 * Maximum audit events per hour of one action (`sign_in_failed` or `second_factor_failed`): of one organization, and of
 * one account there. Further events are not recorded, so that strangers cannot fill the log. Chosen.
 */
const recorded = {
  organization: { maxCalls: 100, windowSeconds: hour },
  account: { maxCalls: 5, windowSeconds: hour },
};

/** Number of attempts without a delay, and the delays of further attempts, per account and per address. Chosen. */
const rules = {
  account: { free: 10, firstSeconds: 30, maxSeconds: 15 * 60, keepSeconds: day },
  address: { free: 100, firstSeconds: 30, maxSeconds: 15 * 60, keepSeconds: hour },
} satisfies Record<string, DelayRule>;
/** Time for which an account counts as known at an address after a sign-in there. Chosen. */
const knownSeconds = 90 * day;

/**
 * Limits of password hashing. Each hash occupies a thread, a core and 32 MiB (better-auth uses scrypt with N = 16,384
 * and r = 16), so at most two run at once in this process: one for accounts that are known at their address, and one
 * for all other accounts and for new passwords, with one queue per address. A known account has a separate queue at its
 * address, so that other accounts there cannot fill it. Chosen.
 */
const strangers = new Limiter({ max: 1, maxPerOwner: 1, maxWaiting: 10, maxWaitMs: 10_000 });
const acquainted = new Limiter({ max: 1, maxPerOwner: 1, maxWaiting: 2, maxWaitMs: 10_000 });

/** Limits how many calls to identity providers may be in progress, because a provider may answer slowly. Chosen. */
const visits = new Limiter({ max: 20, maxPerOwner: 5, maxWaiting: 20, maxWaitMs: 10_000 });

export type PasswordGuard = ReturnType<typeof createPasswordGuard>;

/**
 * @param encryptionKey ENCRYPTION_KEY, a comma-separated list. Accounts and addresses are hashed for the counters with a
 * key derived from the first entry. If undefined, a random key is used, so a restart of the process resets all counts.
 */
export function createPasswordGuard(db: Database, encryptionKey: string | undefined) {
  const [newest = ''] = (encryptionKey ?? randomBytes(32).toString('base64')).split(',');
  const key = Buffer.from(hkdfSync('sha256', newest, '', 'sign-in counters', 32));
  const recordedOfOrganization = new RateLimiter(db, 'failed-sign-ins', recorded.organization);
  const recordedOfAccount = new RateLimiter(db, 'failed-sign-ins-of', recorded.account);
  const askedOfAddress = new RateLimiter(db, 'asked-resets-of', asked);
  return { attempt, attemptCode, visit, visited, call, hash, mayRecord, demandAsked };

  /**
   * Counts an attempt with an account's password, waits for a slot, and runs the check. If the password is right,
   * resets the account's count, takes the attempt back from the address's count, and records for `knownSeconds` that
   * the account is known at the address. If `check` throws, or no slot becomes free, takes the attempt back.
   * @param from network address of the caller
   * @param email as entered; it need not belong to an account
   * @param check returns undefined if the password is wrong
   * @param needsCode returns true if a code must follow; the attempt then counts until `attemptCode` succeeds
   * @returns the result of `check`
   * @throws PublicError rate_limited if the attempt must wait or too many attempts are in progress; the errors of
   * `check`
   */
  async function attempt<T>(
    from: string | undefined,
    email: string,
    check: () => Promise<T | undefined>,
    needsCode: (result: T) => boolean = () => false,
  ): Promise<T | undefined> {
    return await countedAttempt(from, email, check, (result) => (needsCode(result) ? 0 : 1));
  }

  /**
   * Counts an attempt with a code of an account's second factor like one with its password, and runs the check. If the
   * code is right, resets the account's count and takes this attempt back from the address's count. If the sign-in
   * began with the password, also takes back the attempt with the password.
   * @param check returns undefined if the code is wrong
   * @param beganWith how the sign-in began. A sign-in at an identity provider has counted no attempt with a password
   * @returns the result of `check`
   * @throws PublicError rate_limited as `attempt` does; the errors of `check`
   */
  async function attemptCode<T>(
    from: string | undefined,
    email: string,
    check: () => Promise<T | undefined>,
    beganWith: 'password' | 'provider',
  ): Promise<T | undefined> {
    return await countedAttempt(from, email, check, () => (beganWith === 'password' ? 2 : 1));
  }

  /** @param forgiven returns how many attempts to take back from the address's count after this result */
  async function countedAttempt<T>(
    from: string | undefined,
    email: string,
    check: () => Promise<T | undefined>,
    forgiven: (result: T) => number,
  ): Promise<T | undefined> {
    const group = addressGroup(from);
    const account = keyOf('account', email.toLowerCase());
    const address = keyOf('address', group);
    const pair = keyOf('account at address', email.toLowerCase(), group);
    // Uses the database role for accounts, because the counters belong to no organization.
    const isKnown = await forAccounts(() => isKnownAddress(db, pair));
    const counted: Buffer[] = [];
    const result = await checked(counted, async () => {
      const wanted = isKnown
        ? ([[pair, rules.account]] as const)
        : ([
            [address, rules.address],
            [account, rules.account],
          ] as const);
      for (const [key, rule] of wanted) {
        await count(key, rule);
        counted.push(key);
      }
      return isKnown
        ? await inTurn(acquainted, pair.toString('base64'), check)
        : await inTurn(strangers, group, check);
    });
    if (result !== undefined) {
      const keys = isKnown ? { pair } : { pair, account, address };
      for (let left = forgiven(result); left > 0; left -= 1)
        await forAccounts(() => forgiveSignIn(db, keys, knownSeconds));
    }
    return result;
  }

  /**
   * Counts a sign-in at an identity provider for its address, waits for a slot, and completes the sign-in. If it
   * succeeds, resets the count.
   * @param work completes the sign-in; throws if it fails
   * @param needsCode returns true if a code must follow; the count is then reset only when `visited` is called
   * @returns the result of `work`
   * @throws PublicError rate_limited if the sign-in must wait or too many are in progress; the errors of `work`
   */
  async function visit<T>(
    from: string | undefined,
    work: () => Promise<T>,
    needsCode: (result: T) => boolean,
  ): Promise<T> {
    await count(visitsOf(from), rules.address);
    const result = await call(from, work);
    if (!needsCode(result)) await visited(from);
    return result;
  }

  /** Resets an address's count of sign-ins at identity providers. Call it after a successful sign-in. */
  async function visited(from: string | undefined): Promise<void> {
    await forAccounts(() => forgiveSignIn(db, { pair: visitsOf(from) }, 0));
  }

  /**
   * Waits for a slot and calls an identity provider.
   * @throws PublicError rate_limited if too many calls already wait, or this call has waited too long; the errors of
   * `work`
   */
  async function call<T>(from: string | undefined, work: () => Promise<T>): Promise<T> {
    return await inTurn(visits, addressGroup(from), work);
  }

  /**
   * Waits for a slot and hashes a new password. Counts no attempt, because the work sets a password instead of checking
   * one.
   * @throws PublicError rate_limited if too many calls already wait, or this call has waited too long; the errors of
   * `work`
   */
  async function hash<T>(from: string | undefined, work: () => Promise<T>): Promise<T> {
    return await inTurn(strangers, addressGroup(from), work);
  }

  /** Counts a failed sign-in. @returns true if the organization's audit log may record it */
  async function mayRecord(organizationId: string, action: AuditAction, email: string): Promise<boolean> {
    const account = keyOf('recorded', organizationId, action, email).toString('hex');
    return (
      (await recordedOfAccount.take(account)) === 0 &&
      (await recordedOfOrganization.take(`${organizationId}:${action}`)) === 0
    );
  }

  /**
   * Counts a reset link that somebody asks for toward the limit of their address.
   * @throws PublicError rate_limited if the limit is reached
   */
  async function demandAsked(from: string | undefined): Promise<void> {
    const sentence = 'Too many links were asked for from this network. Try again in an hour.';
    await askedOfAddress.demand(keyOf('asks', addressGroup(from)).toString('hex'), 1, sentence);
  }

  /** Runs the work. If it throws, takes the counted attempts back, because no wrong password or code was found. */
  async function checked<T>(counted: readonly Buffer[], work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      await forAccounts(() => takeBackSignIns(db, counted));
      throw error;
    }
  }

  /**
   * Counts an attempt, unless it must wait.
   * @throws PublicError rate_limited, with the seconds to wait, if the rule demands a wait; the attempt is not counted
   */
  async function count(key: Buffer, rule: DelayRule): Promise<void> {
    const wait = await forAccounts(() => countSignIn(db, key, rule));
    if (wait === 0) return;
    const sentence = `Too many failed attempts. Wait ${waitInWords(wait)}, then try again.`;
    throw new PublicError('rate_limited', { sentence, retryAfterSeconds: wait });
  }

  function visitsOf(from: string | undefined): Buffer {
    return keyOf('visits of address', addressGroup(from));
  }

  function keyOf(...parts: string[]): Buffer {
    return createHmac('sha256', key).update(JSON.stringify(parts)).digest();
  }
}

function waitInWords(seconds: number): string {
  if (seconds < 60) return `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}

/**
 * Runs the work once a slot is free.
 * @throws PublicError rate_limited if too many calls already wait, or this call has waited too long; the errors of the
 * work
 */
async function inTurn<T>(limiter: Limiter, owner: string, work: () => Promise<T>): Promise<T> {
  const sentence = 'Too many attempts to sign in at once. Wait a few seconds, then try again.';
  return await limiter.use(owner, work, {
    busy: () => new PublicError('rate_limited', { sentence, retryAfterSeconds: 5 }),
  });
}
