import { z } from 'zod';
import { channel } from '../../../contract/whatsapp/channel.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { findChannelAgent } from '../../../app/whatsapp/find-channel-agent.ts';

export const moveChannel = defineEndpoint({
  auth: 'token',
  method: 'post',
  path: '/agents/{id}/channel/move',
  tag: 'Channel',
  summary: 'Move a number to this agent',
  description:
    "The other agents in shared_with become inactive, and their pending replies are blocked. The gateway is not called: its session continues for this agent. Set the gateway's webhook to this channel's URL as well.",
  params: z.object({ id: z.uuid().describe('Identifier of the agent that keeps the number') }),
  answers: { 200: channel },
  errors: ['not_found', 'invalid_state'],
  handle: async ({ params, caller }, deps, respond) => {
    const agent = await findChannelAgent(deps, caller.organizationId, params.id);
    return respond(200, await deps.channels.moveHere(agent.channel, agent.name, caller));
  },
});
