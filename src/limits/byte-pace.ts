/**
 * Bounds the bytes a second that one organization moves through this worker: without it, one organization's files from
 * a fast server take the processors and Postgres from the others.
 */
import { setTimeout as delay } from 'node:timers/promises';

const maxIdle = 100;

export class BytePace {
  readonly #bytesPerSecond: number;
  /** Per organization, the time (of `performance.now()`) until which its bytes so far use up its rate. */
  readonly #paidAt = new Map<string, number>();

  constructor(bytesPerSecond: number) {
    this.#bytesPerSecond = bytesPerSecond;
  }

  /** Waits until the organization's earlier bytes are within its rate, then counts these. */
  async pass(organization: string, bytes: number): Promise<void> {
    const now = performance.now();
    const from = Math.max(now, this.#paidAt.get(organization) ?? now);
    this.#paidAt.set(organization, from + (bytes / this.#bytesPerSecond) * 1000);
    if (this.#paidAt.size > maxIdle)
      for (const [idle, paidAt] of this.#paidAt) if (paidAt < now) this.#paidAt.delete(idle);
    if (from > now) await delay(from - now);
  }
}
