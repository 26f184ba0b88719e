/** Creates an organization's administrator, for local mode and the command line. */
import type { Transaction } from '../postgres/database.ts';
import { administratorRole } from '../../contract/accounts/capabilities.ts';
import { createAuth } from './auth.ts';
import { createPerson, findAccount } from './people.ts';

/**
 * Makes the account with this email an administrator of the organization. Creates the account if there is none;
 * never changes the password of an existing account.
 * @returns true if the account is new
 */
export async function ensureAdministrator(
  tx: Transaction,
  organizationId: string,
  person: { email: string; password: string },
): Promise<boolean> {
  const auth = createAuth({
    pool: tx.pool,
    encryptionKey: undefined,
    origin: 'http://localhost',
    inTransaction: true,
  });
  const made = await createPerson(auth, { ...person, name: 'Administrator' });
  const userId = made?.userId ?? (await findAccount(auth, person.email));
  await tx
    .knex('console_members')
    .insert({ organization_id: organizationId, user_id: userId, role: administratorRole })
    .onConflict(['organization_id', 'user_id'])
    .merge(['role']);
  return made !== undefined;
}
