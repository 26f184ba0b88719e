/** Spaces the requests to a workspace or a gateway, for all processes together. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { firstRow, queryRows, statement, type Database } from './database.ts';

export interface PaceRule {
  /** Maximum requests in each window of `windowMs`. */
  max: number;
  windowMs: number;
  /** Maximum milliseconds that one call of `take` waits. If the wait would be longer, `take` takes no slot. */
  maxWaitMs: number;
}

const take = statement('take-slot', z.object({ taken: z.boolean(), wait_ms: z.number() }))`
  select taken, wait_ms from take_slot($1, $2, $3, $4)`;
const block = statement('block-pace')`
  insert into paces as p (key, blocked_until) values ($1, clock_timestamp() + make_interval(secs => $2::double precision / 1000))
    on conflict (key) do update set blocked_until = greatest(p.blocked_until, excluded.blocked_until)`;

/**
 * Paces the requests of all processes under one key. A key belongs to no organization, because several organizations
 * may share a workspace or gateway.
 */
export class Pace {
  readonly #db: Database;
  readonly #key: string;
  readonly #rule: PaceRule;

  constructor(db: Database, key: string, rule: PaceRule) {
    this.#db = db;
    this.#key = key;
    this.#rule = rule;
  }

  /**
   * Takes the next slot, and waits for it.
   * @returns `waited`: true if it waited, false if the slot was free. If no slot was taken, because the key is blocked
   * or the wait would exceed `maxWaitMs`, `retryMs`: the milliseconds after which a slot may be free, at least 50
   * @throws AbortError if the signal aborts the wait; the slot remains taken
   */
  async take(signal?: AbortSignal): Promise<{ waited: boolean } | { retryMs: number }> {
    const { max, windowMs, maxWaitMs } = this.#rule;
    const values = [this.#key, max, windowMs, maxWaitMs];
    const { taken, wait_ms: waitMs } = firstRow(await queryRows(this.#db, take, values));
    if (!taken) return { retryMs: Math.max(50, Math.ceil(waitMs)) };
    if (waitMs > 0) await sleep(waitMs, undefined, signal && { signal });
    return { waited: waitMs > 0 };
  }

  /** Blocks the key for the time of a receiver's Retry-After header. Never shortens an earlier block. */
  async block(retryAfterMs: number): Promise<void> {
    await queryRows(this.#db, block, [this.#key, retryAfterMs]);
  }
}
