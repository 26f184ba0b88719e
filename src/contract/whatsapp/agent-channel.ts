/** The state of an agent's channel, as the console's list of agents shows it. */
import { z } from 'zod';
import { channelError, channelState } from './channel.ts';

export const agentChannel = z.object({
  agent_id: z.uuid(),
  state: channelState,
  connected_number: z.string().nullable().describe('Digits with country code'),
  problem: channelError.shape.code.nullable().describe('Code of the current problem; null if there is none'),
});
export type AgentChannel = z.infer<typeof agentChannel>;

/** The response of `GET /channels`: the channels of all agents that have one. */
export const agentChannels = z.object({ data: z.array(agentChannel) });
