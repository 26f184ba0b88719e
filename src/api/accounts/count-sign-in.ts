/** Slows down password guessing: counts attempts by address and account. */
import type { Database } from '../../adapters/postgres/database.ts';
import type { Visit } from '../endpoint.ts';
import type { ApiDeps } from '../deps.ts';
import { RateLimiter } from '../rate-limiter.ts';

/** Chosen. */
const failures = { maxCalls: 10, windowSeconds: 300 };

/** Counts sign-in attempts in Postgres, across all API processes. */
export function signInRate(db: Database): RateLimiter {
  return new RateLimiter(db, 'sign-in', failures);
}

/**
 * Counts one attempt. Must be called before the password is checked, so that concurrent attempts are counted too.
 * @returns the key to pass to `signInRate.forget` after a successful sign-in
 * @throws PublicError rate_limited
 */
export async function countSignIn(
  { signInRate }: ApiDeps,
  { address }: Visit,
  email: string,
): Promise<string> {
  const key = `${address ?? ''} ${email.toLowerCase()}`.slice(0, 200);
  await signInRate.demand(key, 1, 'Too many attempts to sign in. Wait a few minutes, then try again.');
  return key;
}
