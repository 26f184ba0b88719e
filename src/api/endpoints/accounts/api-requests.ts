import { listRequests as findRequests } from '../../../adapters/postgres/accounts/api-requests.ts';
import { apiRequestList, apiRequestsQuery } from '../../../contract/accounts/api-requests.ts';
import { defineEndpoint } from '../../endpoint.ts';

export const listRequests = defineEndpoint({
  auth: 'token',
  scope: 'requests.view',
  agents: 'organization',
  request: 'GET /requests',
  tag: 'Organization',
  summary: 'List the API requests of all tokens, newest first',
  description:
    'Contains no bodies, texts or addresses. A request is listed about a second after its response. Not every request is kept: of an organization, each API process keeps at most 20 errors and 20 other requests a second, and the newest 1,000 of each remain, for 7 days. A filter that matches nothing in your organization returns an empty list.',
  query: apiRequestsQuery,
  answers: { 200: apiRequestList },
  handle: async ({ query, caller }, { db }, respond) =>
    respond(200, await findRequests(db, caller.organizationId, query)),
});
