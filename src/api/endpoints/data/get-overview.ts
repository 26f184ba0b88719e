import { findOverview } from '../../../adapters/postgres/data/overview.ts';
import { overview, overviewQuery } from '../../../contract/data/overview.ts';
import { defineEndpoint } from '../../endpoint.ts';

export const getOverview = defineEndpoint({
  auth: 'session',
  method: 'get',
  path: '/overview',
  capability: 'member',
  query: overviewQuery,
  answers: { 200: overview },
  handle: async ({ caller: person, query }, { db }, respond) =>
    respond(200, await findOverview(db, person.organizationId, query.days)),
});
