/** Shares this process's only thread among organizations: one that has used more than its share of time waits. */
import { setTimeout as sleep } from 'node:timers/promises';

interface Options {
  /** Milliseconds per second of real time. */
  shareMs: number;
  /** Milliseconds that may be used at once after a pause. */
  burstMs: number;
}

export class TimeShares {
  readonly #options: Options;
  readonly #now: () => number;
  /** Time left per organization; negative if it has used more than its share. */
  readonly #left = new Map<string, { ms: number; at: number }>();

  /** @param now the clock in milliseconds; tests pass their own */
  constructor(options: Options, now = () => performance.now()) {
    this.#options = options;
    this.#now = now;
  }

  /** Waits until the organization has time, does the synchronous work, and subtracts the time that it took. */
  async use<T>(organization: string, signal: AbortSignal, work: () => T): Promise<T> {
    for (let wait = this.waitMs(organization); wait > 0; wait = this.waitMs(organization)) {
      await sleep(wait, undefined, { signal });
    }
    const began = this.#now();
    try {
      return work();
    } finally {
      this.#spend(organization, this.#now() - began);
    }
  }

  /** Milliseconds until the organization has time again; 0 if it has some now. */
  waitMs(organization: string): number {
    const { ms } = this.#balance(organization);
    return ms > 0 ? 0 : Math.ceil((1 - ms) / (this.#options.shareMs / 1000));
  }

  #balance(organization: string): { ms: number; at: number } {
    const { shareMs, burstMs } = this.#options;
    const at = this.#now();
    const left = this.#left.get(organization);
    if (left === undefined) return { ms: burstMs, at };
    const ms = Math.min(burstMs, left.ms + ((at - left.at) * shareMs) / 1000);
    if (ms === burstMs) this.#left.delete(organization);
    return { ms, at };
  }

  #spend(organization: string, ms: number): void {
    const balance = this.#balance(organization);
    this.#left.set(organization, { ms: balance.ms - ms, at: balance.at });
  }
}
