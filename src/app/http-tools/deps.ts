/** Dependencies of HTTP tools, created once in main-worker.ts. */
import type { PublicHttp } from '../../adapters/http/public-http.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import type { Encryption } from '../../adapters/secrets/encryption.ts';
import { Limiter } from '../../limits/limiter.ts';
import type { FairShares } from '../../worker/fair-shares.ts';

/** Maximum bytes of an answer that are read. Chosen: enough for a list of a few hundred rows. */
export const maxToolAnswerBytes = 512 * 1024;
/** Calls in progress, each of which may hold an answer: 64 MiB in all. Chosen. */
const maxCalls = 128;
/** Leaves calls to others while one organization's servers are slow. Chosen. */
const maxCallsPerOrganization = 48;

export interface HttpToolDeps {
  readonly db: Database;
  readonly shares: Pick<FairShares, 'use'>;
  readonly encryption: Encryption;
  /** Allows the addresses of TOOL_ALLOW. */
  readonly http: PublicHttp;
  readonly calls: Pick<Limiter, 'hold'>;
}

/** Creates the dependencies. Must be called once per worker process, because the limit applies to all its calls. */
export function httpToolDeps(parts: Omit<HttpToolDeps, 'calls'>): HttpToolDeps {
  return { ...parts, calls: new Limiter({ max: maxCalls, maxPerOwner: maxCallsPerOrganization }) };
}
