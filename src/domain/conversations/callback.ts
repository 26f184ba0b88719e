/**
 * Builds the payload of a callback, normalizes the URLs of webhook endpoints, and finds the endpoint whose secret
 * signs a callback.
 */
import type { ApprovalRequested, Callback, RunErrorCode } from '../../contract/conversations/callback.ts';
import { unknownFailure } from './run-outcome.ts';

interface Shared {
  conversation_id: string;
  agent_id: string;
}

interface AnswerSource extends Shared {
  event: 'message.completed';
  message_id: string;
  response: string;
  /** `response` as JSON, if it fits the agent's output schema. */
  output?: Extract<Callback, { event: 'message.completed' }>['output'] | null;
  model: string | null;
  credits_used: number | null;
  responding_agent_name: string;
  pre_transfer: boolean;
  by_person: boolean;
  followup_attempt: number | null;
  attachments_processed: number;
}

interface ErrorSource extends Shared {
  event: 'message.error';
  error: string | null;
  error_code: RunErrorCode | null;
}

interface ApprovalSource extends Shared {
  event: 'approval.requested';
  approval: Omit<ApprovalRequested, 'event' | 'agent_id' | 'conversation_id' | 'metadata' | 'timestamp'>;
}

export type CallbackSource = AnswerSource | ErrorSource | ApprovalSource;

/**
 * Builds the payload of a callback. If a failed run has no recorded error, the payload has the error `unknownFailure`.
 * @param metadata the metadata of the caller's message, copied to the payload unchanged
 * @param now becomes the payload's `timestamp`
 */
export function buildCallback(
  source: CallbackSource,
  metadata: Extract<Callback, { event: 'message.error' }>['metadata'],
  now: Date,
): Callback | ApprovalRequested {
  const correlation = metadata === undefined ? {} : { metadata };
  const timestamp = now.toISOString();
  if (source.event === 'message.error') {
    return {
      event: 'message.error',
      agent_id: source.agent_id,
      conversation_id: source.conversation_id,
      error: source.error ?? unknownFailure,
      ...(source.error_code !== null && { code: source.error_code }),
      ...correlation,
      timestamp,
    };
  }
  if (source.event === 'approval.requested') {
    const { agent_id, conversation_id } = source;
    return { event: source.event, agent_id, conversation_id, ...source.approval, ...correlation, timestamp };
  }
  return {
    event: 'message.completed',
    agent_id: source.agent_id,
    success: true,
    conversation_id: source.conversation_id,
    message_id: source.message_id,
    response: source.response,
    ...(source.output != null && { output: source.output }),
    ...(source.model !== null && { model: source.model }),
    ...(source.credits_used !== null && { credits_used: source.credits_used }),
    attachments_processed: source.attachments_processed,
    responding_agent_name: source.responding_agent_name,
    ...correlation,
    timestamp,
    ...(source.pre_transfer && { pre_transfer: true as const }),
    ...(source.followup_attempt !== null && {
      followup: true as const,
      followup_attempt: source.followup_attempt,
    }),
    ...(source.by_person && { by_person: true as const }),
  };
}

/**
 * Maximum characters of a URL. A longer one is not parsed, because the URL parser takes quadratic time for a long
 * host, and counts as invalid. Chosen.
 */
const maxChars = 2048;

/**
 * Normalizes the URL that a user enters for an endpoint.
 * @returns the URL as the URL parser writes it, without a slash at the end; undefined if it is not an http or https
 * URL, is longer than `maxChars`, or has credentials, a query or a fragment
 */
export function endpointUrl(text: string): string | undefined {
  if (text.length > maxChars || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined;
  if (url.username !== '' || url.password !== '' || /[?#]/.test(url.href)) return undefined;
  return `${url.origin}${withoutLastSlash(url.pathname)}`;
}

/**
 * Finds the endpoint that covers a URL: the two have the same origin, and the endpoint's path is the URL's path or a
 * folder above it. If several endpoints cover the URL, returns the one with the longest path. Ignores the URL's query
 * and fragment.
 * @returns undefined if no endpoint covers the URL, or if the URL is invalid or longer than `maxChars`
 */
export function endpointOf<E extends { readonly url: string }>(
  text: string,
  endpoints: readonly E[],
): E | undefined {
  if (endpoints.length === 0 || text.length > maxChars || !URL.canParse(text)) return undefined;
  const { origin, pathname } = new URL(text);
  const place = `${origin}${withoutLastSlash(pathname)}/`;
  return endpoints
    .filter(({ url }) => place.startsWith(`${url}/`))
    .reduce<E | undefined>(
      (longest, one) => (longest !== undefined && longest.url.length >= one.url.length ? longest : one),
      undefined,
    );
}

const withoutLastSlash = (path: string): string => (path.endsWith('/') ? path.slice(0, -1) : path);
