/** Creates an organization's administrator, for local mode and the command line. */
import type { Database } from '../postgres/database.ts';
import { administratorRole } from '../../contract/accounts/capabilities.ts';
import { createAuth } from './auth.ts';
import { createPerson, resetPassword } from './people.ts';

/**
 * Ensures that this email can sign in with this password, as an administrator of the organization.
 * @returns true if the account is new
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
