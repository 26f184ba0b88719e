/**
 * Wraps every activity. Sends heartbeats, so that Temporal detects a lost worker and the activity receives its
 * cancellation. Logs the activity's end in one line. Redacts unexpected errors, because they may contain a row, a URL
 * or a customer's text, and operators read workflow histories. Also divides a worker's activity slots among
 * organizations (`FairShares`), and gives up work during which too many workers were lost (`Attempts`).
 */
import { randomUUID } from 'node:crypto';
import { AsyncLocalStorage } from 'node:async_hooks';
import { activityInfo, heartbeat } from '@temporalio/activity';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { z } from 'zod';
import {
  beginAttempt,
  countLostWorkers,
  deleteAttempts,
  deleteAttemptsOf,
  recordLeaving,
  recordWorker,
  type Attempt,
} from '../adapters/postgres/attempts.ts';
import type { Database } from '../adapters/postgres/database.ts';
import { conversationOfWorkflow } from '../contract/workflows.ts';
import { Limiter } from '../limits/limiter.ts';
import type { Logger } from '../log.ts';
import { withIds } from '../observability/spans.ts';
import { countGivenUp, countShareReached, givenUpUnits } from '../observability/worker-metrics.ts';
import { transient } from './failures.ts';

/** Milliseconds between two heartbeats. Chosen below a third of the shortest heartbeat timeout, 10 s (policies.ts). */
const heartbeatEveryMs = 3000;

/** The current work of an activity. Must not contain conversation text, because operators read it in Temporal. */
interface Doing {
  doing: string;
  /** Number of runs that this activity has answered. */
  answered: number;
  /** Id of the last run that this activity has answered; absent if there is none. */
  last?: string;
}

/** The details in an activity's heartbeats, which an operator sees in Temporal's UI. */
interface ActivityDetails {
  /** Absent until the activity calls noteDoing(). */
  now?: Doing & {
    /** Time of the call of noteDoing(), in ISO 8601. */
    since: string;
  };
}

const detailsNow = new AsyncLocalStorage<ActivityDetails>();

/** Sets the details that the current activity's next heartbeats report. Does nothing outside of an activity. */
export function noteDoing(doing: Doing): void {
  const details = detailsNow.getStore();
  if (details !== undefined) details.now = { ...doing, since: new Date().toISOString() };
}

/**
 * Creates the interceptors that wrap every activity.
 * @param log gets one line at the end of each activity, with the activity's ids: a warning if the activity returned a
 * failure (see `isFailure`), otherwise a debug line. It also gets each unexpected error, unredacted.
 */
export function aroundActivities(log: Logger): ActivityInterceptorsFactory {
  return ({ info }) => {
    const { workflowExecution: workflow, activityType: activity, attempt } = info;
    const conversation = conversationOfWorkflow(workflow?.workflowId);
    const ids = {
      activity,
      ...(workflow && { workflow_id: workflow.workflowId, temporal_run_id: workflow.runId }),
      ...(conversation !== undefined && { conversation_id: conversation }),
    };
    return {
      inbound: {
        execute: async (input, next) =>
          // Copies the ids, because the activity adds further ids to the object.
          await withIds({ ...ids }, async () => {
            const details: ActivityDetails = {};
            const beats = setInterval(() => {
              heartbeat(details.now);
            }, heartbeatEveryMs);
            const began = performance.now();
            const ended = (end: ActivityEnd) => {
              const duration_ms = Math.round(performance.now() - began);
              log[isFailure(activity, end) ? 'warn' : 'debug'](
                { attempt, duration_ms, ...end },
                'activity ended',
              );
            };
            try {
              const result: unknown = await detailsNow.run(details, () => next(input));
              ended(endOf(result));
              return result;
            } catch (error) {
              ended({ outcome: 'thrown' });
              if (error instanceof ApplicationFailure || isCancellation(error)) throw error;
              log.error({ attempt, err: error }, 'an activity failed unexpectedly');
              throw redacted(error);
            } finally {
              clearInterval(beats);
            }
          }),
      },
    };
  };
}

interface ActivityEnd {
  /** The returned text, status or next step; `thrown` if the activity threw; undefined for any other result. */
  outcome?: string | undefined;
  /** Outcome of the callback, if the activity posted one. */
  callback?: string | undefined;
}

/**
 * True if the activity returned a failure: a failed or blocked delivery, a failed run, or an unknown outcome. False for
 * a blocked reply, because Parley must not send it, for example during a takeover. False for an activity that threw,
 * because Temporal records that failure, and usually retries.
 */
function isFailure(activity: string, { outcome, callback }: ActivityEnd): boolean {
  const ended = callback ?? outcome;
  return ended === 'failed' || ended === 'unknown' || (ended === 'blocked' && activity !== 'sendReply');
}

const step = z.object({ next: z.string(), callback: z.string().optional(), status: z.string().optional() });

function endOf(result: unknown): ActivityEnd {
  if (typeof result === 'string') return { outcome: result };
  const { data } = step.safeParse(result);
  return data === undefined ? {} : { outcome: data.status ?? data.next, callback: data.callback };
}

function isCancellation(error: unknown): boolean {
  return error instanceof CancelledFailure || (error instanceof Error && error.name === 'AbortError');
}

/** @returns a retryable failure that contains only the error's class and code, for example `DatabaseError 42P08` */
function redacted(error: unknown): ApplicationFailure {
  const failure = transient('Unforeseen', `${kindOf(error)}: its message is in the worker's log.`);
  // Removes the stack, because it contains paths of files on the worker's machine.
  failure.stack = '';
  return failure;
}

function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return 'A fault';
  const { name } = error.constructor;
  const code = 'code' in error && typeof error.code === 'string' && /^[A-Z\d_]+$/.test(error.code);
  return code ? `${name} ${String(error.code)}` : name;
}

/**
 * Minimum delay in milliseconds before the first retry of an activity whose organization uses its whole share, and the
 * maximum delay before any retry. Chosen.
 */
const firstDelayMs = 500;
const maxDelayMs = 15_000;

/**
 * Limits how many activity slots of a worker one organization may use for activities that wait for other servers, such
 * as a model provider or a callback's receiver. If the limit is reached, an activity frees its slot at once, and is
 * retried later.
 */
export class FairShares {
  readonly #limiter: Limiter;
  readonly #maxSlots: number;
  readonly #reached: (organization: string) => void;

  /**
   * @param maxSlots maximum slots of one organization in this process
   * @param reached called each time an activity is refused because its organization uses all of its slots
   */
  constructor(maxSlots: number, reached: (organization: string) => void) {
    this.#limiter = new Limiter({ maxPerOwner: maxSlots });
    this.#maxSlots = maxSlots;
    this.#reached = reached;
  }

  /**
   * Runs the work in one of the organization's slots, without waiting for one.
   * @throws ApplicationFailure, retryable, if the organization uses all of its slots; the errors of the work
   */
  async use<T>(organization: string, work: () => Promise<T>): Promise<T> {
    return await this.#limiter.tryUse(organization, work, () => {
      countShareReached({ of: 'activities' });
      this.#reached(organization);
      return transient(
        'ShareReached',
        `The organization has ${this.#maxSlots} activities in this worker, its share; this one is retried later.`,
        delayMs(activityInfo().attempt),
      );
    });
  }
}

/**
 * @returns a delay in milliseconds that grows with the attempts. It is partly random, so that activities that found no
 * slot do not all retry at once.
 */
function delayMs(attempt: number): number {
  const maxMs = Math.min(firstDelayMs * 2 ** Math.min(attempt, 10), maxDelayMs);
  return maxMs * (0.5 + Math.random() / 2);
}

/**
 * Milliseconds between two updates of this worker's row in Postgres. Chosen: far below the 10 s after which
 * lost_workers.sql counts a worker as lost.
 */
const seenEveryMs = 2000;
/**
 * Milliseconds for which this worker must have reached Postgres without a gap before it gives up work. Longer than the
 * 10 s after which lost_workers.sql counts a worker as lost, so that after an outage of Postgres every live worker has
 * updated its row before any work is given up.
 */
const steadyMs = 12_000;
/**
 * Milliseconds between two updates of this worker's row above which they count as having a gap: this process was
 * suspended, or Postgres was unavailable. Chosen.
 */
const maxGapMs = 3 * seenEveryMs;
/** Maximum milliseconds for which a last attempt delays other last attempts on this worker (see `#alone`). Chosen. */
const aloneMs = 60_000;

export type UnitName = `${(typeof givenUpUnits)[number]}/${string}`;

export interface Work<T> {
  work: (attempt?: NotedAttempt) => Promise<T>;
  /** Ends the work permanently. @returns the result of the work; undefined if the work must run after all */
  giveUp: (why: string) => Promise<T | undefined>;
}

/**
 * An attempt whose row the work may delete: `done` is true if the statement that recorded the end of the work has done
 * so.
 */
export type NotedAttempt = Attempt & { done?: boolean };

/**
 * Guards work that may end its process, for example by using too much memory or by an endless loop. Each attempt has a
 * row in Postgres while it runs; the row remains if the worker is lost. After too many lost workers, the work is given
 * up and no longer retried.
 */
export class Attempts {
  readonly #db: Database;
  readonly worker = randomUUID();
  readonly #maxLost: number;
  readonly #log: (about: Record<string, unknown>, message: string) => void;
  /** Ids of ended attempts whose rows must still be deleted, because an earlier deletion failed. */
  #owed: string[] = [];
  #seenAt = -Infinity;
  #steadySince = Infinity;
  #aloneSince = -Infinity;
  #beats: NodeJS.Timeout | undefined;

  /**
   * @param maxLost number of lost workers after which a unit of work is given up
   * @param log called each time work is given up
   */
  constructor(db: Database, maxLost: number, log: (about: Record<string, unknown>, message: string) => void) {
    this.#db = db;
    this.#maxLost = maxLost;
    this.#log = log;
  }

  /**
   * Writes this worker's row in Postgres, and updates it every `seenEveryMs`. Must be called before the first work,
   * because a worker without a row counts as lost.
   * @throws a database error if Postgres is unavailable
   */
  async start(): Promise<void> {
    await this.#beat();
    this.#beats = setInterval(() => {
      void this.#beat().catch(() => {
        this.#steadySince = Infinity;
      });
    }, seenEveryMs);
  }

  /** Records that this worker stops on purpose, so that it does not count as lost. @throws a database error */
  async leave(): Promise<void> {
    await recordLeaving(this.#db, this.worker);
  }

  /** Stops the updates of this worker's row. Other workers then count this one as lost, unless `leave` was called. */
  stop(): void {
    clearInterval(this.#beats);
  }

  /**
   * Runs the work as an attempt. If too many workers were lost, calls `giveUp` instead, and runs the work only if
   * `giveUp` returns undefined.
   * @param unit name of the work, by which its lost workers are counted
   * @returns the result of the work; if the work was given up, the result of `giveUp`
   * @throws the errors of the work and of `giveUp`; database errors; a retryable failure if the work must be given up
   * but this worker has reached Postgres without a gap for less than `steadyMs`, or if another last attempt is running
   * on this worker
   */
  async guarded<T>(unit: UnitName, work: Work<T>): Promise<T> {
    return await this.#guard(unit, work, (attempt) => beginAttempt(this.#db, attempt));
  }

  /**
   * Works like `guarded`, but the statements of the work itself create and delete the attempt's row. A first attempt
   * therefore needs no additional statement.
   * @param repeated true if an earlier attempt may have been lost
   */
  async guardedByClaim<T>(unit: UnitName, repeated: boolean, work: Work<T>): Promise<T> {
    return await this.#guard(unit, work, async () => (repeated ? await countLostWorkers(this.#db, unit) : 0));
  }

  async #guard<T>(
    unit: UnitName,
    { work, giveUp }: Work<T>,
    begin: (attempt: Attempt) => Promise<number>,
  ): Promise<T> {
    const attempt: NotedAttempt = { id: randomUUID(), unit, worker: this.worker };
    try {
      const lost = await begin(attempt);
      const ended = lost >= this.#maxLost ? await this.#giveUp(unit, lost, giveUp) : undefined;
      const isLast = lost > 0 && lost === this.#maxLost - 1;
      const result = ended ?? (await (isLast ? this.#alone(work, attempt) : work(attempt)));
      if (attempt.done !== true)
        await deleteAttemptsOf(this.#db, unit).catch(() => this.#owed.push(attempt.id));
      return result;
    } catch (error) {
      await deleteAttempts(this.#db, [attempt.id]).catch(() => this.#owed.push(attempt.id));
      throw error;
    }
  }

  /**
   * Gives the work up. If `giveUp` ends the work, also counts and logs this.
   * @returns the result of `giveUp`; undefined if the work must run after all
   * @throws a retryable failure unless this worker has reached Postgres without a gap for at least `steadyMs`; the
   * errors of `giveUp`
   */
  async #giveUp<T>(
    unit: string,
    lost: number,
    giveUp: (why: string) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    // After an outage of Postgres, live workers count as lost until they have updated their rows.
    const now = performance.now();
    if (now - this.#steadySince < steadyMs || now - this.#seenAt > maxGapMs)
      throw transient(
        'LostWorkersUnclear',
        'Workers seem to have been lost at this; it is checked again.',
        3000,
      );
    const times = lost === 1 ? 'once' : `${lost} times`;
    const ended = await giveUp(`Its worker was lost ${times} while working on this. It is not retried.`);
    if (ended !== undefined) {
      const kind = givenUpUnits.find((one) => unit.startsWith(`${one}/`));
      if (kind !== undefined) countGivenUp({ unit: kind });
      this.#log({ unit, lost_workers: lost }, 'work is given up, because workers were lost during it');
    }
    return ended;
  }

  /**
   * Runs a last attempt: if its worker is lost too, the work is given up. For up to `aloneMs`, no other last attempt
   * begins on this worker, so that the loss of the worker does not count against both.
   * @throws a retryable failure if another last attempt began less than `aloneMs` ago and has not ended
   */
  async #alone<T>(work: Work<T>['work'], attempt: Attempt): Promise<T> {
    const since = performance.now();
    if (since - this.#aloneSince < aloneMs)
      throw transient(
        'LastAttemptElsewhere',
        'Workers were lost during this work and during other work. Both are tried again, one after the other.',
        1000 + Math.random() * 2000,
      );
    this.#aloneSince = since;
    try {
      return await work(attempt);
    } finally {
      if (this.#aloneSince === since) this.#aloneSince = -Infinity;
    }
  }

  async #beat(): Promise<void> {
    await recordWorker(this.#db, this.worker);
    const now = performance.now();
    if (now - this.#seenAt > maxGapMs || this.#steadySince === Infinity) this.#steadySince = now;
    this.#seenAt = now;
    if (this.#owed.length === 0) return;
    const paid = this.#owed;
    this.#owed = [];
    await deleteAttempts(this.#db, paid).catch((error: unknown) => {
      this.#owed.push(...paid);
      throw error;
    });
  }
}
