/** Prepares a new installation, so that somebody can sign in. */
import { ensureAdministrator } from '../adapters/accounts/administrator.ts';
import { recordAudit, type Actor } from '../adapters/postgres/accounts/audit-log.ts';
import { inTransaction, type Database } from '../adapters/postgres/database.ts';
import { createOrganization, type Organization } from '../adapters/postgres/accounts/organizations.ts';

/**
 * Creates the first organization if there is none, and its administrator if no user has that email. Never changes
 * existing rows, so it can run at every deployment.
 * @param actor who the audit log shows as the creator of the organization
 */
export async function setUp(
  db: Database,
  wanted: { organization: string; email: string; password: string },
  actor: Actor,
): Promise<{
  organization_id: string;
  email: string;
  organization_made: boolean;
  administrator_made: boolean;
}> {
  const email = wanted.email.toLowerCase();
  const known = await db.knex<Organization>('organizations').orderBy('created_at').first();
  const { id } =
    known ??
    (await inTransaction(db, async (tx) => {
      const made = await createOrganization(tx, wanted.organization);
      await recordAudit(tx, { ...actor, organizationId: made.id }, 'organization_created', made.name);
      return made;
    }));
  const someone = await db.knex<{ id: string; email: string }>('console_users').where({ email }).first('id');
  if (someone === undefined) await ensureAdministrator(db, id, { email, password: wanted.password });
  return {
    organization_id: id,
    email,
    organization_made: known === undefined,
    administrator_made: someone === undefined,
  };
}
