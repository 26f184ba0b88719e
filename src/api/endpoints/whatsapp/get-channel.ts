import { z } from 'zod';
import { channel } from '../../../contract/whatsapp/channel.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { findChannelAgent } from '../../../app/whatsapp/find-channel-agent.ts';

export const getChannel = defineEndpoint({
  auth: 'token',
  method: 'get',
  path: '/agents/{id}/channel',
  tag: 'Channel',
  summary: "Read an agent's WhatsApp channel",
  description: 'Its state and the next set-up steps. An agent without a channel has the state not_connected.',
  params: z.object({ id: z.uuid().describe('Identifier of the agent whose channel it is') }),
  answers: { 200: channel },
  errors: ['not_found'],
  handle: async ({ params, caller: { organizationId } }, deps, respond) => {
    const agent = await findChannelAgent(deps, organizationId, params.id);
    return respond(200, await deps.channels.view(agent.channel));
  },
});
