/** Decides whether calls are refused because a monthly limit is reached. Caches each decision for `keptMs`. */
import type { Database } from '../../adapters/postgres/database.ts';
import { findAllowances, hasMonthlyLimit, type Allowance } from '../../adapters/postgres/data/usage.ts';
import { PublicError } from '../../contract/errors.ts';

const keptMs = 3000;
/** Maximum cached decisions; beyond it, all are dropped. Chosen. */
const maxKnown = 10_000;

export class MonthlyLimits {
  readonly #db: Database;
  /** Cached decisions by token id; by organization id for decisions on the organization's limits alone. */
  readonly #known = new Map<string, { found: Promise<Found>; until: number }>();

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * @returns the error for a call of this token if a limit of the organization or the token is reached; undefined if
   * the call is allowed
   */
  async refusal(organizationId: string, tokenId: string): Promise<PublicError | undefined> {
    const { refusal } = await this.#find(organizationId, tokenId);
    return refusal && new PublicError(refusal.code, { sentence: refusal.sentence });
  }

  /** @returns the code of the organization's limit that is reached; undefined if none is */
  async reached(organizationId: string): Promise<Refusal['code'] | undefined> {
    return (await this.#find(organizationId, undefined)).refusal?.code;
  }

  /** @returns the organization's limits with their usage; undefined if it has none */
  async allowed(organizationId: string): Promise<Allowance | undefined> {
    return (await this.#find(organizationId, undefined)).organization;
  }

  async #find(organizationId: string, tokenId: string | undefined): Promise<Found> {
    const key = tokenId ?? organizationId;
    const now = performance.now();
    let known = this.#known.get(key);
    if (known === undefined || known.until < now) {
      if (this.#known.size >= maxKnown) this.#known.clear();
      known = { found: this.#read(organizationId, tokenId), until: now + keptMs };
      known.found.catch(() => this.#known.delete(key));
      this.#known.set(key, known);
    }
    return await known.found;
  }

  async #read(organizationId: string, tokenId: string | undefined): Promise<Found> {
    if (!(await hasMonthlyLimit(this.#db, organizationId, tokenId))) return {};
    const found = await findAllowances(this.#db, organizationId, tokenId);
    const organization = found?.organization;
    const refusal =
      refusalBy('organization', organization) ?? refusalBy('API token', found?.token ?? undefined);
    return { refusal, organization };
  }
}

interface Found {
  refusal?: Refusal | undefined;
  organization?: Allowance | undefined;
}

interface Refusal {
  code: 'credit_limit_reached' | 'message_limit_reached';
  sentence: string;
}

function refusalBy(whose: string, allowance: Allowance | undefined): Refusal | undefined {
  if (allowance === undefined) return undefined;
  const { limit, used, message_limit, messages } = allowance;
  const sentence = (what: string) =>
    `The monthly limit of this ${whose} is reached: ${what}. It starts again on the first day of the next month (UTC).`;
  if (limit !== null && used >= limit)
    return { code: 'credit_limit_reached', sentence: sentence(`${limit} credits`) };
  if (message_limit !== null && messages >= message_limit)
    return { code: 'message_limit_reached', sentence: sentence(`${message_limit} messages`) };
  return undefined;
}

/** @returns when the monthly usage starts again at zero: midnight (UTC) on the first of the next month, as ISO 8601 */
export function nextMonth(now = new Date()): string {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)).toISOString();
}
