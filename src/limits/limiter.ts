/**
 * Limits how many units (calls, connections, bytes) this process uses at once, in total and per owner, so that one
 * owner's work does not delay another's. A caller above the limit waits for a limited time or is refused.
 */

/**
 * Thrown if no unit became free in time, or too many calls of the owner already wait. The caller must free its other
 * units and retry later.
 */
export class NoSlot extends Error {
  override readonly name = 'NoSlot';
  readonly code = 'EBUSY';
}

/**
 * Awaits work that needs a unit, and replaces its error NoSlot.
 * @returns the result of the work
 * @throws the error that `busy` returns, if the work throws NoSlot; otherwise the work's error
 */
export async function orBusy<T>(work: Promise<T>, busy: (cause: NoSlot) => Error): Promise<T> {
  return await work.catch((error: unknown) => {
    throw error instanceof NoSlot ? busy(error) : error;
  });
}

export interface Limits {
  /** Maximum units of all owners together; unlimited by default. */
  max?: number;
  maxPerOwner: number;
  /** Maximum number of waiting calls of one owner; unlimited by default. */
  maxWaiting?: number;
  /** Maximum milliseconds for which a call waits; 60,000 by default. */
  maxWaitMs?: number;
}

/** Whose share a call uses. Calls without an owner share one. */
type Owner = string | undefined;

interface Wanted {
  owner: Owner;
  units: number;
}

interface Waiting extends Wanted {
  begin: () => void;
}

export class Limiter {
  readonly #limits: Required<Limits>;
  #held = 0;
  readonly #heldBy = new Map<Owner, number>();
  #waiting: Waiting[] = [];

  constructor(limits: Limits) {
    this.#limits = { max: Infinity, maxWaiting: Infinity, maxWaitMs: 60_000, ...limits };
  }

  /**
   * Takes the units without waiting. Takes none while a call waits only for the total limit. Calls that wait because
   * their owner has used its share do not count.
   * @returns a function that frees the units, to be called once; undefined if they cannot be taken now
   */
  tryHold(owner: Owner, units = 1): (() => void) | undefined {
    const isNext = this.#waiting.every((one) => !this.#fitsItsShare(one));
    if (!isNext || !this.#mayTake({ owner, units })) return undefined;
    this.#take(owner, units);
    return this.#release(owner, units);
  }

  /**
   * Waits until the units are free.
   * @param units at most maxPerOwner
   * @returns a function that frees the units, to be called once
   * @throws NoSlot if `maxWaiting` calls of the owner already wait, or the units are not free within `maxWaitMs`;
   * RangeError if `units` is larger than maxPerOwner
   */
  async hold(owner: Owner, units = 1): Promise<() => void> {
    const { maxPerOwner, maxWaiting } = this.#limits;
    if (units > maxPerOwner) throw new RangeError(`${units} is more than an owner's share of ${maxPerOwner}`);
    const release = this.tryHold(owner, units);
    if (release !== undefined) return release;
    if (this.#waiting.filter((one) => one.owner === owner).length >= maxWaiting) throw new NoSlot();
    await this.#wait(owner, units);
    return this.#release(owner, units);
  }

  /** Waits for a unit, and holds it while the work runs. @throws NoSlot as `hold` does; the error of the work */
  async use<T>(owner: Owner, work: () => Promise<T>): Promise<T> {
    const release = await this.hold(owner);
    try {
      return await work();
    } finally {
      release();
    }
  }

  async #wait(owner: Owner, units: number): Promise<void> {
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

  #release(owner: Owner, units: number): () => void {
    return () => {
      this.#take(owner, -units);
      this.#admit();
    };
  }

  /**
   * Admits waiting calls: first those of the owner that holds the fewest units, and of one owner the oldest first, so
   * that one owner's queue does not delay another's. A call for many units does not starve, because its owner is first
   * once it holds no units.
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

  #heldOf(owner: Owner): number {
    return this.#heldBy.get(owner) ?? 0;
  }

  #fitsItsShare({ owner, units }: Wanted): boolean {
    return this.#heldOf(owner) + units <= this.#limits.maxPerOwner;
  }

  #mayTake(wanted: Wanted): boolean {
    return this.#fitsItsShare(wanted) && this.#held + wanted.units <= this.#limits.max;
  }

  #take(owner: Owner, units: number): void {
    this.#held += units;
    const held = this.#heldOf(owner) + units;
    if (held === 0) this.#heldBy.delete(owner);
    else this.#heldBy.set(owner, held);
  }
}
