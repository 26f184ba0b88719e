/** What a gateway's answer means: the body is read before the status, since one status stands for several causes. */
import type { GatewayAnswer } from './gateway-call.ts';
import { readError, readSentId } from './gateway-answers.ts';

/** Why a call that asks or sets something gave no result. Nothing of it is worth an exception. */
export type GatewayFailure =
  | { readonly outcome: 'invalid_credentials' }
  | { readonly outcome: 'rate_limited'; readonly retryAfterMs: number | null }
  /** Something is there, and it is no gateway. */
  | { readonly outcome: 'not_a_gateway'; readonly status: number | null }
  /** The address rules forbid it, or plain http where https is required. */
  | { readonly outcome: 'blocked'; readonly reason: string }
  | { readonly outcome: 'not_reachable'; readonly reason: string };

export type SendOutcome =
  | { readonly outcome: 'sent'; readonly messageId: string | null }
  | { readonly outcome: 'invalid_credentials'; readonly detail: string }
  | { readonly outcome: 'session_down'; readonly detail: string }
  | { readonly outcome: 'rate_limited'; readonly retryAfterMs: number | null }
  /** New chats are forbidden to this number until then. */
  | { readonly outcome: 'timelocked'; readonly untilMs: number | null; readonly detail: string }
  /** No such instance at this address. */
  | { readonly outcome: 'no_instance'; readonly detail: string }
  /** The instance is being reset. */
  | { readonly outcome: 'busy'; readonly detail: string }
  /** This message will never be taken: a repeat changes nothing. */
  | { readonly outcome: 'refused'; readonly status: number; readonly detail: string }
  /** The gateway says that it failed; a repeat may work. */
  | { readonly outcome: 'failed'; readonly status: number; readonly detail: string }
  /** Not a byte left. */
  | { readonly outcome: 'not_reachable'; readonly reason: string }
  /** It may have been sent: ask by its mark before any repeat. */
  | { readonly outcome: 'unknown'; readonly reason: string };

/** Reasons that time may cure; every other one of the address rules is for good. */
const passing = [
  'not_found',
  'unavailable',
  'timeout',
  'aborted',
  'connection_refused',
  'connection_reset',
  'unreachable',
  'tls',
];

export function failureOf(answer: GatewayAnswer): GatewayFailure {
  switch (answer.kind) {
    case 'not_sent':
      return passing.includes(answer.reason)
        ? { outcome: 'not_reachable', reason: answer.reason }
        : { outcome: 'blocked', reason: answer.reason };
    case 'no_answer':
      return { outcome: 'not_reachable', reason: answer.reason };
    case 'json':
    case 'unreadable': {
      const { status } = answer;
      if (status === 401 || status === 403) return { outcome: 'invalid_credentials' };
      if (status === 429) return { outcome: 'rate_limited', retryAfterMs: answer.retryAfterMs };
      if (status >= 500) return { outcome: 'not_reachable', reason: `status_${status}` };
      return { outcome: 'not_a_gateway', status };
    }
  }
}

export function sendOutcomeOf(answer: GatewayAnswer): SendOutcome {
  if (answer.kind === 'not_sent') return { outcome: 'not_reachable', reason: answer.reason };
  if (answer.kind === 'no_answer') return { outcome: 'unknown', reason: answer.reason };
  const { status, retryAfterMs } = answer;
  if (answer.kind === 'json' && status >= 200 && status < 300) {
    return { outcome: 'sent', messageId: readSentId(answer.body) };
  }
  const { detail, timelocked, timelockUntilMs, saysSessionDown } = readError(
    answer.kind === 'json' ? answer.body : {},
  );
  if (timelocked) return { outcome: 'timelocked', untilMs: timelockUntilMs, detail };
  if (saysSessionDown && (status === 401 || status >= 500)) return { outcome: 'session_down', detail };
  if (status === 401 || status === 403) return { outcome: 'invalid_credentials', detail };
  if (status === 404) return { outcome: 'no_instance', detail };
  if (status === 409) return { outcome: 'busy', detail };
  if (status === 429) return { outcome: 'rate_limited', retryAfterMs };
  // A page of some proxy tells nothing about the gateway behind it: the send may have landed.
  if (answer.kind === 'unreadable' && (status < 300 || status >= 500)) {
    return { outcome: 'unknown', reason: `unreadable_${status}` };
  }
  return status >= 500 ? { outcome: 'failed', status, detail } : { outcome: 'refused', status, detail };
}
