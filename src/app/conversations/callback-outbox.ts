/** Callbacks that this process is posting. A quick one ends within the step that wrote its message; a slow one is
 *  waited for by an activity of its own, where an operator sees it as what it is. */
import type { DeliveryResult } from '../../adapters/postgres/conversations/deliveries.ts';

/** `channel`: it is no callback, it goes through the gateway. */
export type DeliveryStatus = DeliveryResult['status'] | 'gone' | 'channel';

export class Outbox {
  readonly #underWay = new Map<string, Promise<DeliveryStatus>>();

  /** Begins to post, or joins what was begun. */
  post(deliveryId: string, begin: () => Promise<DeliveryStatus>): Promise<DeliveryStatus> {
    const known = this.#underWay.get(deliveryId);
    if (known !== undefined) return known;
    const posting = begin().finally(() => this.#underWay.delete(deliveryId));
    this.#underWay.set(deliveryId, posting);
    // Whoever waits hears of an error; where nobody waits any more the row tells.
    posting.catch(() => undefined);
    return posting;
  }

  /** Before a process ends. */
  async drain(): Promise<void> {
    await Promise.allSettled(this.#underWay.values());
  }
}
