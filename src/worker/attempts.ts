/**
 * Guards work that may kill its process, for example by using too much memory or by an endless loop. Each attempt has a
 * row in Postgres while it runs; the row remains if the worker is lost. After too many lost workers, the work fails and
 * is no longer retried.
 */
import { randomUUID } from 'node:crypto';
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
import { countGivenUp, givenUpUnits } from '../observability/worker-metrics.ts';
import { transient } from './failures.ts';

const seenEveryMs = 2000;
/**
 * Milliseconds for which this worker must have reached Postgres without a gap before it gives up work. Longer than the
 * 10 s after which lost_workers.sql counts a worker as lost, so that after an outage of Postgres every live worker has
 * updated its row before any work is given up.
 */
const steadyMs = 12_000;
/**
 * Maximum milliseconds between two updates of this worker's row in Postgres. A longer gap means that this process was
 * suspended, or that Postgres was unavailable. Chosen.
 */
const maxGapMs = 3 * seenEveryMs;
/** Maximum milliseconds for which a last attempt delays the other last attempts on this worker (`#alone`). Chosen. */
const aloneMs = 60_000;

export type UnitName = `${(typeof givenUpUnits)[number]}/${string}`;

export interface Work<T> {
  work: (attempt?: NotedAttempt) => Promise<T>;
  /** Ends the work permanently. @returns the result of the work; undefined if the work must run after all */
  giveUp: (why: string) => Promise<T | undefined>;
}

/** `done` is true if the statement that recorded the work's end has already deleted the attempt's row. */
export type NotedAttempt = Attempt & { done?: boolean };

export class Attempts {
  readonly #db: Database;
  readonly worker = randomUUID();
  readonly #most: number;
  readonly #log: (about: Record<string, unknown>, message: string) => void;
  /** Ids of ended attempts whose rows must still be deleted, because an earlier deletion failed. */
  #owed: string[] = [];
  #seenAt = -Infinity;
  #steadySince = Infinity;
  #aloneSince = -Infinity;
  #beats: NodeJS.Timeout | undefined;

  /**
   * @param most number of lost workers after which a unit of work is given up
   * @param log called each time work is given up
   */
  constructor(db: Database, most: number, log: (about: Record<string, unknown>, message: string) => void) {
    this.#db = db;
    this.#most = most;
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

  /** Records that this worker stops on purpose, so that it does not count as lost. @throws an error of the database */
  async leave(): Promise<void> {
    await recordLeaving(this.#db, this.worker);
  }

  /** Ends the heartbeat. Other workers then count this one as lost, unless `leave` has recorded that it stops. */
  stop(): void {
    clearInterval(this.#beats);
  }

  /**
   * Runs the work as an attempt. If too many workers were lost, calls `giveUp` instead, and runs the work only if
   * `giveUp` returns undefined.
   * @param unit name of the work, by which its lost workers are counted
   * @returns the result of the work; if the work was given up, the result of `giveUp`
   * @throws the errors of the work, of `giveUp` and of the database; a retryable failure if the work must be given up
   * but this worker has not reached Postgres for `steadyMs` without a gap, or if another last attempt is running on
   * this worker
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
      const ended = lost >= this.#most ? await this.#giveUp(unit, lost, giveUp) : undefined;
      const isLast = lost > 0 && lost === this.#most - 1;
      const result = ended ?? (await (isLast ? this.#alone(work, attempt) : work(attempt)));
      if (attempt.done !== true)
        await deleteAttemptsOf(this.#db, unit).catch(() => this.#owed.push(attempt.id));
      return result;
    } catch (error) {
      await deleteAttempts(this.#db, [attempt.id]).catch(() => this.#owed.push(attempt.id));
      throw error;
    }
  }

  async #giveUp<T>(
    unit: string,
    lost: number,
    giveUp: (why: string) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    // After an outage of Postgres, live workers count as lost until they have updated their rows.
    if (performance.now() - this.#steadySince < steadyMs || this.#steadySince === Infinity)
      throw transient(
        'LookAgain',
        'Workers may have been lost during this work. The next attempt checks this again.',
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
   * Runs a last attempt: if its worker is lost too, the work fails. For `aloneMs`, no other last attempt begins on this
   * worker, so that a lost worker does not count against both.
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
