/** Sets the organization for which code runs, so that Postgres shows it no other organization's rows. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import pg from 'pg';
import { Limiter } from '../../limits/limiter.ts';

/** The roles of the database and what each is for; row-security.ts says what each may do. */
export const databaseRoles = {
  /**
   * For the queries of inOrganization(): sees the rows of one organization, and no password, session or second factor.
   */
  api: 'parley_api',
  /** For the queries of acrossOrganizations(): sees the rows of all organizations, and of accounts only their emails. */
  across: 'parley_api_across',
  /**
   * For the queries of forAccounts(): the only role that reads passwords and sessions; sees little of organizations.
   */
  accounts: 'parley_accounts',
  /** For workers: sees the rows of all organizations, and of accounts only their emails. */
  worker: 'parley_worker',
} as const;
export const apiRole = databaseRoles.api;

const everyOrganization = '*';
const accounts = '@';

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

/** Within `work`, queries see and change accounts: users, passwords, sessions, members, invitations and their audit. */
export function forAccounts<T>(work: () => T): T {
  return scope.run(accounts, work);
}

/** The logins of the API, one for each kind of scope. */
export type ScopeKind = 'organization' | 'across' | 'accounts';

/** @throws Error outside of inOrganization(), acrossOrganizations() and forAccounts() */
export function currentScope(): { kind: ScopeKind; organization: string } {
  const wanted = scope.getStore();
  if (wanted === undefined) {
    throw new Error(
      'This code reaches the database for no organization: call it in inOrganization(), acrossOrganizations() or forAccounts().',
    );
  }
  if (wanted === everyOrganization) return { kind: 'across', organization: '' };
  if (wanted === accounts) return { kind: 'accounts', organization: '' };
  return { kind: 'organization', organization: wanted };
}

/** Prepares a connection for the current scope, at its checkout. */
export type Enter = (client: pg.ClientBase) => Promise<void>;

const roleOf = {
  organization: databaseRoles.api,
  across: databaseRoles.across,
  accounts: databaseRoles.accounts,
};

/**
 * For a login that may change to each of the roles. Protects less than `enterSigned`: an attacker who changes a query's
 * text can change the role too.
 */
export const enterByRole: Enter = entering(async (client, { kind, organization }) => {
  await client.query({
    name: 'enter-organization',
    text: `select set_config('role', $1, false), set_config('parley.organization', $2, false)`,
    values: [roleOf[kind], organization],
  });
});

/**
 * For the login `parley_api`. Signs the organization (see parley_organization.sql), so that a query whose text an attacker
 * has changed cannot name another one.
 * @param readKey reads `scope_keys`, which this login cannot
 */
export function enterSigned(readKey: () => Promise<Buffer>): Enter {
  return entering(async (client, { organization }) => {
    const signed = `${organization}:${signatureOf(await readKey(), organization)}`;
    // Without a name, so that no statement prepared on this connection takes its place and reads the signature.
    await client.query(`select set_config('parley.organization', $1, false)`, [signed]);
  });
}

/** @returns the signature that the function parley_organization() expects after the organization's id */
export function signatureOf(key: Buffer, organization: string): string {
  const hash = (text: Buffer | string) => createHash('sha256').update(key).update(text).digest();
  return hash(hash(organization)).toString('hex');
}

function entering(
  enter: (client: pg.ClientBase, scope: { kind: ScopeKind; organization: string }) => Promise<void>,
): Enter {
  const entered = new WeakMap<pg.ClientBase, string>();
  return async (client) => {
    const wanted = currentScope();
    const name = `${wanted.kind} ${wanted.organization}`;
    if (entered.get(client) === name) return;
    entered.delete(client);
    await enter(client, wanted);
    entered.set(client, name);
  };
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
    if (organization === undefined || organization === everyOrganization || organization === accounts)
      return () => undefined;
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
  enter: Enter = enterByRole;

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
      await this.enter(client);
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
