/** Finds the user of a console session, and decides to which organization the user's call belongs. */
import type { IncomingHttpHeaders } from 'node:http';
import { fromNodeHeaders } from 'better-auth/node';
import { findSession } from '../../adapters/accounts/people.ts';
import type { Auth } from '../../adapters/accounts/auth.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import { membershipsOf } from '../../adapters/postgres/accounts/members.ts';
import { forAccounts } from '../../adapters/postgres/organization-scope.ts';
import type { Capability } from '../../contract/accounts/capabilities.ts';
import type { SignedInPerson } from '../../app/mcp-servers/sign-in.ts';
import { PublicError } from '../../contract/errors.ts';
import type { PersonCaller } from '../caller.ts';
import type { ApiDeps } from '../deps.ts';
import type { Visit } from '../endpoint.ts';

/**
 * Finds the signed-in user, as a member of the session's active organization. If there is none, or the user does not
 * belong to it, finds the user as a member of the user's first organization.
 * @returns the user, and cookies if the session was renewed; undefined if nobody is signed in, or the user belongs to
 * no organization
 */
export async function findPerson(
  auth: Auth,
  db: Database,
  { headers, address }: Visit,
): Promise<{ person: PersonCaller; cookies: string[] } | undefined> {
  const session = await findSession(auth, headers);
  if (session === undefined) return undefined;
  const memberships = await membershipsOf(db, session.userId);
  const active =
    memberships.find(({ organizationId }) => organizationId === session.activeOrganizationId) ??
    memberships[0];
  if (active === undefined) return undefined;
  const { sessionId, userId, name, email, cookies } = session;
  const organizations = memberships.map((one) => ({ id: one.organizationId, name: one.organizationName }));
  const person = {
    kind: 'person',
    userId,
    sessionId,
    name,
    email,
    organizations,
    address,
    ...active,
  } as const;
  return { person, cookies };
}

/**
 * @returns a function that finds the signed-in user, and the organizations in which the user has the capability
 * `tools.manage`; it returns undefined if nobody is signed in
 */
export function signedIn({
  auth,
  db,
}: ApiDeps): (headers: IncomingHttpHeaders) => Promise<SignedInPerson | undefined> {
  return async (headers) => {
    const session = await forAccounts(() => findSession(auth, fromNodeHeaders(headers)));
    if (session === undefined) return undefined;
    const memberships = await forAccounts(() => membershipsOf(db, session.userId));
    const managed = memberships.filter(({ capabilities }) => capabilities.includes('tools.manage'));
    const { sessionId, userId } = session;
    return { sessionId, userId, managesToolsOf: managed.map(({ organizationId }) => organizationId) };
  };
}

/** Checks that the user has the capability. @throws PublicError forbidden if not */
export function demand(person: PersonCaller, capability: Capability): void {
  if (!person.capabilities.includes(capability)) throw new PublicError('forbidden');
}
