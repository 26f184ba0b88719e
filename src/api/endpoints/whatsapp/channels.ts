/**
 * Endpoints for agents' WhatsApp channels: read, connect, edit, check and disconnect a channel, move a number to it,
 * and list its events.
 */
import { z } from 'zod';
import { recordAudit } from '../../../adapters/postgres/accounts/audit-log.ts';
import { inTransaction } from '../../../adapters/postgres/database.ts';
import { listChannelStates } from '../../../adapters/postgres/whatsapp/channel-states.ts';
import { changeChannelSettings } from '../../../adapters/postgres/whatsapp/channels.ts';
import { listGatewayEvents } from '../../../adapters/postgres/whatsapp/inbox.ts';
import { findAgentsChannel, findChannelAgent } from '../../../app/whatsapp/find-channel-agent.ts';
import { invalidField, PublicError } from '../../../contract/errors.ts';
import { pageOf, pageQuery } from '../../../contract/page.ts';
import { agentChannels } from '../../../contract/whatsapp/agent-channel.ts';
import {
  channel,
  channelConnectForm,
  channelEditForm,
  channelEvent,
  verifyQuery,
} from '../../../contract/whatsapp/channel.ts';
import { allowsTrigger } from '../../../domain/whatsapp/channel-state.ts';
import type { KnownCaller } from '../../caller.ts';
import { defineEndpoint } from '../../endpoint.ts';

const shared = {
  auth: 'token',
  scope: 'channels.manage',
  agents: 'agent',
  tag: 'Channel',
  params: z.object({ id: z.uuid().describe("Identifier of the channel's agent") }),
  answers: { 200: channel },
} as const;

/**
 * Checks that the caller may take a number over from other agents, if `takeOver` asks for that.
 * @throws PublicError forbidden for a token that is bound to agents, because the other agents may not be among them
 */
function mayTakeOver(caller: KnownCaller, takeOver: boolean | undefined): void {
  if (takeOver === true && caller.kind === 'token' && caller.agentIds !== null)
    throw new PublicError('forbidden', {
      sentence: 'A token that is bound to agents cannot take a number over from other agents.',
    });
}

/** Returns the state of each agent's channel to every member, as the list of agents shows it. */
export const listAgentChannels = defineEndpoint({
  auth: 'session',
  capability: 'member',
  request: 'GET /channels',
  answers: { 200: agentChannels },
  handle: async ({ caller }, { db }, respond) =>
    respond(200, { data: await listChannelStates(db, caller.organizationId) }),
});

export const getChannel = defineEndpoint({
  ...shared,
  request: 'GET /agents/{id}/channel',
  summary: "Read an agent's WhatsApp channel",
  description: 'Its state and the next set-up steps. An agent without a channel has the state not_connected.',
  handle: async ({ params, caller: { organizationId } }, deps, respond) => {
    const agent = await findChannelAgent(deps, organizationId, params.id);
    return respond(200, await deps.channels.view(agent.channel));
  },
});

export const connectChannel = defineEndpoint({
  ...shared,
  request: 'PUT /agents/{id}/channel',
  summary: 'Validate and continue: connect a gateway instance',
  description:
    "Asks the gateway for its status with these values. If that succeeds, stores them and returns the webhook's URL and set-up steps. If other agents are connected with the number, the call gets 409 number_in_use; with take_over, their channels become inactive. A failed call changes nothing.",
  body: channelConnectForm,
  errors: ['invalid_state', 'number_in_use', 'invalid_credentials', 'gateway_unreachable'],
  handle: async ({ params, body, caller }, deps, respond) => {
    mayTakeOver(caller, body.take_over);
    const agent = await findChannelAgent(deps, caller.organizationId, params.id);
    if (agent.channel && !allowsTrigger(agent.channel.state, 'connect'))
      throw new PublicError('invalid_state');
    const baseUrl = deps.channels.baseUrl(body.base_url);
    const row = agent.channel ?? (await deps.channels.ensure(agent));
    const values = { baseUrl, instanceToken: body.instance_token, takeOver: body.take_over };
    return respond(200, await deps.channels.take(row, { trigger: 'connect', ...values }, caller));
  },
});

export const editChannel = defineEndpoint({
  ...shared,
  request: 'PATCH /agents/{id}/channel',
  summary: 'Edit a connected channel',
  description:
    'New credentials are checked at the gateway first; if that fails, the previous ones stay. A changed base_url needs the token again. The webhook URL does not change.',
  body: channelEditForm,
  errors: ['invalid_state', 'number_in_use', 'invalid_credentials', 'gateway_unreachable'],
  handle: async ({ params, body, caller }, deps, respond) => {
    mayTakeOver(caller, body.take_over);
    const row = await findAgentsChannel(deps, caller.organizationId, params.id);
    if (!allowsTrigger(row.state, 'edit')) throw new PublicError('invalid_state');
    const { base_url, instance_token, take_over: takeOver, ...settings } = body;
    const baseUrl = base_url === undefined ? undefined : deps.channels.baseUrl(base_url);
    if (baseUrl !== undefined && baseUrl !== row.base_url && instance_token === undefined) {
      throw invalidField('instance_token', 'is needed again when base_url changes');
    }
    if (baseUrl !== undefined || instance_token !== undefined) {
      // Passes the base URL even if only the token changes. Otherwise, the token could be sent to the URL of a
      // concurrent edit.
      const step = { baseUrl: baseUrl ?? row.base_url ?? undefined, instanceToken: instance_token };
      await deps.channels.take(row, { trigger: 'edit', ...step, takeOver }, caller);
      await changeChannelSettings(deps.db, row.agent_id, settings);
    } else {
      await inTransaction(deps.db, async (tx) => {
        await changeChannelSettings(tx, row.agent_id, settings);
        await recordAudit(tx, caller, 'channel_edited', params.id);
      });
    }
    return respond(200, await deps.channels.view(await deps.channels.find(row.agent_id)));
  },
});

export const verifyChannel = defineEndpoint({
  ...shared,
  request: 'POST /agents/{id}/channel/verify',
  summary: "I've configured the webhook, and Check again",
  description:
    'Sets the state to connected if the session at the gateway is connected. Otherwise also returns 200: the state stays awaiting_webhook, and last_error gives the reason. If other agents are connected with the number, the call gets 409 number_in_use; with take_over, their channels become inactive.',
  query: verifyQuery,
  errors: ['invalid_state', 'number_in_use', 'invalid_credentials', 'gateway_unreachable'],
  handle: async ({ params, query, caller }, deps, respond) => {
    const takeOver = query.take_over === 'true';
    mayTakeOver(caller, takeOver);
    const row = await findAgentsChannel(deps, caller.organizationId, params.id);
    return respond(200, await deps.channels.take(row, { trigger: 'verify', takeOver }, caller));
  },
});

export const checkChannel = defineEndpoint({
  ...shared,
  request: 'POST /agents/{id}/channel/check',
  summary: 'Check a connected channel now',
  description:
    'Asks the gateway for its session and webhook, at most once in 5 seconds per channel; a call within that time returns the last result. The state stays connected; last_error says why messages do not arrive, and is absent if they do. Parley runs the same check once a minute.',
  errors: ['invalid_state'],
  handle: async ({ params, caller: { organizationId } }, deps, respond) => {
    const row = await findAgentsChannel(deps, organizationId, params.id);
    return respond(200, await deps.channels.check(row));
  },
});

export const moveChannel = defineEndpoint({
  ...shared,
  agents: 'organization',
  request: 'POST /agents/{id}/channel/move',
  params: z.object({ id: z.uuid().describe('Identifier of the agent that keeps the number') }),
  summary: 'Move a number to this agent',
  description:
    "The other agents in shared_with become inactive, and their pending replies are blocked. The gateway is not called: its session continues for this agent. Set the gateway's webhook to this channel's URL as well.",
  errors: ['invalid_state'],
  handle: async ({ params, caller }, deps, respond) => {
    const agent = await findChannelAgent(deps, caller.organizationId, params.id);
    return respond(200, await deps.channels.moveHere(agent.channel, caller));
  },
});

export const disconnectChannel = defineEndpoint({
  ...shared,
  request: 'POST /agents/{id}/channel/disconnect',
  summary: 'Disconnect a channel',
  description:
    'The channel always becomes inactive; if the gateway refuses, last_error gives its reason. The gateway instance itself remains.',
  errors: ['invalid_state'],
  handle: async ({ params, caller }, deps, respond) => {
    const row = await findAgentsChannel(deps, caller.organizationId, params.id);
    return respond(200, await deps.channels.take(row, { trigger: 'disconnect' }, caller));
  },
});

export const listChannelEvents = defineEndpoint({
  ...shared,
  request: 'GET /agents/{id}/channel/events',
  summary: "List the gateway's messages and why some were ignored, newest first",
  description:
    'One row for each message, however often the gateway delivered it. The texts are in the conversations.',
  query: pageQuery,
  answers: { 200: pageOf(channelEvent) },
  handle: async ({ params, query, caller: { organizationId } }, deps, respond) => {
    const agent = await findChannelAgent(deps, organizationId, params.id);
    return respond(200, await listGatewayEvents(deps.db, agent.id, query));
  },
});
