/** Timers that are never cancelled: an early one wakes the loop, which looks again. A busy conversation then
 *  costs no timer events a turn. */
import { sleep } from '@temporalio/workflow';

export class LazyAlarm {
  readonly #outstanding = new Set<number>();
  #rings = 0;

  /** Counts up whenever a timer has fired. */
  get rings(): number {
    return this.#rings;
  }

  /** Makes sure that something rings at or before this time (epoch ms). */
  ringBy(at: number, now: number, summary: string): void {
    for (const due of this.#outstanding) if (due <= at) return;
    this.#outstanding.add(at);
    void sleep(Math.max(1, at - now), { summary }).then(
      () => {
        this.#outstanding.delete(at);
        this.#rings += 1;
      },
      () => {
        // The workflow was cancelled: its main loop hears of it too.
        this.#outstanding.delete(at);
      },
    );
  }
}
