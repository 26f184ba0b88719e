/** Reads the state of each agent's channel, for the list of agents. */
import { agentChannel, type AgentChannel } from '../../../contract/whatsapp/agent-channel.ts';
import { queryRows, statement, type Database } from '../database.ts';

/** Maximum channels in the list. Chosen to be more than one organization is likely to connect. */
const maxChannels = 1000;

const states = statement('channel-states', agentChannel)`
  select c.agent_id, c.state, c.connected_number, c.last_error->>'code' as problem
    from agents a join channels c on c.agent_id = a.id
    where a.organization_id = $1 and a.deleted_at is null and c.state <> 'not_connected'
    order by c.agent_id limit ${maxChannels}`;

/** @returns at most `maxChannels` channels of the organization's agents, without those whose state is not_connected */
export async function listChannelStates(db: Database, organizationId: string): Promise<AgentChannel[]> {
  return await queryRows(db, states, [organizationId]);
}
