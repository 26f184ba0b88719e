/** Virtual time for one scene: the next thing happens only once everything before it has come to rest. */
export class SimulatedTime {
  now: number;
  readonly #queue: { at: number; order: number; act: () => void; settles: boolean }[] = [];
  #order = 0;
  #underWay = 0;
  #atRest: (() => void) | undefined;
  readonly #waiting: (() => void)[] = [];
  readonly #random: () => number;
  #took = false;

  /** @param random decides which of several `inTurn` comes first */
  constructor(start: number, random: () => number) {
    this.now = start;
    this.#random = random;
  }

  /** @param settles false: what comes within a millisecond does not wait for this: both race in the database */
  at(time: number, act: () => void, settles = true): void {
    const entry = { at: Math.max(time, this.now), order: this.#order++, act, settles };
    const index = this.#queue.findIndex(
      ({ at, order }) => at > entry.at || (at === entry.at && order > entry.order),
    );
    this.#queue.splice(index === -1 ? this.#queue.length : index, 0, entry);
  }

  async sleep(ms: number): Promise<void> {
    if (ms <= 0) return;
    await new Promise<void>((resolve) => {
      this.at(this.now + ms, resolve);
    });
  }

  /** Real work, such as a statement, that time waits for. */
  async during<T>(work: Promise<T>): Promise<T> {
    this.#underWay += 1;
    try {
      return await work;
    } finally {
      this.#underWay -= 1;
      if (this.#underWay === 0) this.#atRest?.();
    }
  }

  /** Real work that begins alone, in a random order with what else is asked for at the same instant. */
  async inTurn<T>(work: () => Promise<T>): Promise<T> {
    return await new Promise<T>((resolve, reject) => {
      this.#waiting.push(() => {
        this.during(work()).then(resolve, reject);
      });
    });
  }

  /** @param wake is asked whenever all is at rest: true if it has set something going again */
  async run(wake: () => boolean, until: number): Promise<void> {
    for (;;) {
      await this.#settle(wake);
      let entry = this.#queue.shift();
      while (entry !== undefined) {
        if (entry.at > until) throw new Error('this scene never comes to its end');
        this.now = entry.at;
        entry.act();
        const soon = (this.#queue[0]?.at ?? Infinity) <= entry.at + 1;
        entry = !entry.settles && soon ? this.#queue.shift() : undefined;
      }
      if (this.#isEmpty()) {
        await this.#settle(wake);
        if (this.#isEmpty()) return;
      }
    }
  }

  #takeTurn(): void {
    const [next] = this.#waiting.splice(Math.floor(this.#random() * this.#waiting.length), 1);
    this.#took = next !== undefined;
    next?.();
  }

  #isEmpty(): boolean {
    return this.#queue.length === 0;
  }

  #busy(): boolean {
    return this.#underWay > 0 || this.#took;
  }

  async #settle(wake: () => boolean): Promise<void> {
    do {
      do {
        if (this.#underWay > 0) await new Promise<void>((resolve) => (this.#atRest = resolve));
        // Promises that the last answer resolved are followed to their ends first.
        await new Promise((resolve) => setImmediate(resolve));
        this.#takeTurn();
      } while (this.#busy());
    } while (wake());
  }
}
