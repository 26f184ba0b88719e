/** What Postgres notifies this process of: one listening connection for all who listen. */
import pg from 'pg';

/** A server that is silent counts as away. */
const connectionTimeoutMillis = 3000;

type Hear = (payload: string) => void;

export class Notifications {
  readonly #url: string;
  readonly #heard = new Map<string, Hear>();
  #client: pg.Client | undefined;
  #connecting = false;
  #closed = false;

  constructor(url: string) {
    this.#url = url;
  }

  /** One listener a channel; to be called before connect(). */
  on(channel: string, hear: Hear): void {
    this.#heard.set(channel, hear);
  }

  /** Connects where it is not connected. What is missed meanwhile must be looked for otherwise. */
  connect(): void {
    if (this.#client !== undefined || this.#connecting || this.#closed) return;
    this.#connecting = true;
    const client = new pg.Client({
      connectionString: this.#url,
      connectionTimeoutMillis,
      keepAlive: true,
    });
    client.on('notification', ({ channel, payload }) => {
      this.#heard.get(channel)?.(payload ?? '');
    });
    const lost = () => {
      if (this.#client === client) this.#client = undefined;
    };
    client.on('error', lost);
    client.on('end', lost);
    client
      .connect()
      .then(async () => {
        for (const channel of this.#heard.keys()) await client.query(`listen ${channel}`);
        this.#client = client;
      })
      // Until the next try connects, whoever waits looks for himself.
      .catch(lost)
      .finally(() => {
        this.#connecting = false;
      });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#client?.end();
  }
}
