/**
 * A limiter: bounds the concurrent work of this process, and the share of it that one organization may use. Work
 * beyond that waits for a short time.
 */

/** Too much work is waiting, or no slot became free in time. */
export class NoTurn extends Error {
  override readonly name = 'NoTurn';
  readonly code = 'EBUSY';
}

export interface TurnLimits {
  atOnce: number;
  perOrganization: number;
  /** Per organization. */
  maxWaiting: number;
  maxWaitMs: number;
}

interface Waiting {
  organization: string;
  begin: () => void;
}

export class Turns {
  readonly #limits: TurnLimits;
  readonly #held = new Map<string, number>();
  #heldInAll = 0;
  #waiting: Waiting[] = [];

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /** @throws NoTurn */
  async use<T>(organization: string, work: () => Promise<T>): Promise<T> {
    if (this.#isFree(organization)) this.#take(organization, 1);
    else await this.#turn(organization);
    try {
      return await work();
    } finally {
      this.#take(organization, -1);
      this.#admit();
    }
  }

  #isFree(organization: string): boolean {
    const { atOnce, perOrganization } = this.#limits;
    return this.#heldInAll < atOnce && (this.#held.get(organization) ?? 0) < perOrganization;
  }

  #take(organization: string, change: 1 | -1): void {
    this.#heldInAll += change;
    const held = (this.#held.get(organization) ?? 0) + change;
    if (held === 0) this.#held.delete(organization);
    else this.#held.set(organization, held);
  }

  async #turn(organization: string): Promise<void> {
    const { maxWaiting, maxWaitMs } = this.#limits;
    if (this.#waiting.filter((one) => one.organization === organization).length >= maxWaiting)
      throw new NoTurn();
    await new Promise<void>((begin, refuse) => {
      const waiting = {
        organization,
        begin: () => {
          clearTimeout(timer);
          begin();
        },
      };
      const timer = setTimeout(() => {
        this.#waiting = this.#waiting.filter((one) => one !== waiting);
        refuse(new NoTurn());
      }, maxWaitMs);
      this.#waiting.push(waiting);
    });
  }

  /** Admits work in order of arrival; skips an organization that uses its whole share. */
  #admit(): void {
    const next = this.#waiting.find(({ organization }) => this.#isFree(organization));
    if (next === undefined) return;
    this.#waiting = this.#waiting.filter((one) => one !== next);
    this.#take(next.organization, 1);
    next.begin();
  }
}
