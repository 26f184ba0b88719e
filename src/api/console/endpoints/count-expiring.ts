import { countExpiring as count } from '../../../adapters/postgres/data/retention.ts';
import { expiring, expiringQuery } from '../../../contract/accounts/organization.ts';
import { defineConsoleEndpoint } from '../console-endpoint.ts';

/** What a shorter retention would erase: asked before it is saved, since nothing brings it back. */
export const countExpiring = defineConsoleEndpoint({
  method: 'get',
  path: '/organization/expiring',
  capability: 'data.manage',
  query: expiringQuery,
  answers: { 200: expiring },
  handle: async ({ person, query }, { db }, respond) =>
    respond(200, await count(db, person.organizationId, query.days)),
});
