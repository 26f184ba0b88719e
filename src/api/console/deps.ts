import type { RateLimiterPostgres } from 'rate-limiter-flexible';
import type { Auth } from '../../adapters/accounts/auth.ts';
import type { ApiDeps } from '../deps.ts';

/** What the console's handlers are given beside what the public ones have. */
export interface ConsoleDeps extends ApiDeps {
  readonly auth: Auth;
  /** Failed sign-ins, counted for all API processes together. */
  readonly signInThrottle: RateLimiterPostgres;
  /** Origin at which people reach the console. */
  readonly origin: string;
}
