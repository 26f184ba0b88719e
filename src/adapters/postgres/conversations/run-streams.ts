/**
 * Subscribes to run streams. An API process can read the streams of any worker's runs. All readers of one organization
 * in a process share one query.
 */
import { z } from 'zod';
import type { Notifications } from '../notifications.ts';
import { queryRows, statement, type Database } from '../database.ts';
import { inOrganization } from '../organization-scope.ts';

const streamEvent = z.object({
  number: z.number(),
  event: z.string(),
  /** The event's data as JSON text. */
  data: z.string(),
});
export type StreamEvent = z.infer<typeof streamEvent>;

/** Maximum events that one query reads for a reader. The others wait in Postgres for a later `next`. Chosen. */
const eventsAtOnce = 50;
const pollMs = 1000;

const read = statement('read-streams', streamEvent.extend({ reader: z.number() }))`
  select w.reader, e.number, e.event, e.data
    from unnest($1::uuid[], $2::integer[]) with ordinality as w(run_id, after, reader)
    cross join lateral (select number, event, data from run_stream_events
      where run_id = w.run_id and number > w.after order by number limit ${eventsAtOnce}) e
    order by w.reader, e.number`;

export class RunStreams {
  readonly #db: Database;
  readonly #notifications: Notifications;
  readonly #failed: (error: unknown) => void;
  readonly #open = new Map<string, Set<Reader>>();
  #timer: NodeJS.Timeout | undefined;
  #asking = false;

  /** @param failed called with each read error; the next poll reads again */
  constructor(db: Database, notifications: Notifications, failed: (error: unknown) => void) {
    this.#db = db;
    this.#failed = failed;
    this.#notifications = notifications;
    notifications.on('run_events', (ids) => {
      for (const id of ids.split(',')) for (const reader of this.#open.get(id) ?? []) reader.news = true;
      this.#ask();
    });
  }

  /**
   * Subscribes to a run's events.
   * @param after number of the last event that the reader already has
   * @returns the subscription, which the caller must close. Postgres is polled while at least one is open
   */
  follow(run: { organizationId: string; runId: string }, after: number): Reader {
    const readers = this.#open.get(run.runId) ?? new Set();
    const reader = new Reader(
      { ...run, after },
      () => {
        this.#ask();
      },
      () => {
        readers.delete(reader);
        if (readers.size === 0) this.#open.delete(run.runId);
        if (this.#open.size === 0) this.close();
      },
    );
    this.#open.set(run.runId, readers.add(reader));
    // Polls, because notifications are lost while the connection is broken.
    this.#timer ??= setInterval(() => {
      for (const reader of [...this.#open.values()].flatMap((all) => [...all])) reader.news = true;
      this.#ask();
    }, pollMs);
    this.#notifications.connect();
    return reader;
  }

  /** Stops polling. Open readers then get new events only after a notification. */
  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Reads the events of all due readers, until none is due or a read fails. Does nothing if it is already reading. */
  #ask(): void {
    if (this.#asking) return;
    this.#asking = true;
    void this.#rounds().finally(() => {
      this.#asking = false;
    });
  }

  async #rounds(): Promise<void> {
    for (;;) {
      const due = [...this.#open.values()].flatMap((all) => [...all].filter((reader) => reader.isDue));
      if (due.length === 0) return;
      for (const [organizationId, readers] of Map.groupBy(due, (reader) => reader.organizationId)) {
        for (const reader of readers) reader.reads();
        try {
          await this.#read(organizationId, readers);
        } catch (error) {
          this.#failed(error);
          return;
        }
      }
    }
  }

  async #read(organizationId: string, readers: Reader[]): Promise<void> {
    const rows = await inOrganization(organizationId, () =>
      queryRows(this.#db, read, [readers.map(({ runId }) => runId), readers.map(({ after }) => after)]),
    );
    const byReader = Map.groupBy(rows, ({ reader }) => reader);
    readers.forEach((reader, index) => {
      reader.take(byReader.get(index + 1) ?? []);
    });
  }
}

/** A subscription to one run's events. Events are read from Postgres only when the subscriber calls `next`. */
export class Reader {
  readonly organizationId: string;
  readonly runId: string;
  /** True if Postgres may have events that this reader has not read. */
  news = true;
  after: number;
  readonly #due: () => void;
  readonly #leave: () => void;
  #waiting: ((events: StreamEvent[]) => void) | undefined;
  #ended = false;
  #closed = false;
  /** True if the read in progress started after end(). */
  #readsEnd = false;

  constructor(
    from: { organizationId: string; runId: string; after: number },
    due: () => void,
    leave: () => void,
  ) {
    this.organizationId = from.organizationId;
    this.runId = from.runId;
    this.after = from.after;
    this.#due = due;
    this.#leave = leave;
  }

  /** True if a call of `next` waits, and there may be events that it has not read. */
  get isDue(): boolean {
    return this.#waiting !== undefined && this.news;
  }

  /**
   * Waits for events.
   * @returns the next events; an empty list if the reader is closed, or once `end` was called and all events were read
   */
  async next(): Promise<StreamEvent[]> {
    if (this.#closed) return [];
    const { promise, resolve } = Promise.withResolvers<StreamEvent[]>();
    this.#waiting = resolve;
    if (this.#ended) this.news = true;
    this.#due();
    return await promise;
  }

  /**
   * Ends the subscription. `next` still returns the events that are already published, then an empty list. Called when
   * the run has ended, or the wait for its end has timed out.
   */
  end(): void {
    this.#ended = true;
    this.news = true;
    this.#due();
  }

  /** Leaves the stream. A waiting call of `next`, and each later one, returns an empty list. */
  close(): void {
    this.#closed = true;
    this.#leave();
    this.#waiting?.([]);
    this.#waiting = undefined;
  }

  /** Called when a read of this reader's events begins. Events that are published later need another read. */
  reads(): void {
    this.news = false;
    this.#readsEnd = this.#ended;
  }

  /**
   * Gives the events of a read to the waiting call of `next`. Without events, `next` continues to wait, unless `end`
   * was called before the read.
   */
  take(events: StreamEvent[]): void {
    if (events.length === 0 && !this.#readsEnd) return;
    this.after = events.at(-1)?.number ?? this.after;
    if (events.length >= eventsAtOnce) this.news = true;
    this.#waiting?.(events);
    this.#waiting = undefined;
  }
}
