/** Finds the user and organization of a console call. No other code scopes a session. */
import { findSession } from '../../adapters/accounts/people.ts';
import type { Auth } from '../../adapters/accounts/auth.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import { membershipsOf } from '../../adapters/postgres/accounts/members.ts';
import type { Capability } from '../../contract/accounts/capabilities.ts';
import { PublicError } from '../../contract/errors.ts';
import type { PersonCaller } from '../caller.ts';
import type { Visit } from '../endpoint.ts';

/**
 * @returns the user, and the cookies of a renewed session; undefined if nobody is signed in, or the user no longer
 * belongs to any organization
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
  const { userId, name, email, cookies } = session;
  const organizations = memberships.map((one) => ({ id: one.organizationId, name: one.organizationName }));
  return { person: { kind: 'person', userId, name, email, organizations, address, ...active }, cookies };
}

/** @throws PublicError forbidden */
export function demand(person: PersonCaller, capability: Capability): void {
  if (!person.capabilities.includes(capability)) throw new PublicError('forbidden');
}
