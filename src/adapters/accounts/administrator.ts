/** The first person of an organization, made from outside the console. */
import type { Database } from '../postgres/database.ts';
import { administratorRole } from '../../contract/accounts/capabilities.ts';
import { createAuth } from './auth.ts';
import { createPerson, resetPassword } from './people.ts';

/**
 * Makes sure that this email signs in with this password, as an administrator of the organization.
 * @returns true when the account is new
 */
export async function ensureAdministrator(
  db: Database,
  organizationId: string,
  person: { email: string; password: string },
): Promise<boolean> {
  const auth = createAuth({ pool: db.pool, encryptionKey: undefined, origin: 'http://localhost' });
  const made = await createPerson(auth, { ...person, name: 'Administrator' });
  const userId = made?.userId ?? (await resetPassword(auth, person));
  await db
    .knex('console_members')
    .insert({ organization_id: organizationId, user_id: userId, role: administratorRole })
    .onConflict(['organization_id', 'user_id'])
    .merge(['role']);
  return made !== undefined;
}
