/** Slows down password guessing: counts attempts by address and account, over all API processes. */
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { PublicError } from '../../contract/errors.ts';
import type { Visit } from '../endpoint.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import type { ApiDeps } from '../deps.ts';

const maxFailures = 10;
const failureWindowSeconds = 300;

export function signInThrottle(db: Database): RateLimiterPostgres {
  return new RateLimiterPostgres({
    ...{ storeClient: db.pool, storeType: 'pool', tableName: 'sign_in_attempts', tableCreated: true },
    ...{ points: maxFailures, duration: failureWindowSeconds, clearExpiredByTimeout: false },
  });
}

/**
 * Called before the password is checked, so that many concurrent attempts are counted too.
 * @returns the argument for `forgetSignIns` after a success
 * @throws PublicError rate_limited
 */
export async function countSignIn(
  { signInThrottle }: ApiDeps,
  { address }: Visit,
  email: string,
): Promise<string> {
  const key = `${address ?? ''} ${email.toLowerCase()}`.slice(0, 200);
  try {
    await signInThrottle.consume(key);
    return key;
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused;
    throw new PublicError('rate_limited', {
      sentence: 'Too many attempts to sign in. Wait a few minutes, then try again.',
      retryAfterSeconds: Math.ceil(refused.msBeforeNext / 1000),
    });
  }
}

export async function forgetSignIns({ signInThrottle }: ApiDeps, key: string): Promise<void> {
  await signInThrottle.delete(key);
}
