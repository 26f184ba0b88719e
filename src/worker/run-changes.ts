/**
 * Notifies the model calls of this process when their run is cancelled or another input joins it. If the notification
 * is lost, the call continues and its result is refused when it is recorded.
 */
import type { Notifications } from '../adapters/postgres/notifications.ts';

export class RunChanges {
  readonly #asked = new Map<string, Set<AbortController>>();

  constructor(notifications: Pick<Notifications, 'on' | 'connect'>) {
    notifications.on('run_changed', (runId) => {
      for (const asking of this.#asked.get(runId) ?? []) asking.abort();
    });
    notifications.connect();
  }

  /** @param work receives a signal that is aborted when the run changes */
  async during<T>(runId: string, work: (changed: AbortSignal) => Promise<T>): Promise<T> {
    const asking = new AbortController();
    const all = this.#asked.get(runId) ?? new Set();
    this.#asked.set(runId, all.add(asking));
    try {
      return await work(asking.signal);
    } finally {
      all.delete(asking);
      if (all.size === 0) this.#asked.delete(runId);
    }
  }
}
