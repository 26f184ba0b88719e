/**
 * Registers warm conversations: those whose activity may wait for the next inputs and answer them too. A registration
 * lasts from before the claim of the first run until the activity no longer serves the conversation, so that no
 * notification is lost between two runs.
 */
import { randomUUID } from 'node:crypto';
import type { Notifications } from '../adapters/postgres/notifications.ts';
import { channelOfWorker } from '../adapters/postgres/worker-notifier.ts';
import { Limiter } from '../limits/limiter.ts';

export interface WarmLimits {
  maxRuns: number;
  /** Maximum milliseconds for which an activity waits for the next input. */
  waitMs: number;
  /** Age of an activity, in milliseconds, up to which it may begin a further run. */
  activityMs: number;
  maxWarm: number;
}

/**
 * Milliseconds between two polls for due work of waiting conversations. The worker polls because notifications can be
 * lost. Chosen.
 */
const pollMs = 1000;
/**
 * Lag of the event loop, in milliseconds, above which this worker registers no conversations and its activities begin
 * no further wait for inputs, so that other workers can answer the inputs. Chosen.
 */
const maxLagMs = 250;
/**
 * Limits on the claims with which waiting activities get their next run: maximum concurrent claims in total and of one
 * organization, and maximum milliseconds for which a claim waits. Without these limits, one organization's burst would
 * delay all others. Chosen.
 */
const claims = { max: 40, maxPerOwner: 20, maxWaitMs: 30_000 };

interface Options {
  worker: string;
  limits: WarmLimits;
  notifications: Pick<Notifications, 'on'>;
  /** @returns ids of the conversations that have due work, or that the activity attempt `by` no longer serves */
  findDue: (served: { conversationId: string; by: string }[]) => Promise<string[]>;
  /** Called with each error of a poll; the next poll retries. */
  failed: (error: unknown) => void;
  /** Called after each run of a serving activity, even if the workflow continues the run, for example with tools. */
  runEnded: (run: WarmRun) => void;
}

export interface WarmRun {
  run_id: string | undefined;
  outcome: string;
  callback?: string | undefined;
  /** Milliseconds from the start of the run's claim to the end of the activity's work on the run. */
  duration_ms: number;
}

export class WarmConversations {
  readonly limits: WarmLimits;
  readonly #options: Options;
  readonly #warm = new Map<string, WarmConversation>();
  readonly #claims = new Limiter(claims);
  #timer: NodeJS.Timeout | undefined;
  #polling = false;
  #polledAt = performance.now();
  #lags = false;
  #stopped = false;

  constructor(options: Options) {
    this.#options = options;
    this.limits = options.limits;
    options.notifications.on(channelOfWorker(options.worker), (conversationId) => {
      this.#warm.get(conversationId)?.notify();
    });
  }

  /** Number of registered conversations, including those whose first run is in progress. */
  get count(): number {
    return this.#warm.size;
  }

  /**
   * Registers a conversation. Must be called before its run is claimed.
   * @returns undefined if the activity must not wait for further inputs: too many conversations are warm, this
   * conversation is already registered, or the worker lags or is stopping
   */
  register(conversationId: string): WarmConversation | undefined {
    const { worker, limits } = this.#options;
    const isFull = this.#warm.size >= limits.maxWarm || this.#warm.has(conversationId);
    if (isFull || !this.mayWait) return undefined;
    const one = new WarmConversation(`${worker}/${randomUUID()}`, () => {
      this.#warm.delete(conversationId);
      if (this.#warm.size === 0) this.#stopPolling();
    });
    this.#warm.set(conversationId, one);
    if (this.#timer === undefined) this.#polledAt = performance.now();
    this.#timer ??= setInterval(() => void this.#poll(), pollMs);
    return one;
  }

  /**
   * Waits until the limits in `claims` allow another claim, and runs `claim`.
   * @throws NoSlot if the wait takes longer than `claims.maxWaitMs`; the error of `claim`
   */
  async limitClaims<T>(organizationId: string, claim: () => Promise<T>): Promise<T> {
    return await this.#claims.use(organizationId, claim);
  }

  /** Calls the option `runEnded`, which logs the end of a run of a warm conversation. */
  runEnded(run: WarmRun): void {
    this.#options.runEnded(run);
  }

  /** True if activities may begin another wait for inputs: this worker does not lag and is not stopping. */
  get mayWait(): boolean {
    return !this.#stopped && !this.#lags;
  }

  /** Ends all waits, so that their activities complete. Called when this worker stops. */
  stop(): void {
    this.#stopped = true;
    for (const one of this.#warm.values()) one.end();
    this.#stopPolling();
  }

  #stopPolling(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#lags = false;
  }

  async #poll(): Promise<void> {
    const now = performance.now();
    this.#lags = now - this.#polledAt > pollMs + maxLagMs;
    this.#polledAt = now;
    if (this.#polling) return;
    const waiting = [...this.#warm].filter(([, one]) => one.isWaiting);
    if (waiting.length === 0) return;
    this.#polling = true;
    try {
      const served = waiting.map(([conversationId, { by }]) => ({ conversationId, by }));
      for (const id of await this.#options.findDue(served)) this.#warm.get(id)?.notify();
    } catch (error) {
      this.#options.failed(error);
    } finally {
      this.#polling = false;
    }
  }
}

export type WaitEnd = 'notified' | 'timeout' | 'ended';

export class WarmConversation {
  /** Id of the activity attempt. While the attempt serves the conversation, conversations.served_by has this id. */
  readonly by: string;
  /** Removes the conversation from the registry. Must be called as soon as the activity stops serving it. */
  readonly unregister: () => void;
  #notified = false;
  #ended = false;
  #wake: ((why: WaitEnd) => void) | undefined;

  constructor(by: string, unregister: () => void) {
    this.by = by;
    this.unregister = unregister;
  }

  /** True while an activity waits for further inputs of the conversation. */
  get isWaiting(): boolean {
    return this.#wake !== undefined;
  }

  /** Ends the wait in progress or, if there is none, the next one, because something may be due. */
  notify(): void {
    if (this.#wake === undefined) this.#notified = true;
    else this.#wake('notified');
  }

  /** Ends the wait in progress and all later ones. */
  end(): void {
    this.#ended = true;
    this.#wake?.('ended');
  }

  /**
   * Waits for a notification. Returns at once if a notification has arrived since the last wait.
   * @returns `notified`; `timeout` after `ms` milliseconds; `ended` if the signal aborts or this worker stops
   */
  async wait(ms: number, signal: AbortSignal): Promise<WaitEnd> {
    if (this.#ended || signal.aborted) return 'ended';
    if (this.#notified) {
      this.#notified = false;
      return 'notified';
    }
    let timer: NodeJS.Timeout | undefined;
    const abort = () => {
      this.#wake?.('ended');
    };
    try {
      return await new Promise<WaitEnd>((resolve) => {
        this.#wake = resolve;
        timer = setTimeout(resolve, ms, 'timeout');
        signal.addEventListener('abort', abort, { once: true });
      });
    } finally {
      this.#wake = undefined;
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    }
  }
}
