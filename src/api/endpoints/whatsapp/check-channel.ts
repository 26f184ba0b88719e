import { z } from 'zod';
import { channel } from '../../../contract/whatsapp/channel.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { findChannelAgent } from '../../../app/whatsapp/find-channel-agent.ts';

export const checkChannel = defineEndpoint({
  auth: 'token',
  method: 'post',
  path: '/agents/{id}/channel/check',
  tag: 'Channel',
  summary: 'Check a connected channel now',
  description:
    'Asks the gateway for its session and webhook. The state stays connected; last_error says why messages do not arrive, and is absent if they do. Parley runs the same check once a minute.',
  params: z.object({ id: z.uuid().describe('Identifier of the agent whose channel it is') }),
  answers: { 200: channel },
  errors: ['not_found', 'invalid_state'],
  handle: async ({ params, caller: { organizationId } }, deps, respond) => {
    const { channel: row } = await findChannelAgent(deps, organizationId, params.id);
    return respond(200, await deps.channels.check(row));
  },
});
