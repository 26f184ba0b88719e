/** Endpoints for MCP clients that ask a member for consent, and for the grants that result from a consent. */
import { recordAudit } from '../../../adapters/postgres/accounts/audit-log.ts';
import { inTransaction } from '../../../adapters/postgres/database.ts';
import { redirectUriMatches } from '@modelcontextprotocol/sdk/server/auth/handlers/authorize.js';
import { z } from 'zod';
import {
  deleteMcpGrant,
  findMcpClient,
  listMcpGrants,
  openMcpGrant,
} from '../../../adapters/postgres/accounts/mcp-grants.ts';
import { publicOrigin } from '../../../config.ts';
import { grantAnswer, grantForm, mcpClientView, mcpGrant } from '../../../contract/accounts/mcp-clients.ts';
import { invalidField, orNotFound, PublicError } from '../../../contract/errors.ts';
import { alsoForConsent, consentCapability } from '../../accounts/mcp-authentication.ts';
import { isResource, newSecret } from '../../accounts/mcp-oauth.ts';
import { mcpUrls } from '../../accounts/mcp-urls.ts';
import { defineEndpoint } from '../../endpoint.ts';

const params = z.object({ id: z.uuid() });

const consenting = { auth: 'session', capability: consentCapability, also: alsoForConsent } as const;

export const getMcpClient = defineEndpoint({
  ...consenting,
  request: 'GET /mcp-clients/{id}',
  params,
  answers: { 200: mcpClientView },
  handle: async ({ params: { id } }, { db }, respond) => {
    const client = orNotFound(await findMcpClient(db, id));
    return respond(200, { id: client.id, name: client.name, redirect_uris: client.redirect_uris });
  },
});

/**
 * Answers a client's request for consent. If the member consents, stores a grant for the member's organization. Returns
 * the client's URL to which the browser must go: with a code or, if the member refuses, the error `access_denied`.
 */
export const answerMcpClient = defineEndpoint({
  ...consenting,
  request: 'POST /mcp-grants',
  body: grantForm,
  answers: { 200: grantAnswer },
  handle: async ({ caller: person, body }, { db, config }, respond) => {
    const urls = mcpUrls(publicOrigin(config));
    if (body.organization_id !== person.organizationId)
      throw new PublicError('invalid_state', {
        sentence:
          'You have switched to another organization. Reload the page and check which organization it names.',
      });
    const client = orNotFound(await findMcpClient(db, body.client_id));
    if (!client.redirect_uris.some((one) => redirectUriMatches(body.redirect_uri, one)))
      throw invalidField('redirect_uri', 'is not registered for this client');
    if (body.resource !== undefined && !isResource(body.resource, urls))
      throw invalidField('resource', `must be ${urls.resource}`);
    const to = new URL(body.redirect_uri);
    if (body.state !== undefined) to.searchParams.set('state', body.state);
    to.searchParams.set('iss', urls.issuer);
    if (!body.allow) {
      to.searchParams.set('error', 'access_denied');
      return respond(200, { redirect_to: to.href });
    }
    const { secret, hash } = newSecret();
    await inTransaction(db, async (tx) => {
      await openMcpGrant(tx, {
        organizationId: person.organizationId,
        userId: person.userId,
        clientId: client.id,
        resource: urls.resource,
        redirectUri: body.redirect_uri,
        codeChallenge: body.code_challenge,
        codeHash: hash,
      });
      await recordAudit(tx, person, 'mcp_client_allowed', client.name);
    });
    to.searchParams.set('code', secret);
    return respond(200, { redirect_to: to.href });
  },
});

export const listGrants = defineEndpoint({
  auth: 'session',
  request: 'GET /mcp-grants',
  capability: 'tokens.view',
  answers: { 200: z.object({ data: z.array(mcpGrant) }) },
  handle: async ({ caller: { organizationId } }, { db }, respond) => {
    const rows = await listMcpGrants(db, organizationId);
    const data = rows.map((row) => ({
      ...row,
      created_at: row.created_at.toISOString(),
      last_used_at: row.last_used_at?.toISOString() ?? null,
    }));
    return respond(200, { data });
  },
});

export const deleteGrant = defineEndpoint({
  auth: 'session',
  request: 'DELETE /mcp-grants/{id}',
  capability: 'tokens.create',
  params,
  handle: async ({ caller: person, params: { id } }, { db }) => {
    await inTransaction(db, async (tx) => {
      const name = orNotFound(await deleteMcpGrant(tx, id, person.organizationId));
      await recordAudit(tx, person, 'mcp_client_removed', name);
    });
  },
});
