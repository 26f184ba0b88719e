/** Finds the user of a console session outside the console's own endpoints. */
import type { IncomingHttpHeaders } from 'node:http';
import { fromNodeHeaders } from 'better-auth/node';
import { findSession } from '../../adapters/accounts/people.ts';
import { membershipsOf } from '../../adapters/postgres/accounts/members.ts';
import type { ApiDeps } from '../deps.ts';
import type { ToolsPerson } from '../../app/workspace/connect-workspace.ts';

/** Finds the signed-in user and the organizations whose tools they may manage now. */
export function signedIn({
  auth,
  db,
}: ApiDeps): (headers: IncomingHttpHeaders) => Promise<ToolsPerson | undefined> {
  return async (headers) => {
    const session = await findSession(auth, fromNodeHeaders(headers));
    if (session === undefined) return undefined;
    const memberships = await membershipsOf(db, session.userId);
    const managed = memberships.filter(({ capabilities }) => capabilities.includes('tools.manage'));
    return { userId: session.userId, managesToolsOf: managed.map(({ organizationId }) => organizationId) };
  };
}
