/**
 * Writes what models generate to the streams of runs, in batches that all runs of this process share, so that many
 * streams need few SQL statements.
 */
import { randomUUID } from 'node:crypto';
import type { NewStreamEvent } from '../adapters/postgres/conversations/stream-events.ts';

export interface StreamStore {
  append: (events: readonly NewStreamEvent[]) => Promise<void>;
  begin: (runId: string, step: number, writer: string) => Promise<void>;
  /** Called with the error of a failed write of text. The next write contains the text again. */
  failed: (error: unknown) => void;
}

/**
 * Milliseconds between two writes of text. Text that arrives in between is part of the next write. The beginnings and
 * ends of texts do not wait. Chosen.
 */
const gapMs = 10;
/**
 * Returns the minimum milliseconds between two writes of the same text. It grows with the number of open texts, from 20
 * to 100. The first and the last write of a text have no delay. Chosen.
 */
const paceMs = (texts: number) => Math.min(100, Math.max(20, texts / 2));
const runsAtOnce = 100;
const maxDelta = 4000;

/**
 * One of two writers. The urgent one writes the beginnings and ends of texts, so that these do not wait for other
 * text.
 */
interface Writer {
  urgent: boolean;
  writing: boolean;
}

export class StreamOutbox {
  readonly #store: StreamStore;
  readonly #due = new Set<TextFeed>();
  readonly #writers: Writer[] = [true, false].map((urgent) => ({ urgent, writing: false }));
  #open = 0;

  constructor(store: StreamStore) {
    this.#store = store;
  }

  /**
   * Starts the text of one model call. If an earlier attempt at this step has published text, makes readers discard
   * it.
   * @returns the feed of the text; `close` must be called on it when the call has ended
   * @throws the error of `begin`
   */
  async feed(runId: string, step: number): Promise<TextFeed> {
    const writer = randomUUID();
    await this.#store.begin(runId, step, writer);
    this.#open += 1;
    return new TextFeed(
      { runId, step, writer },
      (feed) => {
        this.#due.add(feed);
        this.#wake();
      },
      () => {
        this.#open -= 1;
      },
    );
  }

  /** Publishes one event that is not text. @throws the error of `append` */
  async publish(event: NewStreamEvent): Promise<void> {
    await this.#store.append([event]);
  }

  #wake(): void {
    for (const writer of this.#writers) if (!writer.writing) void this.#write(writer);
  }

  async #write(writer: Writer): Promise<void> {
    writer.writing = true;
    // Waits until the code that is running has pushed all of its text, so that one write contains all of it.
    await Promise.resolve();
    for (;;) {
      const texts = [...this.#due].filter(({ urgent, inFlight }) => urgent === writer.urgent && !inFlight);
      if (texts.length === 0) break;
      await this.#append(texts);
      if (!writer.urgent) await new Promise((resolve) => setTimeout(resolve, gapMs));
    }
    writer.writing = false;
  }

  async #append(texts: readonly TextFeed[]): Promise<void> {
    const now = performance.now();
    const feeds = texts.filter((feed) => feed.notBefore <= now).slice(0, runsAtOnce);
    for (const feed of feeds) {
      this.#due.delete(feed);
      feed.notBefore = now + paceMs(this.#open);
      feed.inFlight = true;
    }
    try {
      await this.#store.append(feeds.flatMap((feed) => feed.take()));
      for (const feed of feeds) feed.taken();
    } catch (error) {
      this.#store.failed(error);
      for (const feed of feeds) feed.lost();
    }
    for (const feed of feeds) feed.inFlight = false;
    if (this.#due.size > 0) this.#wake();
  }
}

export class TextFeed {
  readonly #of: { runId: string; step: number; writer: string };
  readonly #due: (feed: TextFeed) => void;
  readonly #over: () => void;
  /** When this text may be written next (`performance.now()`); 0 if it may be written at once. */
  notBefore = 0;
  inFlight = false;
  #text = '';
  #written = 0;
  #taken = 0;
  /**
   * True after a failed write. Postgres may nevertheless have stored the text. The next write therefore first makes
   * readers discard the text, and then contains all of it again.
   */
  #restarts = false;
  #losses = 0;
  #settled: (() => void) | undefined;

  constructor(
    of: { runId: string; step: number; writer: string },
    due: (feed: TextFeed) => void,
    over: () => void,
  ) {
    this.#of = of;
    this.#due = due;
    this.#over = over;
  }

  /** True if the text must be written at once, without the pause between two writes. */
  get urgent(): boolean {
    return this.notBefore === 0;
  }

  /** True if the call has generated text, which readers have received or will receive. */
  get hasText(): boolean {
    return this.#text !== '';
  }

  /** Appends text, which the outbox then writes. Does not wait for the write. */
  push(piece: string): void {
    this.#text += piece;
    this.#due(this);
  }

  /**
   * Waits until all text is written. Also resolves after the second failed write, because an error of the stream must
   * not stop the run.
   */
  async settle(): Promise<void> {
    this.#losses = 0;
    if (this.#written === this.#text.length) return;
    await new Promise<void>((resolve) => {
      this.#settled = resolve;
      this.notBefore = 0;
      this.#due(this);
    });
  }

  /**
   * Ends the feed, which then no longer counts as an open text (see `paceMs`). Must be called once the model call has
   * ended, whatever its outcome. Does not write the rest of the text (see `settle`).
   */
  close(): void {
    this.#over();
  }

  /**
   * Returns the events that contain the text that is not written yet. `taken` or `lost` must be called with the
   * outcome of the write.
   */
  take(): NewStreamEvent[] {
    const { runId, step, writer } = this.#of;
    const event = (kind: NewStreamEvent['event'], data: object): NewStreamEvent => ({
      run_id: runId,
      step,
      event: kind,
      data: JSON.stringify({ step, ...data }),
      writer,
    });
    const events = this.#restarts ? [event('restart', {})] : [];
    let at = this.#restarts ? 0 : this.#written;
    while (at < this.#text.length) {
      const piece = wholeCharacters(this.#text.slice(at, at + maxDelta));
      events.push(event('delta', { text: piece }));
      at += piece.length;
    }
    this.#taken = at;
    return events;
  }

  /** Called when the events of the last `take` are written. */
  taken(): void {
    this.#restarts = false;
    this.#written = this.#taken;
    if (this.#written === this.#text.length) this.#settled?.();
  }

  /**
   * Called when the write failed. The next `take` returns the whole text again, after an event that makes readers
   * discard it.
   */
  lost(): void {
    this.#restarts = true;
    this.#written = 0;
    this.#losses += 1;
    if (this.#settled === undefined) return;
    if (this.#losses > 1) this.#settled();
    else this.#due(this);
  }
}

function wholeCharacters(text: string): string {
  return text.length === maxDelta && /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text;
}
