import { findAuditRetention } from '../../../adapters/postgres/accounts/audit-chain.ts';
import {
  changeOrganization as change,
  findOrganization,
  type Organization,
} from '../../../adapters/postgres/accounts/organizations.ts';
import type { Database } from '../../../adapters/postgres/database.ts';
import { changeOrganization as changeForm, organization } from '../../../contract/accounts/organization.ts';
import { PublicError } from '../../../contract/errors.ts';
import { defineEndpoint } from '../../endpoint.ts';

const shared = {
  auth: 'token',
  agents: 'organization',
  tag: 'Organization',
  answers: { 200: organization },
} as const;

/**
 * Returns the organization as the API shows it.
 * @throws PublicError not_found if there is no row, because the organization was deleted after the caller was
 * authenticated
 */
async function view(db: Database, row: Organization | undefined) {
  if (row === undefined) throw new PublicError('not_found');
  const { id, name, retention_days, created_at } = row;
  const audit_retention_days = await findAuditRetention(db, id);
  return { id, name, retention_days, audit_retention_days, created_at: created_at.toISOString() };
}

export const getOrganization = defineEndpoint({
  ...shared,
  scope: 'data.view',
  request: 'GET /organization',
  summary: 'Read your organization and its settings',
  description: 'The organization of the token.',
  handle: async ({ caller: { organizationId } }, { db }, respond) =>
    respond(200, await view(db, await findOrganization(db, organizationId))),
});

export const changeOrganization = defineEndpoint({
  ...shared,
  scope: 'data.manage',
  request: 'PATCH /organization',
  summary: "Change your organization's retention",
  description:
    'Absent fields stay as they are. A shorter retention starts erasing at once, and erased data cannot be restored. In the console this requires the capability to manage data.',
  body: changeForm,
  handle: async ({ body, caller }, { db }, respond) =>
    respond(200, await view(db, await change(db, caller.organizationId, body, caller))),
});
