import {
  changeOrganization as change,
  findOrganization,
  type Organization,
} from '../../../adapters/postgres/accounts/organizations.ts';
import { changeOrganization as changeForm, organization } from '../../../contract/accounts/organization.ts';
import { PublicError } from '../../../contract/errors.ts';
import { defineEndpoint } from '../../endpoint.ts';

function view(row: Organization | undefined) {
  if (row === undefined) throw new PublicError('not_found');
  const { id, name, retention_days, created_at } = row;
  return { id, name, retention_days, created_at: created_at.toISOString() };
}

export const getOrganization = defineEndpoint({
  auth: 'token',
  scope: 'data.view',
  agents: 'organization',
  method: 'get',
  path: '/organization',
  tag: 'Organization',
  summary: 'Read your organization and its settings',
  description: 'The organization of the token.',
  answers: { 200: organization },
  handle: async ({ caller: { organizationId } }, { db }, respond) =>
    respond(200, view(await findOrganization(db, organizationId))),
});

export const changeOrganization = defineEndpoint({
  auth: 'token',
  scope: 'data.manage',
  agents: 'organization',
  method: 'patch',
  path: '/organization',
  tag: 'Organization',
  summary: "Change your organization's retention",
  description:
    'Absent fields stay as they are. A shorter retention starts erasing at once, and erased data cannot be restored. In the console this requires the capability to manage data.',
  body: changeForm,
  answers: { 200: organization },
  handle: async ({ body, caller }, { db }, respond) =>
    respond(200, view(await change(db, caller.organizationId, body, caller))),
});
