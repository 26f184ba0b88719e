/** Where the workspace sends a person back to, after they allowed or denied the connection. Needs no token: the state is the proof. */
import type { RequestHandler } from 'express';
import { acrossOrganizations } from '../adapters/db/organization-scope.ts';
import type { ToolConnections } from './tool-connections.ts';

const maxLength = 2000;

export function oauthCallback(connections: ToolConnections, consoleUrl: string): RequestHandler {
  return async (request, response) => {
    const asked = new URL(request.originalUrl, 'http://localhost').searchParams;
    const [state, code, error] = ['state', 'code', 'error'].map((name) =>
      asked.get(name)?.slice(0, maxLength),
    );
    // The organization is known by the state alone.
    const outcome = await acrossOrganizations(() => connections.finishOAuth({ state, code, error }));
    response.setHeader('Referrer-Policy', 'no-referrer');
    response.setHeader('Cache-Control', 'no-store');
    response.redirect(303, `${consoleUrl}/admin/tools?connection=${outcome}`);
  };
}
