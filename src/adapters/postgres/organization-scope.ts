/** Which organization the code that runs now works for: Postgres shows it no other's rows. */
import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import { Turns } from '../../limits/limiter.ts';

/** Sees the rows of one organization: see row-security.ts. */
export const apiRole = 'parley_api';
/** Sees the rows of all, for the few queries that come before an organization is known. */
export const everyOrganizationRole = 'parley_api_across';
const everyOrganization = '*';

const scope = new AsyncLocalStorage<string>();

/** Whatever `work` asks of a scoped database, it sees and changes rows of this organization alone. */
export function inOrganization<T>(organizationId: string, work: () => T): T {
  return scope.run(organizationId, work);
}

/** For what comes before an organization is known, as a token's look-up. Name in a comment why. */
export function acrossOrganizations<T>(work: () => T): T {
  return scope.run(everyOrganization, work);
}

const entered = new WeakMap<pg.ClientBase, string>();

const enter = {
  name: 'enter-organization',
  text: `select set_config('role', $1, false), set_config('parley.organization', $2, false)`,
};

/**
 * Must be called at every checkout.
 * @throws Error outside of both functions above
 */
export async function enterScope(client: pg.ClientBase): Promise<void> {
  const wanted = scope.getStore();
  if (wanted === undefined) {
    throw new Error(
      'This code reaches the database for no organization: call it in inOrganization() or acrossOrganizations().',
    );
  }
  if (entered.get(client) === wanted) return;
  entered.delete(client);
  const values = wanted === everyOrganization ? [everyOrganizationRole, ''] : [apiRole, wanted];
  await client.query({ ...enter, values });
  entered.set(client, wanted);
}

/** So long and so many of an organization's queries wait for a connection where it holds its share of the pool. */
const longestWait = { maxWaiting: 500, maxWaitMs: 5000 };

/** Connections of one pool: an organization whose queries are slow leaves some of them to the others. */
export class ConnectionShares {
  readonly #turns: Turns;
  readonly #reached: (organization: string) => void;

  /** @param reached is told where one waits because its organization holds its share */
  constructor(perOrganization: number, reached: (organization: string) => void) {
    this.#turns = new Turns({ atOnce: Infinity, perOrganization, ...longestWait });
    this.#reached = reached;
  }

  /** For whoever the code that runs now works for. @returns gives it back. @throws NoTurn */
  async take(): Promise<() => void> {
    const organization = scope.getStore();
    if (organization === undefined || organization === everyOrganization) return () => undefined;
    const state: { isTaken: boolean } = { isTaken: false };
    const taken = new Promise<() => void>((resolve, reject) => {
      const held = async () => {
        state.isTaken = true;
        await new Promise<void>((giveBack) => {
          resolve(giveBack);
        });
      };
      this.#turns.use(organization, held).catch(reject);
    });
    if (!state.isTaken) this.#reached(organization);
    return await taken;
  }
}

type Connected = Parameters<pg.Pool['connect']>[0];

/** A pool whose every checkout enters the scope of the one that asks. */
export class ScopedPool extends pg.Pool {
  shares: ConnectionShares | undefined;

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | undefined {
    const checkedOut = this.#checkOut();
    if (callback === undefined) return checkedOut;
    checkedOut.then(
      (client) => {
        callback(undefined, client, client.release.bind(client));
      },
      (error: unknown) => {
        callback(error instanceof Error ? error : new Error(String(error)), undefined, () => undefined);
      },
    );
    return undefined;
  }

  async #checkOut(): Promise<pg.PoolClient> {
    const giveBack = await this.shares?.take();
    let client: pg.PoolClient | undefined;
    try {
      client = await super.connect();
      await enterScope(client);
    } catch (error) {
      client?.release(true);
      giveBack?.();
      throw error;
    }
    if (giveBack !== undefined) {
      // The pool makes one for each checkout.
      const release = client.release.bind(client);
      client.release = (destroy) => {
        release(destroy);
        giveBack();
      };
    }
    return client;
  }
}
