/** Reads the state of each agent's channel, for the list of agents. */
import { agentChannel } from '../../../contract/whatsapp/agent-channel.ts';
import { statement } from '../database.ts';

/** Maximum channels in the list. Chosen to be more than one organization is likely to connect. */
const maxChannels = 1000;

/** @returns at most `maxChannels` channels of the organization's agents, without those whose state is not_connected */
export const listChannelStates = statement('channel-states', agentChannel).rows<[organizationId: string]>`
  select c.agent_id, c.state, c.connected_number, c.last_error->>'code' as problem
    from agents a join channels c on c.agent_id = a.id
    where a.organization_id = $1 and a.deleted_at is null and c.state <> 'not_connected'
    order by c.agent_id limit ${maxChannels}`;
