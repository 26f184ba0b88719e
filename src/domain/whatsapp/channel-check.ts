/**
 * Decides the result of a channel check from the gateway's answer: the outcome, the next state, and the error on the
 * channel's card.
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

const sentences = {
  invalid_credentials: 'The gateway refused the instance token.',
  rate_limited: 'The gateway is busy. Try again in a minute.',
  not_a_gateway: 'There is no gateway at this address: check the base URL.',
  blocked: 'This address may not be called.',
  not_reachable: 'The gateway could not be reached. Try again.',
} as const;

/** Returns the result for the caller of the check. Disconnecting is always `done`. */
export function checkResult(trigger: ChannelTrigger, answer: GatewayCheckAnswer): CheckResult {
  // Disconnecting always leads to `inactive`; if the gateway refused, the card shows its error.
  if (trigger === 'disconnect') return { result: 'done' };
  switch (answer.outcome) {
    case 'ok':
      return trigger === 'verify' && !answer.connected
        ? { result: 'not_connected', message: notConnected(answer) }
        : { result: 'done' };
    case 'disconnected':
      return { result: 'done' };
    case 'invalid_credentials':
    case 'blocked':
      return { result: answer.outcome };
    case 'rate_limited':
    case 'not_a_gateway':
    case 'not_reachable':
      return { result: 'gateway_unreachable', message: sentences[answer.outcome] };
  }
}

/**
 * Decides the channel's next state and error.
 * @param at ISO time of the check
 * @returns undefined if the state does not allow the trigger
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
  switch (answer.outcome) {
    case 'disconnected':
      return null;
    case 'ok':
      return trigger === 'verify' && !answer.connected
        ? { code: 'not_connected', message: notConnected(answer), at }
        : null;
    case 'invalid_credentials':
      return { code: 'invalid_credentials', message: sentences.invalid_credentials, at };
    case 'rate_limited':
      return { code: 'gateway_busy', message: sentences.rate_limited, at };
    case 'not_a_gateway':
      return { code: 'not_a_gateway', message: sentences.not_a_gateway, at };
    case 'blocked':
    case 'not_reachable':
      return { code: 'gateway_unreachable', message: sentences[answer.outcome], at };
  }
}

function notConnected(answer: { status: string; lastDisconnectReason: string | null }): string {
  const reason = answer.lastDisconnectReason === null ? '' : ` (${answer.lastDisconnectReason})`;
  return `The WhatsApp session is ${answer.status}${reason}. Scan the QR code in the gateway's dashboard, then check again.`;
}
