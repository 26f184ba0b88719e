/** Endpoints that send a channel's test message ("hello") and report whether it has arrived. */
import { z } from 'zod';
import { findAgentsChannel, findChannelAgent } from '../../../app/whatsapp/find-channel-agent.ts';
import { checkHello, sendHello } from '../../../app/whatsapp/send-hello.ts';
import { orNotFound, PublicError } from '../../../contract/errors.ts';
import { channelHello, helloForm } from '../../../contract/whatsapp/channel-hello.ts';
import { defineEndpoint } from '../../endpoint.ts';

const shared = {
  auth: 'token',
  scope: 'channels.manage',
  agents: 'agent',
  tag: 'Channel',
  answers: { 200: channelHello },
} as const;
const agentId = z.uuid().describe("Identifier of the channel's agent");

export const sendChannelHello = defineEndpoint({
  ...shared,
  request: 'POST /agents/{id}/channel/hello',
  params: z.object({ id: agentId }),
  summary: 'Send a test message to a phone',
  description:
    'Sends one WhatsApp message now, through a connected channel, and waits until the gateway has accepted or refused it. It is sent at most once, whatever happens; a channel sends at most 10 within an hour. Then read it until its status is arrived.',
  body: helloForm,
  errors: ['invalid_state', 'idempotency_conflict'],
  handle: async ({ params, body, caller }, deps, respond) => {
    const { channel, name: agentName } = await findChannelAgent(deps, caller.organizationId, params.id);
    if (channel === undefined) throw new PublicError('invalid_state');
    const hello = { requestId: body.request_id, to: body.to, agentName };
    return respond(200, await sendHello(deps, channel, hello, caller));
  },
});

export const getChannelHello = defineEndpoint({
  ...shared,
  request: 'GET /agents/{id}/channel/hello/{requestId}',
  params: z.object({ id: agentId, requestId: z.uuid().describe('The request_id of the call that sent it') }),
  summary: 'Read whether a test message has arrived',
  description:
    'If its arrival is not confirmed, also asks the gateway, at most once in 3 seconds. A hello is kept for a day.',
  errors: ['invalid_state'],
  handle: async ({ params, caller: { organizationId } }, deps, respond) => {
    const channel = await findAgentsChannel(deps, organizationId, params.id);
    return respond(200, orNotFound(await checkHello(deps, channel, params.requestId)));
  },
});
