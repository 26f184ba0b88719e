/**
 * The callers of the API and the console. `address` is the caller's network address, for the audit log and for limits;
 * undefined if it is unknown.
 */
import type { TokenScope } from '../contract/accounts/token-scopes.ts';
import type { Membership } from '../adapters/postgres/accounts/members.ts';

export interface TokenCaller {
  kind: 'token';
  tokenId: string;
  organizationId: string;
  /** Scopes of the token; null if it has every scope. */
  scopes: readonly TokenScope[] | null;
  /** Agents to which the token is bound; null if it may reach every agent. */
  agentIds: readonly string[] | null;
  address: string | undefined;
}

/** A user who is signed in to the console, as a member of the session's organization. */
export interface PersonCaller extends Membership {
  kind: 'person';
  userId: string;
  /** Id of the session. It is not the secret in the session's cookie. */
  sessionId: string;
  name: string;
  email: string;
  organizations: { id: string; name: string }[];
  address: string | undefined;
}

export interface AnyoneCaller {
  kind: 'anyone';
  address: string | undefined;
}

export type KnownCaller = TokenCaller | PersonCaller;
export type Caller = KnownCaller | AnyoneCaller;
