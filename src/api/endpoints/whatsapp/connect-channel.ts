import { z } from 'zod';
import { channel, channelConnectForm } from '../../../contract/whatsapp/channel.ts';
import { PublicError } from '../../../contract/errors.ts';
import { allowsTrigger } from '../../../domain/whatsapp/channel-state.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { findChannelAgent } from '../../../app/whatsapp/find-channel-agent.ts';

export const connectChannel = defineEndpoint({
  auth: 'token',
  method: 'put',
  path: '/agents/{id}/channel',
  tag: 'Channel',
  summary: 'Validate and continue: connect a gateway instance',
  description:
    "Asks the gateway for its status with these values. If that succeeds, stores them and returns the webhook's URL and set-up steps. A failed call changes nothing.",
  params: z.object({ id: z.uuid().describe('Identifier of the agent whose channel it is') }),
  body: channelConnectForm,
  answers: { 200: channel },
  errors: ['not_found', 'invalid_state', 'invalid_credentials', 'gateway_unreachable'],
  handle: async ({ params, body, caller }, deps, respond) => {
    const agent = await findChannelAgent(deps, caller.organizationId, params.id);
    if (agent.channel && !allowsTrigger(agent.channel.state, 'connect'))
      throw new PublicError('invalid_state');
    const baseUrl = deps.channels.baseUrl(body.base_url);
    const row = agent.channel ?? (await deps.channels.ensure(agent));
    const step = { trigger: 'connect', baseUrl, instanceToken: body.instance_token } as const;
    return respond(200, await deps.channels.take(row, step, caller));
  },
});
