/** Sets the organization for which code runs, so that Postgres shows it no other organization's rows. */
import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import { Limiter } from '../../limits/limiter.ts';

/** Role that sees the rows of one organization (see row-security.ts). */
export const apiRole = 'parley_api';
/** Role that sees the rows of all organizations, for the queries of acrossOrganizations(). */
export const everyOrganizationRole = 'parley_api_across';
const everyOrganization = '*';

const scope = new AsyncLocalStorage<string>();

/** Within `work`, queries of a scoped database see and change rows of this organization only. */
export function inOrganization<T>(organizationId: string, work: () => T): T {
  return scope.run(organizationId, work);
}

/**
 * Within `work`, queries see and change the rows of all organizations. For queries that belong to no single
 * organization, such as finding the organization of a token. Give the reason in a comment.
 */
export function acrossOrganizations<T>(work: () => T): T {
  return scope.run(everyOrganization, work);
}

const entered = new WeakMap<pg.ClientBase, string>();

const enter = {
  name: 'enter-organization',
  text: `select set_config('role', $1, false), set_config('parley.organization', $2, false)`,
};

/**
 * Sets the role and the organization of a connection at its checkout.
 * @throws Error outside of inOrganization() and acrossOrganizations()
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

/**
 * Maximum queries of an organization that wait while it uses its whole share, and their maximum wait. A query beyond
 * either limit fails with NoSlot. Chosen.
 */
const maxWait = { maxWaiting: 500, maxWaitMs: 5000 };

/** Limits how many connections of a pool one organization holds, so that its slow queries cannot block the others. */
export class ConnectionShares {
  readonly #limiter: Limiter;
  readonly #reached: (organization: string) => void;

  /** @param reached called when a query waits because its organization uses its whole share */
  constructor(perOrganization: number, reached: (organization: string) => void) {
    this.#limiter = new Limiter({ maxPerOwner: perOrganization, ...maxWait });
    this.#reached = reached;
  }

  /**
   * Takes a connection's slot for the current organization. Outside of inOrganization(), nothing is limited.
   * @returns a function that frees the slot
   * @throws NoSlot if too many queries of the organization wait, or no slot became free in time
   */
  async take(): Promise<() => void> {
    const organization = scope.getStore();
    if (organization === undefined || organization === everyOrganization) return () => undefined;
    const taken = this.#limiter.tryHold(organization);
    if (taken !== undefined) return taken;
    this.#reached(organization);
    return await this.#limiter.hold(organization);
  }
}

type Connected = Parameters<pg.Pool['connect']>[0];

/** A pool that enters the caller's scope at every checkout. */
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
      // The pool creates a new `release` for each checkout.
      const release = client.release.bind(client);
      client.release = (destroy) => {
        release(destroy);
        giveBack();
      };
    }
    return client;
  }
}
