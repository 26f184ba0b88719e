/**
 * Callbacks that this process is posting. A quick one ends within the step that wrote its message. A slow one gets
 * an activity of its own, so that an operator can see it.
 */
import type { DeliveryResult } from '../../adapters/postgres/conversations/deliveries.ts';

/** `channel`: not a callback; it is sent through the gateway. */
export type DeliveryStatus = DeliveryResult['status'] | 'gone' | 'channel';

export class Outbox {
  readonly #underWay = new Map<string, Promise<DeliveryStatus>>();

  /** Starts posting, or joins the attempt in progress for the same delivery. */
  post(deliveryId: string, begin: () => Promise<DeliveryStatus>): Promise<DeliveryStatus> {
    const known = this.#underWay.get(deliveryId);
    if (known !== undefined) return known;
    const posting = begin().finally(() => this.#underWay.delete(deliveryId));
    this.#underWay.set(deliveryId, posting);
    // A caller that still waits gets the error. If none waits, the delivery row records the outcome.
    posting.catch(() => undefined);
    return posting;
  }

  /** Waits for all attempts in progress; called before the process ends. */
  async drain(): Promise<void> {
    await Promise.allSettled(this.#underWay.values());
  }
}
