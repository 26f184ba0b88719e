/** The callers of the API and the console. `address` is their network address, for the audit log and for limits. */
import type { TokenScope } from '../contract/accounts/token-scopes.ts';
import type { Membership } from '../adapters/postgres/accounts/members.ts';

/** A program with an API token. */
export interface TokenCaller {
  kind: 'token';
  tokenId: string;
  organizationId: string;
  /** Null: every scope. */
  scopes: readonly TokenScope[] | null;
  /** The agents that it is bound to; null: every agent. */
  agentIds: readonly string[] | null;
  address: string | undefined;
}

/** A user who is signed in to the console, with the organization of their session. */
export interface PersonCaller extends Membership {
  kind: 'person';
  /** Token limits do not apply. */
  tokenId?: undefined;
  userId: string;
  name: string;
  email: string;
  organizations: { id: string; name: string }[];
  address: string | undefined;
}

/** An unauthenticated caller. */
export interface AnyoneCaller {
  kind: 'anyone';
  address: string | undefined;
}

export type KnownCaller = TokenCaller | PersonCaller;
export type Caller = KnownCaller | AnyoneCaller;
