/** Authenticates MCP calls: by an API token, or by an access token that a client got with a member's consent. */
import type { Database } from '../../adapters/postgres/database.ts';
import { findMcpAccess } from '../../adapters/postgres/accounts/mcp-grants.ts';
import { membershipsOf } from '../../adapters/postgres/accounts/members.ts';
import { forAccounts } from '../../adapters/postgres/organization-scope.ts';
import { hashToken } from '../../adapters/postgres/accounts/tokens.ts';
import type { Capability } from '../../contract/accounts/capabilities.ts';
import { capabilityOfScope, type TokenScope } from '../../contract/accounts/token-scopes.ts';
import { PublicError } from '../../contract/errors.ts';
import { KnownCallers, type TokenOwner } from '../admit.ts';

/**
 * Scope of the access tokens that MCP clients get when a member consents. To consent, the member needs the same
 * capabilities as to create an API token with this scope.
 */
const consentScope = 'tools.run' satisfies TokenScope;
export const consentCapability: Capability = 'tokens.create';
export const alsoForConsent = capabilityOfScope[consentScope];

/** True if a member with these capabilities may let an MCP client run the document actions. */
function mayConsent(capabilities: readonly Capability[]): boolean {
  return capabilities.includes(consentCapability) && capabilities.includes(alsoForConsent);
}

interface Tokens {
  authenticate: (header: string | undefined) => Promise<TokenOwner>;
}

/** @param resource the audience that access tokens must have; API tokens have no audience */
export function createMcpAuthentication(db: Database, tokens: Tokens, resource: string) {
  const known = new KnownCallers();
  return { authenticate };

  /**
   * Authenticates a call by an MCP access token or an API token.
   * @throws PublicError unauthorized if there is no valid token, or if the member who consented has left the
   * organization or lost a capability that consent requires
   */
  async function authenticate(header: string | undefined): Promise<TokenOwner> {
    const secret = /^Bearer +(mcp_[A-Za-z0-9_-]{43}) *$/i.exec(header ?? '')?.[1];
    if (secret === undefined) return await tokens.authenticate(header);
    const caller = await known.find(secret, () => lookUp(secret));
    if (caller === undefined) throw new PublicError('unauthorized');
    return caller;
  }

  async function lookUp(secret: string): Promise<TokenOwner | undefined> {
    const access = await findMcpAccess(db, hashToken(secret));
    if (access?.resource !== resource) return undefined;
    const { id: tokenId, organization_id: organizationId, user_id: userId } = access;
    // Finds the memberships in all organizations; only the one in the token's organization counts.
    const memberships = await forAccounts(() => membershipsOf(db, userId));
    const membership = memberships.find((one) => one.organizationId === organizationId);
    if (membership === undefined || !mayConsent(membership.capabilities)) return undefined;
    return { tokenId, organizationId, scopes: [consentScope], agentIds: null };
  }
}
