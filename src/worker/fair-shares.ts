/**
 * Divides a worker's activity slots, concurrent model calls and bandwidth for files among the organizations, so that no
 * organization delays another.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { activityInfo } from '@temporalio/activity';
import { Limiter, NoSlot } from '../limits/limiter.ts';
import { countShareReached } from '../observability/worker-metrics.ts';
import { transient } from './failures.ts';

const firstDelayMs = 500;
const maxDelayMs = 15_000;

/**
 * Limits how many activity slots of a worker one organization may use for activities that wait for other servers, such
 * as a model provider or a callback's receiver. Over the limit, an activity frees its slot at once, and is retried
 * later.
 */
export class FairShares {
  readonly #limiter: Limiter;
  readonly #most: number;
  readonly #reached: (organization: string) => void;

  /**
   * @param most maximum slots of one organization in this process
   * @param reached called each time an activity is refused because its organization uses all of its slots
   */
  constructor(most: number, reached: (organization: string) => void) {
    this.#limiter = new Limiter({ maxPerOwner: most });
    this.#most = most;
    this.#reached = reached;
  }

  /**
   * Runs the work in one of the organization's slots, without waiting for one.
   * @throws ApplicationFailure, retryable, if the organization uses all of its slots; the errors of the work
   */
  async use<T>(organization: string, work: () => Promise<T>): Promise<T> {
    const release = this.#limiter.tryHold(organization);
    if (release === undefined) {
      countShareReached({ of: 'activities' });
      this.#reached(organization);
      throw transient(
        'ShareReached',
        `The organization has ${this.#most} activities in this worker, its share; this one is retried later.`,
        delayMs(activityInfo().attempt),
      );
    }
    try {
      return await work();
    } finally {
      release();
    }
  }
}

/**
 * @returns a delay in milliseconds that grows with the attempts. It is partly random, so that activities that found no
 * slot do not all retry at once.
 */
function delayMs(attempt: number): number {
  const longest = Math.min(firstDelayMs * 2 ** Math.min(attempt, 10), maxDelayMs);
  return longest * (0.5 + Math.random() / 2);
}

const perFreeSlot = { agent: 4, organization: 9 };

/**
 * Limits on one organization's calls that wait for a model slot. Each waiting call occupies an activity slot of the
 * worker, and all organizations share the activity slots. Chosen.
 */
const usualLimits = { maxWaiting: 400, maxWaitMs: 60_000 };

interface Waiting {
  begin: () => void;
  refuse: (why: unknown) => void;
}

/**
 * Limits the concurrent model calls of this process, because slow calls must not use all of a worker's memory. Prevents
 * one organization or agent from delaying the others: an agent gets another slot only while it holds fewer than
 * `perFreeSlot.agent` slots for each free slot, and its organization fewer than `perFreeSlot.organization`. One agent
 * can thus use about 80 % of the slots, and one organization about 90 %. Waiting agents get slots in turn. These limits
 * apply within one worker; Temporal's fairness keys order the tasks that wait for a worker.
 */
export class Slots {
  #free: number;
  readonly #limits: typeof usualLimits;
  readonly #organizations = new Counts();
  readonly #agents = new Counts();
  readonly #waiting = new Map<string, { organization: string; queue: Waiting[] }>();
  readonly #waitingOf = new Counts();

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
   * @throws NoSlot if too many calls of the organization wait, or this one for too long; the signal's reason if it is
   * aborted
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
        const waiting: Waiting = { begin, refuse };
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

  #leave(agent: string, waiting: Waiting, why: unknown): void {
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

/** Number of entries above which `pass` deletes those of organizations whose next bytes need not wait. Chosen. */
const maxIdle = 100;

/**
 * Limits how many bytes per second of one organization's files this worker processes. Otherwise, files from a fast
 * server would use the processors and Postgres so much that other organizations are delayed.
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
    if (from > now) await delay(from - now);
  }
}
