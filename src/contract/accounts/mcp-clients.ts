import { z } from 'zod';
import { timestamp } from '../page.ts';
import { text } from '../text.ts';

/**
 * A client, as the consent page shows it to a member. Anyone can register a client under any name, so only the redirect
 * URIs show who receives the authorization code.
 */
export const mcpClientView = z.object({
  id: z.uuid(),
  name: z.string(),
  redirect_uris: z.array(z.string()),
});
export type McpClientView = z.infer<typeof mcpClientView>;

/** Matches a PKCE challenge of the method S256: a SHA-256 hash in base64url without padding (RFC 7636). */
export const s256Challenge = /^[A-Za-z0-9_-]{43}$/;

export const grantForm = z.strictObject({
  client_id: z.uuid(),
  redirect_uri: text(2000),
  code_challenge: z.string().regex(s256Challenge, 'must be the S256 challenge of PKCE'),
  state: text(2000).optional(),
  resource: text(2000).optional(),
  organization_id: z.uuid().describe('The organization that the consent page showed'),
  allow: z.boolean(),
});

export const grantAnswer = z.object({
  redirect_to: z.string().describe("The client's address, with a code or an error"),
});
export type GrantAnswer = z.infer<typeof grantAnswer>;

export const mcpGrant = z.object({
  id: z.uuid(),
  client_name: z.string(),
  member_email: z.string(),
  created_at: timestamp,
  last_used_at: timestamp.nullable(),
});
export type McpGrant = z.infer<typeof mcpGrant>;
