import { findAgent } from '../adapters/db/agents.ts';
import type { ChannelRow } from '../adapters/db/channels.ts';
import { PublicError } from '../contract/errors.ts';
import type { ApiDeps } from './deps.ts';

/** @throws PublicError not_found: no such agent in the caller's organization */
export async function findChannelAgent(
  { db, channels }: ApiDeps,
  organizationId: string,
  agentId: string,
): Promise<{ id: string; name: string; organizationId: string; channel: ChannelRow | undefined }> {
  const agent = await findAgent(db, organizationId, agentId);
  if (agent === undefined) throw new PublicError('not_found');
  return { id: agent.id, name: agent.name, organizationId, channel: await channels.find(agent.id) };
}
