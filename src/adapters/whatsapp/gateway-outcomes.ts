/**
 * Determines the outcome of a call from the gateway's response. For a failed send, the body is read before the status,
 * because a status can have several causes.
 */
import type { GatewayAnswer } from './gateway-call.ts';
import { readError, readSentId } from './gateway-answers.ts';

/** The failure of a call that is not a send. It is returned, not thrown, because callers handle each kind. */
export type GatewayFailure =
  | { readonly outcome: 'invalid_credentials' }
  | { readonly outcome: 'rate_limited'; readonly retryAfterMs: number | null }
  /** A server answered, but its response is not a gateway's. */
  | { readonly outcome: 'not_a_gateway'; readonly status: number | null }
  /** The address rules refused the gateway's address, or it is http: although https: is required. */
  | { readonly outcome: 'blocked'; readonly reason: string }
  | { readonly outcome: 'not_reachable'; readonly reason: string };

export type SendOutcome =
  | { readonly outcome: 'sent'; readonly messageId: string | null }
  | { readonly outcome: 'invalid_credentials'; readonly detail: string }
  | { readonly outcome: 'session_down'; readonly detail: string }
  | { readonly outcome: 'rate_limited'; readonly retryAfterMs: number | null }
  /** WhatsApp forbids the number to start new chats until `untilMs` (epoch ms; null if the end is unknown). */
  | { readonly outcome: 'timelocked'; readonly untilMs: number | null; readonly detail: string }
  /** The gateway does not know the instance (404). */
  | { readonly outcome: 'no_instance'; readonly detail: string }
  /** The instance is being reset (409). */
  | { readonly outcome: 'busy'; readonly detail: string }
  /** The gateway refused the message, so a retry cannot succeed. */
  | { readonly outcome: 'refused'; readonly status: number; readonly detail: string }
  /** The gateway reports a failure; a retry may succeed. */
  | { readonly outcome: 'failed'; readonly status: number; readonly detail: string }
  /** No byte of the request was sent. */
  | { readonly outcome: 'not_reachable'; readonly reason: string }
  /** The message may have been sent: look it up by its `track_id` before any retry. */
  | { readonly outcome: 'unknown'; readonly reason: string };

/** Reasons that may be temporary. For all other reasons, the address is not allowed. */
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

/** Determines why a call that is not a send has failed. A 5xx status counts as `not_reachable`. */
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

/** Determines the outcome of a send. Returns `unknown` if the message may have been sent. */
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
  // The error page of a proxy does not show whether the gateway behind the proxy sent the message.
  if (answer.kind === 'unreadable' && (status < 300 || status >= 500)) {
    return { outcome: 'unknown', reason: `unreadable_${status}` };
  }
  return status >= 500 ? { outcome: 'failed', status, detail } : { outcome: 'refused', status, detail };
}
