/** Counts calls and other events in windows of time, in Postgres for all processes together. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { PublicError } from '../../contract/errors.ts';
import {
  camelRow,
  firstRow,
  isDatabaseUnavailable,
  queryRows,
  statement,
  type Database,
} from './database.ts';
import { acrossOrganizations } from './organization-scope.ts';

export interface Rate {
  maxCalls: number;
  windowSeconds: number;
}

/** Converts calls per second to a rate over 2 s, of at least one call. A burst may use all calls of the 2 s at once. */
export function perSecond(calls: number): Rate {
  const windowSeconds = 2;
  return { maxCalls: Math.max(1, Math.round(calls * windowSeconds)), windowSeconds };
}

const countedRow = camelRow({
  calls: z.number(),
  /** Milliseconds until the window ends. */
  leftMs: z.number(),
});
type Counted = z.infer<typeof countedRow>;

const count = statement('count-in-window', countedRow)`
  insert into rate_limits as r (key, calls, ends_at) values ($1, $2, clock_timestamp() + make_interval(secs => $3))
    on conflict (key) do update
      set calls = case when r.ends_at > excluded.ends_at - make_interval(secs => $3) then r.calls + $2 else $2 end,
          ends_at = case when r.ends_at > excluded.ends_at - make_interval(secs => $3) then r.ends_at else excluded.ends_at end
    returning calls, (extract(epoch from ends_at - clock_timestamp()) * 1000)::double precision as left_ms`;
const takeBack = statement('take-back-of-window')`
  update rate_limits set calls = greatest(0, calls - 1) where key = $1`;

/**
 * Counts calls of a key. Concurrent transactions that count calls of one key wait for each other. The counters belong
 * to no organization: in the API, only `acrossOrganizations` may change them.
 * @returns the number of calls in the window, including these, and the milliseconds until the window ends. The window
 * begins with the key's first call after the previous window ended
 */
async function countInWindow(db: Database, key: string, windowSeconds: number, calls = 1): Promise<Counted> {
  return firstRow(await queryRows(db, count, [key, calls, windowSeconds]));
}

/**
 * Counts one event in a window of one hour, as `countInWindow` does.
 * @param what a JSON value that is the same for equal events; only its hash is stored
 * @returns how many equal events were counted, including this one, in the hour that began with the first of them
 */
export async function countWithinHour(db: Database, name: string, what: unknown): Promise<number> {
  const hash = createHash('sha256').update(JSON.stringify(what)).digest('hex');
  return (await countInWindow(db, `${name}:${hash}`, 3600)).calls;
}

/**
 * Number of lots into which the calls of a window are divided. A process reserves one lot of a key at a time in
 * Postgres, so that most calls need no round trip. The unused calls of a lot expire with the window. Chosen.
 */
const lotsPerWindow = 20;
/** Maximum keys of a limiter in memory. One more key drops them all, with the unused calls of their lots. Chosen. */
const maxKeys = 10_000;
/** Maximum share of a window's calls that one large call counts as, so that small calls still fit. Chosen. */
const maxOfWindow = 0.8;

/** The calls of a key that a process has reserved or counted. Times are those of `performance.now()`. */
interface Lot {
  left: number;
  endsAt: number;
  /** Until this time, the key is over its limit. */
  overUntil: number;
  /** The reservation of the next lot while it is in progress; resolves to the seconds to wait, 0 if it succeeded. */
  next: Promise<number> | undefined;
  /** The calls that this process has counted while Postgres was unavailable, and when their window ends. */
  alone: { calls: number; endsAt: number };
}

/**
 * Limits the calls of each key in a window of time, which begins with the first call. While Postgres is unavailable,
 * each process counts alone.
 */
export class RateLimiter {
  readonly #db: Database;
  readonly #name: string;
  readonly #rate: Rate;
  readonly #lotSize: number;
  readonly #lots = new Map<string, Lot>();

  /** @param name prefix that separates this limiter's keys from those of other limiters */
  constructor(db: Database, name: string, rate: Rate) {
    this.#db = db;
    this.#name = name;
    this.#rate = rate;
    this.#lotSize = Math.max(1, Math.floor(rate.maxCalls / lotsPerWindow));
  }

  /**
   * Counts a call of a key.
   * @param units the number of calls that it counts as, capped at `maxOfWindow` of the window's calls
   * @returns 0 if the call is allowed; otherwise the whole seconds to wait
   */
  async take(key: string, units = 1): Promise<number> {
    const lot = this.#lotOf(key);
    if (units > 1) {
      const counted = await this.#count(
        key,
        lot,
        Math.min(units, Math.ceil(this.#rate.maxCalls * maxOfWindow)),
      );
      return typeof counted === 'number' ? counted : 0;
    }
    for (;;) {
      if (lot.left > 0 && lot.endsAt > performance.now()) {
        lot.left -= 1;
        return 0;
      }
      lot.next ??= this.#nextLot(key, lot).finally(() => {
        lot.next = undefined;
      });
      const wait = await lot.next;
      if (wait > 0) return wait;
    }
  }

  /** Reverses the count of one call of the key. If `take` counted the call as several, reverses only one of them. */
  async giveBack(key: string): Promise<void> {
    const lot = this.#lotOf(key);
    if (lot.endsAt > performance.now()) lot.left += 1;
    else {
      lot.overUntil = 0;
      await acrossOrganizations(() => queryRows(this.#db, takeBack, [this.#keyOf(key)]));
    }
  }

  /** Counts a call of a key, as `take` does. @throws PublicError rate_limited if the key is over its limit */
  async demand(key: string, units = 1, sentence?: string): Promise<void> {
    const wait = await this.take(key, units);
    if (wait > 0)
      throw new PublicError('rate_limited', { ...(sentence && { sentence }), retryAfterSeconds: wait });
  }

  #keyOf(key: string): string {
    return `${this.#name}:${key}`;
  }

  #lotOf(key: string): Lot {
    const known = this.#lots.get(key);
    if (known !== undefined) return known;
    if (this.#lots.size >= maxKeys) this.#lots.clear();
    const lot: Lot = { left: 0, endsAt: 0, overUntil: 0, next: undefined, alone: { calls: 0, endsAt: 0 } };
    this.#lots.set(key, lot);
    return lot;
  }

  async #nextLot(key: string, lot: Lot): Promise<number> {
    const counted = await this.#count(key, lot, this.#lotSize);
    if (typeof counted === 'number') return counted;
    lot.left = this.#lotSize;
    lot.endsAt = performance.now() + counted.leftMs;
    return 0;
  }

  /** @returns the count if it is within the limit; otherwise the whole seconds to wait */
  async #count(key: string, lot: Lot, calls: number): Promise<Counted | number> {
    const now = performance.now();
    if (lot.overUntil > now) return Math.max(1, Math.ceil((lot.overUntil - now) / 1000));
    const { windowSeconds, maxCalls } = this.#rate;
    let counted: Counted;
    try {
      // The counters belong to no organization, and the caller's organization may not be known yet.
      counted = await acrossOrganizations(() =>
        countInWindow(this.#db, this.#keyOf(key), windowSeconds, calls),
      );
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      if (lot.alone.endsAt <= now) lot.alone = { calls: 0, endsAt: now + windowSeconds * 1000 };
      lot.alone.calls += calls;
      counted = { calls: lot.alone.calls, leftMs: lot.alone.endsAt - now };
    }
    if (counted.calls <= maxCalls) return counted;
    lot.overUntil = performance.now() + counted.leftMs;
    return Math.max(1, Math.ceil(counted.leftMs / 1000));
  }
}
