import { z } from 'zod';
import { channel } from '../../../contract/whatsapp/channel.ts';
import { PublicError } from '../../../contract/errors.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { findChannelAgent } from '../../../app/whatsapp/find-channel-agent.ts';

export const verifyChannel = defineEndpoint({
  auth: 'token',
  method: 'post',
  path: '/agents/{id}/channel/verify',
  tag: 'Channel',
  summary: "I've configured the webhook, and Check again",
  description:
    'Sets the state to connected if the session at the gateway is connected. Otherwise also returns 200: the state stays awaiting_webhook, and last_error gives the reason.',
  params: z.object({ id: z.uuid().describe('Identifier of the agent whose channel it is') }),
  answers: { 200: channel },
  errors: ['not_found', 'invalid_state', 'invalid_credentials', 'gateway_unreachable'],
  handle: async ({ params, caller }, deps, respond) => {
    const { channel: row } = await findChannelAgent(deps, caller.organizationId, params.id);
    if (row === undefined) throw new PublicError('invalid_state');
    return respond(200, await deps.channels.take(row, { trigger: 'verify' }, caller));
  },
});
