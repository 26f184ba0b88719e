/**
 * Timers that are never cancelled. A timer that fires before it is needed wakes the loop, which checks again. A busy
 * conversation therefore does not add timer events to its history at every turn.
 */
import { sleep } from '@temporalio/workflow';

export class LazyAlarm {
  readonly #outstanding = new Set<number>();
  #rings = 0;

  /** Number of timers that have fired. */
  get rings(): number {
    return this.#rings;
  }

  /** Ensures that a timer fires at or before this time (epoch ms). */
  ringBy(at: number, now: number, summary: string): void {
    for (const due of this.#outstanding) if (due <= at) return;
    this.#outstanding.add(at);
    void sleep(Math.max(1, at - now), { summary }).then(
      () => {
        this.#outstanding.delete(at);
        this.#rings += 1;
      },
      () => {
        // The workflow was cancelled, which its main loop notices too.
        this.#outstanding.delete(at);
      },
    );
  }
}
