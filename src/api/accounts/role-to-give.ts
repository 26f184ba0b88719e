import { listRoles } from '../../adapters/postgres/accounts/members.ts';
import type { Role } from '../../contract/accounts/members.ts';
import { invalidField } from '../../contract/errors.ts';
import type { ApiDeps } from '../deps.ts';
import type { PersonCaller } from '../caller.ts';
import { demand } from './person.ts';

/**
 * Finds a role, and checks that the user may give it: nobody can give more capabilities than they have.
 * @throws PublicError validation_failed if the organization has no such role; forbidden if the user lacks one of its
 * capabilities
 */
export async function roleToGive({ db }: ApiDeps, person: PersonCaller, id: string): Promise<Role> {
  const role = (await listRoles(db, person.organizationId)).find((one) => one.id === id);
  if (role === undefined) throw invalidField('role_id', 'is not a role of this organization');
  for (const capability of role.capabilities) demand(person, capability);
  return role;
}
