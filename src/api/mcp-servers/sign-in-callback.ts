/**
 * Handles the redirect of an authorization server after a person allowed or denied access to an MCP server. Requires no
 * API token: `state` identifies the sign-in, and the browser must have the console session that began it.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { McpSignIns, SignedInPerson } from '../../app/mcp-servers/sign-in.ts';

/** Maximum characters of a parameter. A longer one counts as absent. Chosen: codes have fewer than 2,000. */
const maxChars = 4000;

/** @param signedIn finds the user of the browser's session, if any */
export function mcpSignInCallback(
  signIns: McpSignIns,
  consoleUrl: string,
  signedIn: (headers: IncomingHttpHeaders) => Promise<SignedInPerson | undefined>,
): RequestHandler {
  return async (request, response) => {
    const asked = new URL(request.originalUrl, 'http://localhost').searchParams;
    const [state, code, error, iss] = ['state', 'code', 'error', 'iss'].map((name) => {
      const [value, ...more] = asked.getAll(name);
      return more.length === 0 && value !== undefined && value.length <= maxChars ? value : undefined;
    });
    const server = z.uuid().safeParse(request.params['id']);
    const person = await signedIn(request.headers);
    const outcome = server.success
      ? await signIns.finish({
          serverId: server.data,
          state,
          code,
          error,
          iss,
          person,
          address: request.ip,
        })
      : 'expired';
    response.setHeader('Referrer-Policy', 'no-referrer');
    response.setHeader('Cache-Control', 'no-store');
    response.redirect(303, `${consoleUrl}/admin/tools?tab=mcp&sign_in=${outcome}`);
  };
}
