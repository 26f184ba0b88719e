/** Bounds the bytes that a worker holds in memory: files for models, files that are being fetched. */
import { NoSlot } from './slots.ts';

const maxWaitMs = 60_000;

interface Waiting {
  organization: string;
  bytes: number;
  begin: () => void;
}

export class ByteBudget {
  readonly #total: number;
  readonly #maxWaitMs: number;
  #held = 0;
  readonly #heldBy = new Map<string, number>();
  #waiting: Waiting[] = [];

  constructor(total: number, waitMs = maxWaitMs) {
    this.#total = total;
    this.#maxWaitMs = waitMs;
  }

  /**
   * Waits until that many bytes are free. One organization may hold at most half of the budget.
   * @param bytes at most half of the budget
   * @returns a function that frees them; call it once
   * @throws NoSlot if they are not free in time
   */
  async hold(organization: string, bytes: number): Promise<() => void> {
    if (bytes > this.#total / 2) throw new RangeError(`${bytes} bytes are over half of the budget`);
    const isNext = this.#waiting.every((one) => !this.#fitsItsShare(one));
    if (isNext && this.#mayTake({ organization, bytes })) this.#take(organization, bytes);
    else await this.#turn(organization, bytes);
    return () => {
      this.#take(organization, -bytes);
      this.#admit();
    };
  }

  async #turn(organization: string, bytes: number): Promise<void> {
    await new Promise<void>((begin, refuse) => {
      const waiting: Waiting = {
        organization,
        bytes,
        begin: () => {
          clearTimeout(timer);
          begin();
        },
      };
      const timer = setTimeout(() => {
        this.#waiting = this.#waiting.filter((one) => one !== waiting);
        refuse(new NoSlot());
        this.#admit();
      }, this.#maxWaitMs);
      this.#waiting.push(waiting);
    });
  }

  /**
   * Admits first the organization that holds least, and within it the oldest request, so that one organization's
   * queue does not delay another. A large request is not starved: once its organization holds nothing, it is first.
   */
  #admit(): void {
    const heldBy = ({ organization }: Waiting) => this.#heldBy.get(organization) ?? 0;
    for (const waiting of this.#waiting.toSorted((a, b) => heldBy(a) - heldBy(b))) {
      if (!this.#fitsItsShare(waiting)) continue;
      if (!this.#mayTake(waiting)) return;
      this.#waiting = this.#waiting.filter((one) => one !== waiting);
      this.#take(waiting.organization, waiting.bytes);
      waiting.begin();
      // The organization holds more now, so the order is computed again.
      this.#admit();
      return;
    }
  }

  #fitsItsShare({ organization, bytes }: Pick<Waiting, 'organization' | 'bytes'>): boolean {
    return (this.#heldBy.get(organization) ?? 0) + bytes <= this.#total / 2;
  }

  #mayTake(wanted: Pick<Waiting, 'organization' | 'bytes'>): boolean {
    return this.#fitsItsShare(wanted) && this.#held + wanted.bytes <= this.#total;
  }

  #take(organization: string, bytes: number): void {
    this.#held += bytes;
    const held = (this.#heldBy.get(organization) ?? 0) + bytes;
    if (held === 0) this.#heldBy.delete(organization);
    else this.#heldBy.set(organization, held);
  }
}
