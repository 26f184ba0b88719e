/**
 * Limits how many bytes per second one organization moves through this worker. Otherwise one organization's files from
 * a fast server would delay the others by using up the processors and Postgres.
 */
import { setTimeout as delay } from 'node:timers/promises';

const maxIdle = 100;

export class BytePace {
  readonly #bytesPerSecond: number;
  /** For each organization, the time (`performance.now()`) from which further bytes pass without a wait. */
  readonly #paidAt = new Map<string, number>();

  constructor(bytesPerSecond: number) {
    this.#bytesPerSecond = bytesPerSecond;
  }

  /** Counts the bytes, then waits as long as the organization's earlier bytes exceed its rate. */
  async pass(organization: string, bytes: number): Promise<void> {
    const now = performance.now();
    const from = Math.max(now, this.#paidAt.get(organization) ?? now);
    this.#paidAt.set(organization, from + (bytes / this.#bytesPerSecond) * 1000);
    if (this.#paidAt.size > maxIdle)
      for (const [idle, paidAt] of this.#paidAt) if (paidAt < now) this.#paidAt.delete(idle);
    if (from > now) await delay(from - now);
  }
}
