import { z } from 'zod';
import { channel } from '../../../contract/whatsapp/channel.ts';
import { PublicError } from '../../../contract/errors.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { findChannelAgent } from '../../../app/whatsapp/find-channel-agent.ts';

export const disconnectChannel = defineEndpoint({
  auth: 'token',
  method: 'post',
  path: '/agents/{id}/channel/disconnect',
  tag: 'Channel',
  summary: 'Disconnect a channel',
  description:
    'The channel always becomes inactive; if the gateway refuses, last_error gives its reason. The gateway instance itself remains.',
  params: z.object({ id: z.uuid().describe('Identifier of the agent whose channel it is') }),
  answers: { 200: channel },
  errors: ['not_found', 'invalid_state'],
  handle: async ({ params, caller }, deps, respond) => {
    const { channel: row } = await findChannelAgent(deps, caller.organizationId, params.id);
    if (row === undefined) throw new PublicError('invalid_state');
    return respond(200, await deps.channels.take(row, { trigger: 'disconnect' }, caller));
  },
});
