/** The dependencies of HTTP tools. main-worker.ts creates them once. */
import type { PublicHttp } from '../../adapters/http/public-http.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import type { Encryption } from '../../adapters/secrets/encryption.ts';
import { Limiter } from '../../limits/limiter.ts';
import type { FairShares } from '../../worker/around-activities.ts';

/** Maximum bytes of a tool's response that are read. Chosen: enough for a list of a few hundred rows. */
export const maxToolAnswerBytes = 512 * 1024;
/**
 * Maximum calls in progress in a worker process. Each may read a response of `maxToolAnswerBytes`, so the responses of
 * all calls together take at most 64 MiB. Chosen.
 */
const maxCalls = 128;
/**
 * Maximum calls in progress of one organization, so that the slow servers of one organization do not block the calls of
 * the others. Chosen.
 */
const maxCallsPerOrganization = 48;

export interface HttpToolDeps {
  readonly db: Database;
  readonly shares: Pick<FairShares, 'use'>;
  readonly encryption: Encryption;
  /** HTTP client that may also call the internal addresses in TOOL_ALLOW. */
  readonly http: PublicHttp;
  readonly calls: Pick<Limiter, 'use'>;
}

/**
 * Creates the dependencies. Must be called only once per worker process, because the limits apply to all calls of the
 * process.
 */
export function httpToolDeps(parts: Omit<HttpToolDeps, 'calls'>): HttpToolDeps {
  return { ...parts, calls: new Limiter({ max: maxCalls, maxPerOwner: maxCallsPerOrganization }) };
}
