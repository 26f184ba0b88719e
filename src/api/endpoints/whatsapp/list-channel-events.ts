import { z } from 'zod';
import { listGatewayEvents } from '../../../adapters/postgres/whatsapp/inbox.ts';
import { channelEvent } from '../../../contract/whatsapp/channel.ts';
import { pageOf, pageQuery } from '../../../contract/page.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { findChannelAgent } from '../../../app/whatsapp/find-channel-agent.ts';

export const listChannelEvents = defineEndpoint({
  auth: 'token',
  method: 'get',
  path: '/agents/{id}/channel/events',
  tag: 'Channel',
  summary: "List the gateway's messages and why some were ignored, newest first",
  description:
    'One row for each message, however often the gateway delivered it. The texts are in the conversations.',
  params: z.object({ id: z.uuid().describe('Identifier of the agent whose channel it is') }),
  query: pageQuery,
  answers: { 200: pageOf(channelEvent) },
  errors: ['not_found'],
  handle: async ({ params, query, caller: { organizationId } }, deps, respond) => {
    const agent = await findChannelAgent(deps, organizationId, params.id);
    return respond(200, await listGatewayEvents(deps.db, agent.id, query));
  },
});
