/** So many at once; the others wait. Slow model calls must not take a worker's whole memory, nor one agent's the
 *  turn of every other: a key may hold at most four slots for each that is free, so some are always left for the
 *  next key. Waiting keys take turns. */
const perFreeSlot = 4;

export class Slots {
  #free: number;
  readonly #held = new Map<string, number>();
  readonly #waiting = new Map<string, (() => void)[]>();

  constructor(count: number) {
    this.#free = count;
  }

  /** @param key whose work it is: an agent's */
  async use<T>(key: string, work: () => Promise<T>): Promise<T> {
    if (this.#mayTake(key) && !this.#waiting.has(key)) this.#take(key);
    else await this.#turn(key);
    try {
      return await work();
    } finally {
      this.#release(key);
    }
  }

  #mayTake(key: string): boolean {
    const held = this.#held.get(key) ?? 0;
    // Where one is free a key that holds none has it.
    return this.#free > 0 && (held === 0 || held < perFreeSlot * this.#free);
  }

  #take(key: string): void {
    this.#free -= 1;
    this.#held.set(key, (this.#held.get(key) ?? 0) + 1);
  }

  async #turn(key: string): Promise<void> {
    await new Promise<void>((resolve) => {
      const queue = this.#waiting.get(key);
      if (queue === undefined) this.#waiting.set(key, [resolve]);
      else queue.push(resolve);
    });
  }

  #release(key: string): void {
    const held = (this.#held.get(key) ?? 1) - 1;
    if (held === 0) this.#held.delete(key);
    else this.#held.set(key, held);
    this.#free += 1;
    while (this.#admitOne());
  }

  #admitOne(): boolean {
    for (const [key, queue] of this.#waiting) {
      if (!this.#mayTake(key)) continue;
      this.#take(key);
      const next = queue.shift();
      // To the end of the line.
      this.#waiting.delete(key);
      if (queue.length > 0) this.#waiting.set(key, queue);
      next?.();
      return true;
    }
    return false;
  }
}
