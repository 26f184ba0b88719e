import { countExpiring as count } from '../../../adapters/db/retention.ts';
import { expiring, expiringQuery } from '../../../contract/organization.ts';
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
