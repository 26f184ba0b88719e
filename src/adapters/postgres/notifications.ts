/** Receives Postgres notifications. All subscribers of a process share one connection. */
import { PrimaryClient, connectionSettings } from './database.ts';

type Listener = (payload: string) => void;

/**
 * First and maximum delay before the next attempt after a lost or refused connection. The delay doubles with each
 * failure. A random part, at most half of it, is subtracted, so that many processes do not reconnect at once. Chosen.
 */
const firstPauseMs = 500;
const maxPauseMs = 15_000;

export class Notifications {
  readonly #url: string;
  readonly #failed: (error: unknown) => void;
  readonly #listeners = new Map<string, Listener>();
  #client: PrimaryClient | undefined;
  #connecting = false;
  #failures = 0;
  /** The timer of the delay before the next attempt; undefined if there is no delay. */
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  /** @param failed called with the error each time the connection is lost or cannot be opened */
  constructor(url: string, failed: (error: unknown) => void) {
    this.#url = url;
    this.#failed = failed;
  }

  /** Sets the listener of a channel, and replaces an earlier one. Must be called before `connect`. */
  on(channel: string, listener: Listener): void {
    this.#listeners.set(channel, listener);
  }

  /**
   * Starts to connect, and reconnects whenever the connection is lost, until `close` is called. Returns at once. A
   * repeated call does nothing. Subscribers must also poll, because notifications during an outage are lost.
   */
  connect(): void {
    if (this.#client !== undefined || this.#connecting || this.#retry !== undefined || this.#closed) return;
    this.#connecting = true;
    const client = new PrimaryClient(connectionSettings(this.#url));
    client.on('notification', ({ channel, payload }) => {
      this.#listeners.get(channel)?.(payload ?? '');
    });
    const lost = (error: unknown) => {
      if (this.#client !== client) return;
      this.#client = undefined;
      if (!this.#closed) this.#failed(error);
      this.#pause();
    };
    client.on('error', lost);
    client.on('end', () => {
      lost(new Error('Postgres closed the connection'));
    });
    void this.#listen(client).finally(() => {
      this.#connecting = false;
    });
  }

  async #listen(client: PrimaryClient): Promise<void> {
    try {
      await client.connect();
      for (const channel of this.#listeners.keys()) await client.query(`listen ${channel}`);
      this.#client = client;
      this.#failures = 0;
    } catch (error) {
      this.#failed(error);
      this.#pause();
    }
    // Closes the connection if connecting or `listen` failed, or if close() was called before `#client` was set.
    if (this.#client !== client || this.#closed) await client.end().catch(() => undefined);
  }

  #pause(): void {
    if (this.#closed) return;
    const pauseMs = Math.min(maxPauseMs, firstPauseMs * 2 ** this.#failures);
    this.#failures += 1;
    const connectAgain = () => {
      this.#retry = undefined;
      this.connect();
    };
    this.#retry = setTimeout(connectAgain, pauseMs * (0.5 + Math.random() / 2)).unref();
  }

  /** Closes the connection. It is not opened again. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    await this.#client?.end();
  }
}
