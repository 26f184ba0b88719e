/** Requests a second for each key, with bursts of twice as many. */
export class TokenBuckets {
  readonly #ratePerSecond: number;
  readonly #buckets = new Map<string, { tokens: number; at: number }>();

  constructor(ratePerSecond: number) {
    this.#ratePerSecond = ratePerSecond;
  }

  /** @returns 0 when the call may go on, else the seconds to wait */
  take(key: string, now: number): number {
    const burst = this.#ratePerSecond * 2;
    const bucket = this.#buckets.get(key) ?? { tokens: burst, at: now };
    const tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * this.#ratePerSecond);
    const allowed = tokens >= 1;
    if (this.#buckets.size > 10_000) this.#buckets.clear();
    this.#buckets.set(key, { tokens: allowed ? tokens - 1 : tokens, at: now });
    return allowed ? 0 : Math.max(1, Math.ceil((1 - tokens) / this.#ratePerSecond));
  }
}
