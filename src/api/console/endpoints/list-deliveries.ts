import { z } from 'zod';
import { listDeliveryViews } from '../../../adapters/postgres/conversations/delivery-views.ts';
import { deliveryView } from '../../../contract/conversations/timeline.ts';
import { deliveryStatus } from '../../../contract/conversations/conversations.ts';
import { pageOf, pageQuery } from '../../../contract/page.ts';
import { defineConsoleEndpoint } from '../console-endpoint.ts';

export const listDeliveries = defineConsoleEndpoint({
  method: 'get',
  path: '/deliveries',
  capability: 'deliveries.view',
  query: pageQuery.extend({ status: deliveryStatus.optional(), agent_id: z.uuid().optional() }),
  answers: { 200: pageOf(deliveryView) },
  handle: async ({ person, query }, { db }, respond) =>
    respond(200, await listDeliveryViews(db, person.organizationId, query)),
});
