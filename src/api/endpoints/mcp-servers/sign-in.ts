/**
 * The console's endpoint that begins a sign-in at an MCP server. The same console session must complete the sign-in.
 */
import { z } from 'zod';
import { findSession } from '../../../adapters/accounts/people.ts';
import { forAccounts } from '../../../adapters/postgres/organization-scope.ts';
import { PublicError } from '../../../contract/errors.ts';
import { signInAtMcpServer, startedMcpSignIn } from '../../../contract/mcp-servers/mcp-servers.ts';
import { defineEndpoint } from '../../endpoint.ts';

export const beginMcpSignIn = defineEndpoint({
  auth: 'session',
  capability: 'tools.manage',
  request: 'POST /tools/mcp/{id}/sign-in',
  params: z.object({ id: z.uuid() }),
  body: signInAtMcpServer,
  answers: { 200: startedMcpSignIn },
  handle: async ({ params, body, caller, visit }, { auth, mcpSignIns }, respond) => {
    const session = await forAccounts(() => findSession(auth, visit.headers));
    if (session === undefined) throw new PublicError('unauthorized', { sentence: 'Sign in first.' });
    return respond(200, await mcpSignIns.begin(caller, session.sessionId, params.id, body));
  },
});
