/** Who makes a console call, and within which organization: the one place that scopes a session. */
import { findSession } from '../../adapters/accounts/people.ts';
import type { Auth } from '../../adapters/accounts/auth.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import { membershipsOf, type Membership } from '../../adapters/postgres/accounts/members.ts';
import type { Capability } from '../../contract/accounts/capabilities.ts';
import { PublicError } from '../../contract/errors.ts';

export interface Person extends Membership {
  userId: string;
  name: string;
  email: string;
  organizations: { id: string; name: string }[];
  /** Cookies of a session that was renewed. */
  cookies: string[];
}

/** @returns undefined when nobody is signed in, or who is signed in belongs to no organization any more */
export async function findPerson(auth: Auth, db: Database, headers: Headers): Promise<Person | undefined> {
  const session = await findSession(auth, headers);
  if (session === undefined) return undefined;
  const memberships = await membershipsOf(db, session.userId);
  const active =
    memberships.find(({ organizationId }) => organizationId === session.activeOrganizationId) ??
    memberships[0];
  if (active === undefined) return undefined;
  const { userId, name, email, cookies } = session;
  const organizations = memberships.map((one) => ({ id: one.organizationId, name: one.organizationName }));
  return { userId, name, email, cookies, organizations, ...active };
}

/** @throws PublicError forbidden */
export function demand(person: Person, capability: Capability): void {
  if (!person.capabilities.includes(capability)) throw new PublicError('forbidden');
}
