import { recordAudit } from '../../../adapters/postgres/accounts/audit-log.ts';
import { inTransaction } from '../../../adapters/postgres/database.ts';
import { z } from 'zod';
import { changeChannelSettings } from '../../../adapters/postgres/whatsapp/channels.ts';
import { channel, channelEditForm } from '../../../contract/whatsapp/channel.ts';
import { invalidField, PublicError } from '../../../contract/errors.ts';
import { allowsTrigger } from '../../../domain/whatsapp/channel-state.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { findChannelAgent } from '../../../app/whatsapp/find-channel-agent.ts';

export const editChannel = defineEndpoint({
  auth: 'token',
  method: 'patch',
  path: '/agents/{id}/channel',
  tag: 'Channel',
  summary: 'Edit a connected channel',
  description:
    'New credentials are checked at the gateway first; if that fails, the previous ones stay. A changed base_url needs the token again. The webhook URL does not change.',
  params: z.object({ id: z.uuid().describe('Identifier of the agent whose channel it is') }),
  body: channelEditForm,
  answers: { 200: channel },
  errors: ['not_found', 'invalid_state', 'invalid_credentials', 'gateway_unreachable'],
  handle: async ({ params, body, caller }, deps, respond) => {
    const { channel: row } = await findChannelAgent(deps, caller.organizationId, params.id);
    if (row === undefined || !allowsTrigger(row.state, 'edit')) throw new PublicError('invalid_state');
    const { base_url, instance_token, ...settings } = body;
    const baseUrl = base_url === undefined ? undefined : deps.channels.baseUrl(base_url);
    if (baseUrl !== undefined && baseUrl !== row.base_url && instance_token === undefined) {
      throw invalidField('instance_token', 'is needed again when base_url changes');
    }
    if (baseUrl !== undefined || instance_token !== undefined) {
      await deps.channels.take(row, { trigger: 'edit', baseUrl, instanceToken: instance_token }, caller);
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
