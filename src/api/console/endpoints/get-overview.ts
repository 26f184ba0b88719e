import { findOverview } from '../../../adapters/postgres/data/overview.ts';
import { overview, overviewQuery } from '../../../contract/data/overview.ts';
import { defineConsoleEndpoint } from '../console-endpoint.ts';

export const getOverview = defineConsoleEndpoint({
  method: 'get',
  path: '/overview',
  capability: 'member',
  query: overviewQuery,
  answers: { 200: overview },
  handle: async ({ person, query }, { db }, respond) =>
    respond(200, await findOverview(db, person.organizationId, query.days)),
});
