/**
 * A limiter: bounds the units (calls, connections, bytes) that this process uses at once, and each owner's share of
 * them, so that one owner's work does not delay another's. The rest waits for a short time, or is refused.
 */

/** Nothing was free in time, or too much waits already: the caller must retry later, and hold nothing until then. */
export class NoSlot extends Error {
  override readonly name = 'NoSlot';
  readonly code = 'EBUSY';
}

export interface Limits {
  /** Units of all owners together; unbounded by default. */
  max?: number;
  maxPerOwner: number;
  /** How many holds of one owner may wait, and for how long; by default any number, for a minute. */
  maxWaiting?: number;
  maxWaitMs?: number;
}

interface Wanted {
  owner: string;
  units: number;
}

interface Waiting extends Wanted {
  begin: () => void;
}

export class Limiter {
  readonly #limits: Required<Limits>;
  #held = 0;
  readonly #heldBy = new Map<string, number>();
  #waiting: Waiting[] = [];

  constructor(limits: Limits) {
    this.#limits = { max: Infinity, maxWaiting: Infinity, maxWaitMs: 60_000, ...limits };
  }

  /**
   * Takes the units without waiting. Does not overtake work that only waits for the others to end.
   * @returns a function that frees them, to be called once; undefined if they are not free
   */
  tryHold(owner: string, units = 1): (() => void) | undefined {
    const isNext = this.#waiting.every((one) => !this.#fitsItsShare(one));
    if (!isNext || !this.#mayTake({ owner, units })) return undefined;
    this.#take(owner, units);
    return this.#release(owner, units);
  }

  /**
   * Waits until the units are free.
   * @param units at most an owner's share
   * @returns a function that frees them, to be called once
   * @throws NoSlot
   */
  async hold(owner: string, units = 1): Promise<() => void> {
    const { maxPerOwner, maxWaiting } = this.#limits;
    if (units > maxPerOwner) throw new RangeError(`${units} is more than an owner's share of ${maxPerOwner}`);
    const release = this.tryHold(owner, units);
    if (release !== undefined) return release;
    if (this.#waiting.filter((one) => one.owner === owner).length >= maxWaiting) throw new NoSlot();
    await this.#wait(owner, units);
    return this.#release(owner, units);
  }

  /** Does the work while it holds one unit. @throws NoSlot */
  async use<T>(owner: string, work: () => Promise<T>): Promise<T> {
    const release = await this.hold(owner);
    try {
      return await work();
    } finally {
      release();
    }
  }

  async #wait(owner: string, units: number): Promise<void> {
    await new Promise<void>((resolve, refuse) => {
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      const waiting: Waiting = { owner, units, begin };
      const timer = setTimeout(() => {
        this.#waiting = this.#waiting.filter((one) => one !== waiting);
        refuse(new NoSlot());
        this.#admit();
      }, this.#limits.maxWaitMs);
      this.#waiting.push(waiting);
    });
  }

  #release(owner: string, units: number): () => void {
    return () => {
      this.#take(owner, -units);
      this.#admit();
    };
  }

  /**
   * Admits first the owner that holds least, and within it the oldest, so that one owner's queue does not delay
   * another. Many units are not starved: once their owner holds nothing, they are first.
   */
  #admit(): void {
    for (;;) {
      const [next] = this.#waiting
        .filter((one) => this.#fitsItsShare(one))
        .sort((a, b) => this.#heldOf(a.owner) - this.#heldOf(b.owner));
      if (next === undefined || !this.#mayTake(next)) return;
      this.#waiting = this.#waiting.filter((one) => one !== next);
      this.#take(next.owner, next.units);
      next.begin();
    }
  }

  #heldOf(owner: string): number {
    return this.#heldBy.get(owner) ?? 0;
  }

  #fitsItsShare({ owner, units }: Wanted): boolean {
    return this.#heldOf(owner) + units <= this.#limits.maxPerOwner;
  }

  #mayTake(wanted: Wanted): boolean {
    return this.#fitsItsShare(wanted) && this.#held + wanted.units <= this.#limits.max;
  }

  #take(owner: string, units: number): void {
    this.#held += units;
    const held = this.#heldOf(owner) + units;
    if (held === 0) this.#heldBy.delete(owner);
    else this.#heldBy.set(owner, held);
  }
}
