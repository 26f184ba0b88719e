import type { Database } from '../../adapters/postgres/database.ts';
import { findAgent } from '../../adapters/postgres/conversations/agents.ts';
import type { ChannelRow } from '../../adapters/postgres/whatsapp/channels.ts';
import { orNotFound, PublicError } from '../../contract/errors.ts';
import type { ChannelSteps } from './channel-steps.ts';

/**
 * Finds an agent and, if it has one, its channel.
 * @throws PublicError not_found if the organization has no such agent
 */
export async function findChannelAgent(
  { db, channels }: { db: Database; channels: ChannelSteps },
  organizationId: string,
  agentId: string,
): Promise<{ id: string; name: string; organizationId: string; channel: ChannelRow | undefined }> {
  const agent = orNotFound(await findAgent(db, organizationId, agentId));
  return { id: agent.id, name: agent.name, organizationId, channel: await channels.find(agent.id) };
}

/**
 * Finds an agent's channel.
 * @throws PublicError not_found if the organization has no such agent; invalid_state if the agent has no channel
 */
export async function findAgentsChannel(
  deps: { db: Database; channels: ChannelSteps },
  organizationId: string,
  agentId: string,
): Promise<ChannelRow> {
  const { channel } = await findChannelAgent(deps, organizationId, agentId);
  if (channel === undefined) throw new PublicError('invalid_state');
  return channel;
}
