/**
 * Handles the workspace's redirect after a user allowed or denied the connection. Requires no API token: `state`
 * identifies the pending connection. If a console user began it, the same user must be signed in.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { RequestHandler } from 'express';
import type { ToolConnections, ToolsPerson } from '../../app/workspace/connect-workspace.ts';

const maxLength = 2000;

/**
 * Creates the handler of the redirect. It redirects the browser to the console's tools page, with the outcome in the
 * query parameter `connection`.
 * @param signedIn finds the user of the browser's session; returns undefined if nobody is signed in
 */
export function oauthCallback(
  connections: ToolConnections,
  consoleUrl: string,
  signedIn: (headers: IncomingHttpHeaders) => Promise<ToolsPerson | undefined>,
): RequestHandler {
  return async (request, response) => {
    const asked = new URL(request.originalUrl, 'http://localhost').searchParams;
    const [state, code, error] = ['state', 'code', 'error'].map((name) =>
      asked.get(name)?.slice(0, maxLength),
    );
    const person = await signedIn(request.headers);
    const outcome = await connections.finishOAuth({ state, code, error, person, address: request.ip });
    response.setHeader('Referrer-Policy', 'no-referrer');
    response.setHeader('Cache-Control', 'no-store');
    response.redirect(303, `${consoleUrl}/admin/tools?connection=${outcome}`);
  };
}
