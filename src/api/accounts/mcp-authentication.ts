/** Who calls MCP: an API token's organization, or a member's whose consent the client has. */
import type { Database } from '../../adapters/postgres/database.ts';
import { findMcpAccess } from '../../adapters/postgres/accounts/mcp-grants.ts';
import { membershipsOf } from '../../adapters/postgres/accounts/members.ts';
import { acrossOrganizations } from '../../adapters/postgres/organization-scope.ts';
import { hashToken } from '../../adapters/secrets/token-secret.ts';
import type { Capability } from '../../contract/accounts/capabilities.ts';
import { PublicError } from '../../contract/errors.ts';
import { KnownCallers, type TokenOwner } from './known-callers.ts';

/** What a consent hands out is what an API token would: who may not make one may not consent. */
export const consentCapability: Capability = 'tokens.create';

interface Tokens {
  authenticate: (header: string | undefined) => Promise<TokenOwner>;
}

export class McpAuthentication {
  readonly #db: Database;
  readonly #tokens: Tokens;
  readonly #resource: string;
  readonly #known = new KnownCallers();

  /** @param resource the only audience whose tokens are taken */
  constructor(db: Database, tokens: Tokens, resource: string) {
    this.#db = db;
    this.#tokens = tokens;
    this.#resource = resource;
  }

  /** @throws PublicError unauthorized, also once the member is gone or has lost the capability */
  async authenticate(header: string | undefined): Promise<TokenOwner> {
    const secret = /^Bearer +(mcp_[A-Za-z0-9_-]{43}) *$/i.exec(header ?? '')?.[1];
    if (secret === undefined) return await this.#tokens.authenticate(header);
    const caller = await this.#known.find(secret, () => this.#lookUp(secret));
    if (caller === undefined) throw new PublicError('unauthorized');
    return caller;
  }

  async #lookUp(secret: string): Promise<TokenOwner | undefined> {
    const access = await findMcpAccess(this.#db, hashToken(secret));
    if (access?.resource !== this.#resource) return undefined;
    const { id: tokenId, organization_id: organizationId, user_id: userId } = access;
    // A person may belong to several organizations; the token is of one.
    const memberships = await acrossOrganizations(() => membershipsOf(this.#db, userId));
    const membership = memberships.find((one) => one.organizationId === organizationId);
    if (membership?.capabilities.includes(consentCapability) !== true) return undefined;
    return { tokenId, organizationId };
  }
}
