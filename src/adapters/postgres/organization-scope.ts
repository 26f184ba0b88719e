/** Sets the organization for which code runs, so that its queries cannot reach the rows of other organizations. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import pg from 'pg';
import { Limiter } from '../../limits/limiter.ts';

/** The database roles. Each comment says which rows the role sees; row-security.ts defines the privileges. */
export const databaseRoles = {
  /**
   * Runs the queries of inOrganization(). Sees the rows of one organization, but no password, session or second factor.
   */
  api: 'parley_api',
  /**
   * Runs the queries of acrossOrganizations(). Sees the rows of all organizations; of accounts, only the emails and the
   * encrypted second factors.
   */
  across: 'parley_api_across',
  /**
   * Runs the queries of forAccounts(). The only role that can read passwords and session tokens. It also sees the
   * organizations, and those columns of other tables that row-security.ts lists for it.
   */
  accounts: 'parley_accounts',
  /**
   * Runs the queries of workers. Sees the rows of all organizations; of accounts, only emails, memberships, expiry
   * times and encrypted second factors.
   */
  worker: 'parley_worker',
} as const;
export const apiRole = databaseRoles.api;

/** The rows that queries may reach: those of one organization, those of all organizations, or accounts. */
export type Scope =
  | { readonly kind: 'organization'; readonly organizationId: string }
  | { readonly kind: 'across' }
  | { readonly kind: 'accounts' };

/** The kinds of scope. The API has one login for each kind. */
export type ScopeKind = Scope['kind'];

const scope = new AsyncLocalStorage<Scope>();

/** Within `work`, queries of a scoped database see and change rows of this organization only. */
export function inOrganization<T>(organizationId: string, work: () => T): T {
  return scope.run({ kind: 'organization', organizationId }, work);
}

/**
 * Within `work`, queries reach the rows of all organizations, as far as the role `parley_api_across` may. Use it only
 * for queries that belong to no single organization, such as finding the organization of a token, and give the reason
 * in a comment.
 */
export function acrossOrganizations<T>(work: () => T): T {
  return scope.run({ kind: 'across' }, work);
}

/**
 * Within `work`, queries reach accounts: users, passwords, sessions, members, invitations and the audit events about
 * them.
 */
export function forAccounts<T>(work: () => T): T {
  return scope.run({ kind: 'accounts' }, work);
}

/** Returns the caller's scope. @throws Error outside of inOrganization(), acrossOrganizations() and forAccounts() */
export function currentScope(): Scope {
  const wanted = scope.getStore();
  if (wanted === undefined) {
    throw new Error(
      'This code reaches the database for no organization: call it in inOrganization(), acrossOrganizations() or forAccounts().',
    );
  }
  return wanted;
}

/** Prepares a connection for the current scope. Called whenever the connection is checked out of its pool. */
export type Enter = (client: pg.ClientBase) => Promise<void>;

const roleOf = {
  organization: databaseRoles.api,
  across: databaseRoles.across,
  accounts: databaseRoles.accounts,
};

/**
 * Sets the role and the organization, for a login that may assume each of the roles. Protects less than `enterSigned`:
 * an attacker who can change a query's text can also change the role.
 */
export const enterByRole: Enter = entering(async (client, wanted) => {
  await client.query({
    name: 'enter-organization',
    text: `select set_config('role', $1, false), set_config('parley.organization', $2, false)`,
    values: [roleOf[wanted.kind], organizationOf(wanted)],
  });
});

/**
 * Sets the signed organization, for the login `parley_api`. Because of the signature (see parley_organization.sql), a
 * query whose text an attacker has changed cannot reach another organization.
 * @param readKey reads the signing key in `scope_keys` with another login, because `parley_api` cannot read it
 */
export function enterSigned(readKey: () => Promise<Buffer>): Enter {
  return entering(async (client, wanted) => {
    const organization = organizationOf(wanted);
    const signed = `${organization}:${signatureOf(await readKey(), organization)}`;
    // Not a named statement: an attacker could prepare another statement under its name and so read the signature.
    await client.query(`select set_config('parley.organization', $1, false)`, [signed]);
  });
}

/** @returns the signature that the SQL function parley_organization() expects after an organization's id and a colon */
export function signatureOf(key: Buffer, organization: string): string {
  const hash = (text: Buffer | string) => createHash('sha256').update(key).update(text).digest();
  return hash(hash(organization)).toString('hex');
}

/** @returns the organization's id, for the setting parley.organization; an empty string in the other kinds of scope */
function organizationOf(wanted: Scope): string {
  return wanted.kind === 'organization' ? wanted.organizationId : '';
}

function entering(enter: (client: pg.ClientBase, scope: Scope) => Promise<void>): Enter {
  const entered = new WeakMap<pg.ClientBase, string>();
  return async (client) => {
    const wanted = currentScope();
    const name = `${wanted.kind} ${organizationOf(wanted)}`;
    if (entered.get(client) === name) return;
    entered.delete(client);
    await enter(client, wanted);
    entered.set(client, name);
  };
}

/**
 * Limits for an organization that uses its whole share of a pool: how many of its queries may wait, and for how many
 * milliseconds each. A query beyond either limit fails with NoSlot. Chosen.
 */
const maxWait = { maxWaiting: 500, maxWaitMs: 5000 };

/** Limits how many connections of a pool one organization uses, so that its slow queries cannot block the others. */
export class ConnectionShares {
  readonly #limiter: Limiter;
  readonly #reached: (organization: string) => void;

  /** @param reached called whenever a query of an organization waits or fails because its whole share is in use */
  constructor(perOrganization: number, reached: (organization: string) => void) {
    this.#limiter = new Limiter({ maxPerOwner: perOrganization, ...maxWait });
    this.#reached = reached;
  }

  /**
   * Takes the slot of one connection for the current organization. Limits nothing outside of inOrganization().
   * @returns a function that frees the slot
   * @throws NoSlot if too many queries of the organization wait, or no slot became free in time
   */
  async take(): Promise<() => void> {
    const wanted = scope.getStore();
    if (wanted?.kind !== 'organization') return () => undefined;
    const { organizationId } = wanted;
    const taken = this.#limiter.tryHold(organizationId);
    if (taken !== undefined) return taken;
    this.#reached(organizationId);
    return await this.#limiter.hold(organizationId);
  }
}

type Connected = Parameters<pg.Pool['connect']>[0];

/** A pool that enters the caller's scope at every checkout. */
export class ScopedPool extends pg.Pool {
  shares: ConnectionShares | undefined;
  enter: Enter = enterByRole;

  /**
   * Takes a connection, and enters the caller's scope on it.
   * @throws NoSlot under the conditions of `ConnectionShares.take`; the errors of the pool and of `enter`
   */
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
      // The pool sets a new `release` at each checkout, so a client never has more than one of these wrappers.
      const release = client.release.bind(client);
      client.release = (destroy) => {
        release(destroy);
        giveBack();
      };
    }
    return client;
  }
}
