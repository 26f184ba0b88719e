/** So many model calls at once in this process; the others wait. Slow ones must not take a worker's whole memory, nor
 *  those of one organization, or of one agent, the turn of every other: an agent may hold at most four slots for each
 *  that is free, an organization nine, so that some are always left for the next. Waiting agents take turns.
 *  Temporal's fairness keys order what waits for a worker; this bounds what one organization has under way in it. */
const perFreeSlot = { agent: 4, organization: 9 };

export class Slots {
  #free: number;
  readonly #organizations = new Counts();
  readonly #agents = new Counts();
  readonly #waiting = new Map<string, { organization: string; queue: (() => void)[] }>();

  constructor(count: number) {
    this.#free = count;
  }

  /** @param agent a name that no agent of another organization has */
  async use<T>(organization: string, agent: string, work: () => Promise<T>): Promise<T> {
    if (this.#mayTake(organization, agent) && !this.#waiting.has(agent)) this.#take(organization, agent);
    else await this.#turn(organization, agent);
    try {
      return await work();
    } finally {
      this.#organizations.add(organization, -1);
      this.#agents.add(agent, -1);
      this.#free += 1;
      while (this.#admitOne());
    }
  }

  #mayTake(organization: string, agent: string): boolean {
    const ofOrganization = this.#organizations.of(organization);
    const ofAgent = this.#agents.of(agent);
    // Where one is free an organization that holds none has it.
    return (
      this.#free > 0 &&
      (ofOrganization === 0 || ofOrganization < perFreeSlot.organization * this.#free) &&
      (ofAgent === 0 || ofAgent < perFreeSlot.agent * this.#free)
    );
  }

  #take(organization: string, agent: string): void {
    this.#free -= 1;
    this.#organizations.add(organization, 1);
    this.#agents.add(agent, 1);
  }

  async #turn(organization: string, agent: string): Promise<void> {
    await new Promise<void>((resolve) => {
      const waiting = this.#waiting.get(agent);
      if (waiting === undefined) this.#waiting.set(agent, { organization, queue: [resolve] });
      else waiting.queue.push(resolve);
    });
  }

  #admitOne(): boolean {
    for (const [agent, waiting] of this.#waiting) {
      const { organization, queue } = waiting;
      if (!this.#mayTake(organization, agent)) continue;
      this.#take(organization, agent);
      const next = queue.shift();
      // To the end of the line.
      this.#waiting.delete(agent);
      if (queue.length > 0) this.#waiting.set(agent, waiting);
      next?.();
      return true;
    }
    return false;
  }
}

class Counts {
  readonly #counts = new Map<string, number>();

  of(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  add(key: string, change: number): void {
    const count = this.of(key) + change;
    if (count === 0) this.#counts.delete(key);
    else this.#counts.set(key, count);
  }
}
