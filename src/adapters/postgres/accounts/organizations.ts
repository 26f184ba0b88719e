import { v7 as newId } from 'uuid';
import { z } from 'zod';
import type { ChangeOrganization } from '../../../contract/accounts/organization.ts';
import { creditCaps } from '../../../contract/data/credit-caps.ts';
import type { OrganizationLimits } from '../../../contract/data/usage.ts';
import { settingsText } from '../../../domain/data/settings-text.ts';
import { recordAudit, type Actor } from './audit-log.ts';
import { withCapsColumn } from '../data/credit-caps.ts';
import { firstRow, firstRowOf, inTransaction, rowOf, rowsOf, statement, type Database } from '../database.ts';
import { isActiveToken } from './tokens.ts';

export const organization = z.object({
  id: z.string(),
  name: z.string(),
  /** Days after which runs and messages are deleted; null: never. */
  retention_days: z.number().nullable(),
  created_at: z.date(),
});
export type Organization = z.infer<typeof organization>;

/** Creates an organization and returns it. Names need not be unique, so each call creates another one. */
export async function createOrganization(db: Database, name: string): Promise<Organization> {
  return firstRow(
    await rowsOf(
      organization,
      db.knex<Organization>('organizations').insert({ id: newId(), name }).returning('*'),
    ),
  );
}

/** @returns all organizations of the installation, oldest first */
export async function listOrganizations(db: Database): Promise<Organization[]> {
  return await rowsOf(organization, db.knex<Organization>('organizations').select('*').orderBy('id'));
}

const countedRow = z.object({ id: z.string(), name: z.string(), members: z.number(), tokens: z.number() });

/** @returns all organizations of the installation with the numbers of their members and active tokens, oldest first */
export const countOrganizations = statement('count-organizations', countedRow).rows<[]>`
  select o.id, o.name,
      (select count(*) from console_members m where m.organization_id = o.id) as members,
      (select count(*) from api_tokens t where t.organization_id = o.id and ${isActiveToken}) as tokens
    from organizations o order by o.id`;

/**
 * Finds an organization.
 * @param id a UUID
 * @returns undefined if there is no such organization
 */
export async function findOrganization(db: Database, id: string): Promise<Organization | undefined> {
  return await rowOf(organization, db.knex<Organization>('organizations').where({ id }).first());
}

const settingsRow = z.object({
  retention_days: z.number().nullable(),
  monthly_credit_limit: z.number().nullable(),
  monthly_message_limit: z.number().nullable(),
  credit_caps: creditCaps.nullable(),
  storage_limit_megabytes: z.number().nullable(),
  default_model: z.string().nullable(),
});

/**
 * Reads an organization's settings, for the audit event of a change. Locks them until the transaction ends, so that no
 * other change comes between.
 */
export const lockSettings = statement('lock-settings', settingsRow).row<[organizationId: string]>`
  select retention_days, monthly_credit_limit, monthly_message_limit, credit_caps, storage_limit_megabytes, default_model
    from organizations where id = $1 for no key update`;

/**
 * Changes the given settings and writes an audit event, in one transaction. If no setting is given, only reads the
 * organization. Null removes a limit; for the storage limit, it restores the installation's default.
 * @returns the organization after the change; undefined if there is no such organization
 */
export async function changeOrganization(
  db: Database,
  id: string,
  set: ChangeOrganization & OrganizationLimits,
  actor: Actor,
): Promise<Organization | undefined> {
  if (Object.values(set).every((value) => value === undefined)) return await findOrganization(db, id);
  return await inTransaction(db, async (tx) => {
    const before = await lockSettings(tx, id);
    if (before === undefined) return undefined;
    const row = await firstRowOf(
      organization,
      tx.knex('organizations').where({ id }).update(withCapsColumn(set)).returning('*'),
    );
    const change = settingsText(before, set);
    await recordAudit(tx, { ...actor, organizationId: id }, 'organization_changed', change);
    return row;
  });
}
