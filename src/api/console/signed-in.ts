/** Whose console session a browser has, outside of the console's own endpoints. */
import type { IncomingHttpHeaders } from 'node:http';
import { fromNodeHeaders } from 'better-auth/node';
import { createAuth } from '../../adapters/auth/auth.ts';
import { findSession } from '../../adapters/auth/people.ts';
import type { ApiDeps } from '../deps.ts';

export function signedIn({
  config,
  db,
}: Pick<ApiDeps, 'config' | 'db'>): (headers: IncomingHttpHeaders) => Promise<string | undefined> {
  const origin = new URL(config.PUBLIC_URL ?? `http://${config.HOST}:${config.PORT}`).origin;
  const auth = createAuth({ pool: db.pool, encryptionKey: config.ENCRYPTION_KEY, origin });
  return async (headers) => (await findSession(auth, fromNodeHeaders(headers)))?.userId;
}
