/**
 * Converts the outcome of a channel check at the gateway to a result for the caller, and to the channel's next state
 * and error.
 */
import type { ChannelError, ChannelState } from '../../contract/whatsapp/channel.ts';
import type { SeenStatus } from './channel-health.ts';
import { nextChannelState, type ChannelTrigger, type GatewayCheck } from './channel-state.ts';

export type GatewayCheckAnswer = SeenStatus | { readonly outcome: 'disconnected' };

export type CheckResult =
  | { readonly result: 'done' }
  | { readonly result: 'not_connected'; readonly message: string }
  | { readonly result: 'invalid_credentials' }
  | { readonly result: 'gateway_unreachable'; readonly message: string }
  | { readonly result: 'blocked' };

export type ChannelDecision = {
  readonly state: ChannelState;
  readonly keepCredentials: boolean;
  readonly error: ChannelError | null;
};

/** The channel's error for each outcome of a failed check. */
const failures = {
  invalid_credentials: { code: 'invalid_credentials', message: 'The gateway refused the instance token.' },
  rate_limited: { code: 'gateway_busy', message: 'The gateway is busy. Try again in a minute.' },
  not_a_gateway: {
    code: 'not_a_gateway',
    message: 'There is no gateway at this address: check the base URL.',
  },
  blocked: { code: 'gateway_unreachable', message: 'This address may not be called.' },
  not_reachable: { code: 'gateway_unreachable', message: 'The gateway could not be reached. Try again.' },
} as const;

/**
 * Determines the result of the check for its caller.
 * @returns `done` for every disconnection, even if the gateway refused it. For other triggers: `invalid_credentials`,
 * `blocked` or `gateway_unreachable` if the gateway could not be used; `not_connected` if a `verify` found that the
 * WhatsApp session is not connected; otherwise `done`
 */
export function checkResult(trigger: ChannelTrigger, answer: GatewayCheckAnswer): CheckResult {
  // A disconnection always succeeds for the caller, because the channel becomes `inactive` even if the gateway fails.
  // The channel's last error shows such a failure.
  if (trigger === 'disconnect' || answer.outcome === 'disconnected') return { result: 'done' };
  if (answer.outcome === 'invalid_credentials' || answer.outcome === 'blocked')
    return { result: answer.outcome };
  if (answer.outcome !== 'ok')
    return { result: 'gateway_unreachable', message: failures[answer.outcome].message };
  return trigger === 'verify' && !answer.connected
    ? { result: 'not_connected', message: notConnected(answer) }
    : { result: 'done' };
}

/**
 * Decides the channel's next state and error.
 * @param at ISO time of the check
 * @returns the decision; undefined if the state does not allow the trigger
 */
export function decideChannel(
  state: ChannelState,
  trigger: ChannelTrigger,
  answer: GatewayCheckAnswer,
  at: string,
): ChannelDecision | undefined {
  const check: GatewayCheck = answer.outcome !== 'ok' ? 'failed' : answer.connected ? 'live' : 'reached';
  const next = nextChannelState(state, trigger, check);
  return next === null ? undefined : { ...next, error: errorOf(trigger, answer, at) };
}

function errorOf(trigger: ChannelTrigger, answer: GatewayCheckAnswer, at: string): ChannelError | null {
  if (answer.outcome === 'disconnected') return null;
  if (answer.outcome !== 'ok') return { ...failures[answer.outcome], at };
  return trigger === 'verify' && !answer.connected
    ? { code: 'not_connected', message: notConnected(answer), at }
    : null;
}

function notConnected(answer: { status: string; lastDisconnectReason: string | null }): string {
  const reason = answer.lastDisconnectReason === null ? '' : ` (${answer.lastDisconnectReason})`;
  return `The WhatsApp session is ${answer.status}${reason}. Scan the QR code in the gateway's dashboard, then check again.`;
}

/** Maximum agents whose names an error contains. Chosen. */
const maxNamed = 3;

/**
 * @returns the error message for a number that other agents use, with what the user can do
 * @param agents names of the agents that use it, at least one
 */
export function numberInUse(agents: readonly string[]): string {
  const named = agents.slice(0, maxNamed).map((name) => `"${name}"`);
  const more = agents.length > maxNamed ? ` and ${String(agents.length - maxNamed)} more` : '';
  const who = `${named.join(', ')}${more}`;
  const use = agents.length === 1 ? 'answers on this number' : 'answer on this number';
  const end = agents.length === 1 ? 'no longer answers' : 'no longer answer';
  return `${who} ${use}, and a number belongs to one agent. Connect another number, or take this one over: then ${who} ${end} on WhatsApp.`;
}
