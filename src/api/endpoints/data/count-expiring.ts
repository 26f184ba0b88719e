import { countExpiring as count } from '../../../adapters/postgres/data/retention.ts';
import { expiring, expiringQuery } from '../../../contract/accounts/organization.ts';
import { defineEndpoint } from '../../endpoint.ts';

/** Counts what a shorter retention would erase. Asked before saving, because erasure is permanent. */
export const countExpiring = defineEndpoint({
  auth: 'session',
  method: 'get',
  path: '/organization/expiring',
  capability: 'data.manage',
  query: expiringQuery,
  answers: { 200: expiring },
  handle: async ({ caller: person, query }, { db }, respond) =>
    respond(200, await count(db, person.organizationId, query.days)),
});
