/**
 * Limits what one process uses at the same time, so that one owner's work does not delay another's. `Limiter` limits
 * units (calls, connections, bytes) in total and per owner, `Slots` limits model calls, and `BytePace` limits the
 * bytes of files per second.
 */
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Thrown if no unit became free in time, or too many calls of the owner already wait. The caller must free its other
 * units and retry later.
 */
export class NoSlot extends Error {
  override readonly name = 'NoSlot';
  readonly code = 'EBUSY';
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

/** Identifies whose share a call uses. All calls without an owner use one share. */
type Owner = string | undefined;

interface Wanted {
  owner: Owner;
  units: number;
}

interface Waiting extends Wanted {
  begin: () => void;
}

/**
 * Limits the units that are held at the same time, in total and per owner. A caller for whom no unit is free waits for
 * a limited time, or is refused.
 */
export class Limiter {
  readonly #limits: Required<Limits>;
  #held = 0;
  readonly #heldBy = new Counts<Owner>();
  #waiting: Waiting[] = [];

  constructor(limits: Limits) {
    this.#limits = { max: Infinity, maxWaiting: Infinity, maxWaitMs: 60_000, ...limits };
  }

  /**
   * Takes the units if they are free, without waiting. Takes none while another call waits only for the total limit,
   * because that call comes first. Calls that wait because their owner has used its share do not count.
   * @returns a function that frees the units, to be called once; undefined if they cannot be taken now
   */
  tryHold(owner: Owner, units = 1): (() => void) | undefined {
    const isNext = this.#waiting.every((one) => !this.#fitsItsShare(one));
    if (!isNext || !this.#mayTake({ owner, units })) return undefined;
    this.#take(owner, units);
    return this.#release(owner, units);
  }

  /**
   * Waits until the units are free, and takes them.
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

  /**
   * Waits for the units, and holds them while the work runs.
   * @param options.busy returns the error that replaces NoSlot
   * @throws NoSlot as `hold` does; the error of the work
   */
  async use<T>(
    owner: Owner,
    work: () => Promise<T>,
    { units = 1, busy = (cause) => cause }: { units?: number; busy?: (cause: NoSlot) => Error } = {},
  ): Promise<T> {
    const release = await this.hold(owner, units).catch((error: unknown) => {
      throw error instanceof NoSlot ? busy(error) : error;
    });
    return await releasedAfter(work, release);
  }

  /**
   * Holds a unit while the work runs, without waiting for it.
   * @throws the error that `busy` returns if no unit can be taken now; the error of the work
   */
  async tryUse<T>(owner: Owner, work: () => Promise<T>, busy: () => Error): Promise<T> {
    const release = this.tryHold(owner);
    if (release === undefined) throw busy();
    return await releasedAfter(work, release);
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
   * Admits waiting calls: those of the owner that holds the fewest units first, and the oldest of these first, so that
   * one owner's queue does not delay another's. A call for many units does not starve, because its owner is first once
   * it holds no units.
   */
  #admit(): void {
    for (;;) {
      const [next] = this.#waiting
        .filter((one) => this.#fitsItsShare(one))
        .sort((a, b) => this.#heldBy.of(a.owner) - this.#heldBy.of(b.owner));
      if (next === undefined || !this.#mayTake(next)) return;
      this.#waiting = this.#waiting.filter((one) => one !== next);
      this.#take(next.owner, next.units);
      next.begin();
    }
  }

  #fitsItsShare({ owner, units }: Wanted): boolean {
    return this.#heldBy.of(owner) + units <= this.#limits.maxPerOwner;
  }

  #mayTake(wanted: Wanted): boolean {
    return this.#fitsItsShare(wanted) && this.#held + wanted.units <= this.#limits.max;
  }

  #take(owner: Owner, units: number): void {
    this.#held += units;
    this.#heldBy.add(owner, units);
  }
}

async function releasedAfter<T>(work: () => Promise<T>, release: () => void): Promise<T> {
  try {
    return await work();
  } finally {
    release();
  }
}

const perFreeSlot = { agent: 4, organization: 9 };

/**
 * Limits on one organization's calls that wait for a model slot. Each waiting call occupies an activity slot of the
 * worker, and all organizations share the activity slots. Chosen.
 */
const usualLimits = { maxWaiting: 400, maxWaitMs: 60_000 };

interface WaitingCall {
  begin: () => void;
  refuse: (why: unknown) => void;
}

/**
 * Limits the concurrent model calls of this process, because slow calls must not use all of a worker's memory. Keeps
 * one organization or agent from delaying the others: an agent gets another slot only while it holds fewer than
 * `perFreeSlot.agent` slots for each free slot, and its organization fewer than `perFreeSlot.organization`. One agent
 * can thus use about 80 % of the slots, and one organization about 90 %. Waiting agents get slots in turn. These
 * limits apply within one worker; Temporal's fairness keys order the tasks that wait for a worker.
 */
export class Slots {
  #free: number;
  readonly #limits: typeof usualLimits;
  readonly #organizations = new Counts<string>();
  readonly #agents = new Counts<string>();
  readonly #waiting = new Map<string, { organization: string; queue: WaitingCall[] }>();
  readonly #waitingOf = new Counts<string>();

  /**
   * @param count number of slots
   * @param limits how many calls of one organization may wait, and for how long
   */
  constructor(count: number, limits = usualLimits) {
    this.#free = count;
    this.#limits = limits;
  }

  /**
   * Waits for a slot, and holds it while the work runs.
   * @param agent a key that is unique across all organizations
   * @throws NoSlot if too many calls of the organization wait, or no slot became free in time; the signal's reason if
   * the signal is aborted before a waiting call gets a slot; the error of the work
   */
  async use<T>(
    organization: string,
    agent: string,
    work: () => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    if (this.#mayTake(organization, agent) && !this.#waiting.has(agent)) this.#take(organization, agent);
    else await this.#turn(organization, agent, signal);
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
    // An organization or agent that holds no slot can take the last free one.
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

  /**
   * Waits for a free slot.
   * @throws NoSlot if too many calls of the organization wait, or this call waits too long; the signal's reason if it
   * is aborted
   */
  async #turn(organization: string, agent: string, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    const { maxWaiting, maxWaitMs } = this.#limits;
    if (this.#waitingOf.of(organization) >= maxWaiting) throw new NoSlot();
    this.#waitingOf.add(organization, 1);
    let timer: NodeJS.Timeout | undefined;
    let abort = (): void => undefined;
    try {
      await new Promise<void>((begin, refuse) => {
        const waiting: WaitingCall = { begin, refuse };
        const queue = this.#waiting.get(agent)?.queue ?? [];
        this.#waiting.set(agent, { organization, queue });
        queue.push(waiting);
        timer = setTimeout(() => {
          this.#leave(agent, waiting, new NoSlot());
        }, maxWaitMs);
        abort = () => {
          this.#leave(agent, waiting, signal?.reason);
        };
        signal?.addEventListener('abort', abort, { once: true });
      });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      this.#waitingOf.add(organization, -1);
    }
  }

  #leave(agent: string, waiting: WaitingCall, why: unknown): void {
    const queue = this.#waiting.get(agent)?.queue ?? [];
    const at = queue.indexOf(waiting);
    // A call that is no longer in the queue already has a slot.
    if (at === -1) return;
    queue.splice(at, 1);
    if (queue.length === 0) this.#waiting.delete(agent);
    waiting.refuse(why);
  }

  #admitOne(): boolean {
    for (const [agent, waiting] of this.#waiting) {
      const { organization, queue } = waiting;
      if (!this.#mayTake(organization, agent)) continue;
      this.#take(organization, agent);
      const next = queue.shift();
      // Moves the agent behind the other waiting agents.
      this.#waiting.delete(agent);
      if (queue.length > 0) this.#waiting.set(agent, waiting);
      next?.begin();
      return true;
    }
    return false;
  }
}

class Counts<Key> {
  readonly #counts = new Map<Key, number>();

  of(key: Key): number {
    return this.#counts.get(key) ?? 0;
  }

  add(key: Key, change: number): void {
    const count = this.of(key) + change;
    if (count === 0) this.#counts.delete(key);
    else this.#counts.set(key, count);
  }
}

/** Number of organizations in `#paidAt` above which `pass` deletes those that need not wait. Chosen. */
const maxIdle = 100;

/**
 * Limits how many bytes per second of one organization's files this worker processes. Without this limit, files from a
 * fast server would use so much of the processors and of Postgres that other organizations are delayed.
 */
export class BytePace {
  readonly #bytesPerSecond: number;
  /** For each organization, the time (`performance.now()`) from which its next bytes need not wait. */
  readonly #paidAt = new Map<string, number>();

  constructor(bytesPerSecond: number) {
    this.#bytesPerSecond = bytesPerSecond;
  }

  /** Counts the bytes, then waits until the organization's earlier bytes are within its rate. */
  async pass(organization: string, bytes: number): Promise<void> {
    const now = performance.now();
    const from = Math.max(now, this.#paidAt.get(organization) ?? now);
    this.#paidAt.set(organization, from + (bytes / this.#bytesPerSecond) * 1000);
    if (this.#paidAt.size > maxIdle)
      for (const [idle, paidAt] of this.#paidAt) if (paidAt < now) this.#paidAt.delete(idle);
    if (from > now) await sleep(from - now);
  }
}
