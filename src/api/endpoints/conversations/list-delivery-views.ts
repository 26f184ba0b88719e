import { z } from 'zod';
import { listDeliveryViews as findDeliveryViews } from '../../../adapters/postgres/conversations/delivery-views.ts';
import { deliveryView } from '../../../contract/conversations/timeline.ts';
import { deliveryStatus } from '../../../contract/conversations/conversations.ts';
import { pageOf, pageQuery } from '../../../contract/page.ts';
import { defineEndpoint } from '../../endpoint.ts';

/** Deliveries for the console, with their agent and conversation. */
export const listDeliveryViews = defineEndpoint({
  auth: 'session',
  method: 'get',
  path: '/deliveries',
  capability: 'deliveries.view',
  query: pageQuery.extend({ status: deliveryStatus.optional(), agent_id: z.uuid().optional() }),
  answers: { 200: pageOf(deliveryView) },
  handle: async ({ caller: person, query }, { db }, respond) =>
    respond(200, await findDeliveryViews(db, person.organizationId, query)),
});
