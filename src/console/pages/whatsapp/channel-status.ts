import type { AgentChannel } from '../../../contract/whatsapp/agent-channel.ts';
import { texts } from '../../messages.ts';

const t = texts.channel;
const colors = {
  not_connected: 'gray',
  awaiting_webhook: 'yellow',
  connected: 'green',
  inactive: 'gray',
} as const;

const problems: Readonly<Record<string, string>> = t.problems;

/**
 * Combines the state and the problem, so that a connected channel with a problem is not shown as healthy.
 * @param problem code of the channel's last error; null if it has none
 */
export function channelStatus(
  state: AgentChannel['state'],
  problem: string | null,
): { color: string; text: string } {
  if (state !== 'connected' || problem === null) return { color: colors[state], text: t.states[state] };
  return { color: 'orange', text: problems[problem] ?? t.problems.other };
}
