import { listDeliveries as findDeliveries } from '../../../adapters/postgres/conversations/deliveries.ts';
import { deliveriesQuery, delivery } from '../../../contract/conversations/conversations.ts';
import { pageOf } from '../../../contract/page.ts';
import { defineEndpoint } from '../../endpoint.ts';

export const listDeliveries = defineEndpoint({
  auth: 'token',
  method: 'get',
  path: '/deliveries',
  tag: 'Conversations',
  summary: 'List callbacks and their outcomes, newest first',
  description:
    'Each callback is attempted at most once. A failed, blocked or unknown callback is never sent again; read its message from the history.',
  query: deliveriesQuery,
  answers: { 200: pageOf(delivery) },
  handle: async ({ query, caller: { organizationId } }, { db }, respond) =>
    respond(200, await findDeliveries(db, organizationId, query)),
});
