/**
 * Finds the current problem of a connected channel. The channel's state does not show such problems, because it records
 * only that the channel was connected once.
 */
import type { ChannelError } from '../../contract/whatsapp/channel.ts';
import type { WebhookFinding } from './webhook-settings.ts';

/** The outcome of a status request to the gateway, with the fields that `channelProblem` reads. */
export type SeenStatus =
  | {
      readonly outcome: 'ok';
      readonly connected: boolean;
      readonly status: string;
      readonly number: string | null;
      readonly lastDisconnectReason: string | null;
    }
  | {
      readonly outcome:
        'invalid_credentials' | 'rate_limited' | 'not_a_gateway' | 'blocked' | 'not_reachable';
    };

export type Seen = {
  readonly status: SeenStatus;
  readonly webhook: WebhookFinding;
  /** The phone number that was paired when the channel was connected; null if it is not known. */
  readonly connectedNumber: string | null;
  /**
   * True if messages have arrived since the webhook was first found wrong, for example through a relay. The webhook is
   * then not reported as a problem.
   */
  readonly arrives: boolean;
};

/**
 * Finds the problem of a connected channel.
 * @param at ISO time of the check, which becomes the problem's time
 * @returns the problem; if there are several, the first in the order of the checks; null if there is none
 */
export function channelProblem(seen: Seen, at: string): ChannelError | null {
  const { status, webhook, connectedNumber } = seen;
  if (status.outcome === 'invalid_credentials') {
    return {
      code: 'invalid_credentials',
      message: 'The gateway refused the instance token. Edit the channel.',
      at,
    };
  }
  if (status.outcome !== 'ok') {
    const message =
      'The gateway could not be reached: messages may not arrive. It is asked again every minute.';
    return { code: 'gateway_unreachable', message, at };
  }
  if (!status.connected) {
    const gone = /401|logged out/i.test(status.lastDisconnectReason ?? '');
    const what = gone
      ? "Scan the QR code in the gateway's dashboard again."
      : 'It may reconnect without your help.';
    return { code: 'session_down', message: `The WhatsApp session is ${status.status}. ${what}`, at };
  }
  const unheard = seen.arrives ? null : webhookProblem(webhook, at);
  if (unheard !== null) return unheard;
  if (status.number !== null && connectedNumber !== null && status.number !== connectedNumber) {
    const message = `The instance is paired with another phone now: ${status.number}.`;
    return { code: 'other_number', message, at };
  }
  return null;
}

/**
 * @returns the problem of a webhook with which no messages arrive; null if messages arrive, or if the webhook could
 * not be read
 */
export function webhookProblem(webhook: WebhookFinding, at: string): ChannelError | null {
  if (webhook.state !== 'wrong') return null;
  const message = `WhatsApp is connected, but messages will not arrive: ${webhook.why}.`;
  return { code: webhook.code, message, at };
}
