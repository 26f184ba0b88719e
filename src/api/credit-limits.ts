/** Refuses calls that would cost more than a month may. What is used is looked up anew every few seconds. */
import type { Database } from '../adapters/db/database.ts';
import { findCreditLimits, hasCreditLimit, type Allowance } from '../adapters/db/usage.ts';
import { PublicError } from '../contract/errors.ts';

const keptMs = 3000;
const most = 10_000;

export class CreditLimits {
  readonly #db: Database;
  readonly #known = new Map<string, { refusal: Promise<string | undefined>; until: number }>();

  constructor(db: Database) {
    this.#db = db;
  }

  /** @returns why a call of this token is refused, if it is */
  async refusal(organizationId: string, tokenId: string): Promise<PublicError | undefined> {
    const key = `${organizationId} ${tokenId}`;
    const now = performance.now();
    let known = this.#known.get(key);
    if (known === undefined || known.until < now) {
      if (this.#known.size >= most) this.#known.clear();
      known = { refusal: this.#look(organizationId, tokenId), until: now + keptMs };
      known.refusal.catch(() => this.#known.delete(key));
      this.#known.set(key, known);
    }
    const refusal = await known.refusal;
    return refusal === undefined ? undefined : new PublicError('credit_limit_reached', { sentence: refusal });
  }

  async #look(organizationId: string, tokenId: string): Promise<string | undefined> {
    if (!(await hasCreditLimit(this.#db, organizationId, tokenId))) return undefined;
    const limits = await findCreditLimits(this.#db, organizationId, tokenId);
    if (reached(limits?.organization)) return sentence('organization', limits?.organization);
    return reached(limits?.token) ? sentence('API token', limits?.token) : undefined;
  }
}

function reached(allowance: Allowance | null | undefined): boolean {
  return allowance?.limit != null && allowance.used >= allowance.limit;
}

function sentence(whose: string, allowance: Allowance | null | undefined): string {
  return `The monthly limit of this ${whose} is reached: ${allowance?.limit ?? 0} credits. It begins anew on the first day of the next month (UTC).`;
}
