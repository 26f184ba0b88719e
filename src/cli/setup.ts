/** Creates the first organization and administrator of a new installation. */
import { ensureAdministrator } from '../adapters/accounts/administrator.ts';
import { recordAudit, type Actor } from '../adapters/postgres/accounts/audit-log.ts';
import { idRow, inTransaction, rowOf, type Database } from '../adapters/postgres/database.ts';
import {
  createOrganization,
  organization,
  type Organization,
} from '../adapters/postgres/accounts/organizations.ts';

/**
 * Creates an organization if there is none, and an administrator of the oldest organization if there is no user. Never
 * changes existing rows, so it can run at every deployment.
 * @param actor the actor of the audit events
 * @returns the id of the oldest organization, the given email in lower case, and whether this call has created the
 * organization and the administrator
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
  return await inTransaction(db, async (tx) => {
    const known = await rowOf(
      organization,
      tx.knex<Organization>('organizations').orderBy('created_at').first(),
    );
    const { id, name } = known ?? (await createOrganization(tx, wanted.organization));
    if (known === undefined)
      await recordAudit(tx, { ...actor, organizationId: id }, 'organization_created', name);
    // If any user exists, no administrator is created, because somebody may have removed the administrator on purpose.
    const someone = await rowOf(idRow, tx.knex('console_users').first('id'));
    if (someone === undefined) {
      await ensureAdministrator(tx, id, { email, password: wanted.password });
      await recordAudit(tx, { ...actor, organizationId: id }, 'member_added', `${email} as Administrator`);
    }
    return {
      organization_id: id,
      email,
      organization_made: known === undefined,
      administrator_made: someone === undefined,
    };
  });
}
