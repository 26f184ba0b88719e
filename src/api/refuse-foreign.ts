/** Prevents other sites from using a user's session: refuses calls that browsers mark as cross-origin. */
import type { Request, RequestHandler } from 'express';
import { PublicError } from '../contract/errors.ts';

/**
 * Creates a handler that refuses calls from pages of other sites: it throws PublicError forbidden.
 * @param origin the public origin, which differs from the Host header behind some proxies
 */
export function refuseForeign(origin: string): RequestHandler {
  return (request, _, next) => {
    if (isForeign(request, origin)) {
      throw new PublicError('forbidden', { sentence: 'The console accepts calls from its own pages only.' });
    }
    next();
  };
}

function isForeign(request: Request, origin: string): boolean {
  const from = request.get('origin');
  if (from !== undefined && from !== origin && !isOwnHost(from, request.get('host'))) return true;
  // Programs send no Sec-Fetch-Site, and have no session that another site could use. Over plain HTTP, browsers do not
  // send it either, so only the Origin is checked.
  const site = request.get('sec-fetch-site');
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

function isOwnHost(origin: string, host: string | undefined): boolean {
  return URL.canParse(origin) && new URL(origin).host === host?.toLowerCase();
}
