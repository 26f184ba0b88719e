/** Makes one HTTP call to the WhatsApp gateway: checks the address, sends the token, and classifies the response. */
import { trimEndOf } from '../../domain/trim-end.ts';
import type { PublicHttp, Sending, Sent } from '../http/public-http.ts';

export type GatewayAccess = {
  /** The gateway's address, as `gatewayBaseUrl` returns it. */
  readonly baseUrl: string;
  readonly token: string;
  /** The organization whose limit of DNS look-ups applies. All calls without an organization share one limit. */
  readonly organizationId?: string;
};

export type GatewayAnswer =
  | {
      readonly kind: 'json';
      readonly status: number;
      readonly body: unknown;
      readonly retryAfterMs: number | null;
    }
  /** The response is a redirect, or its body is incomplete, too large, or not JSON. */
  | { readonly kind: 'unreadable'; readonly status: number; readonly retryAfterMs: number | null }
  /** No byte of the request was sent. */
  | { readonly kind: 'not_sent'; readonly reason: string }
  /** The request may have arrived, but no valid response was received. */
  | { readonly kind: 'no_answer'; readonly reason: string };

export type GatewayRequest = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
  /** Maximum total time, from look-up to last byte; by default `ordinaryMs`. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
};

const ordinaryMs = 20_000;
/** Maximum bytes of a response. A status may contain a QR code as a data URL; no other response is large. Chosen. */
const maxAnswerBytes = 1024 * 1024;

/**
 * Validates a gateway's address: https (http only for hosts that the operator allowed), without user info, query or
 * fragment. Makes no DNS look-up, because each call looks up the host and checks its addresses.
 * @returns `url`, the address without trailing slashes; or `problem`, an error message
 */
export function gatewayBaseUrl(
  http: Pick<PublicHttp, 'mayBeException'>,
  text: string,
): { url: string } | { problem: string } {
  const trimmed = text.trim();
  if (!URL.canParse(trimmed)) return { problem: 'Not an address: give it as https://host' };
  const url = new URL(trimmed);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && http.mayBeException(url.href)))
    return { problem: 'The address must begin with https://' };
  if (url.username !== '' || url.password !== '')
    return { problem: 'The address must hold no user name or password' };
  if (trimmed.includes('?') || trimmed.includes('#')) {
    return { problem: 'The address must hold no query and no fragment' };
  }
  return { url: `${url.origin}${trimEndOf(url.pathname, '/')}` };
}

/**
 * Makes one call and never retries it.
 * @returns a `GatewayAnswer` for every outcome: failures are returned, not thrown
 */
export async function callGateway(
  http: PublicHttp,
  access: GatewayAccess,
  request: GatewayRequest,
): Promise<GatewayAnswer> {
  const url = `${access.baseUrl}${request.path}`;
  if (!url.startsWith('https:') && !http.mayBeException(url))
    return { kind: 'not_sent', reason: 'not_https' };
  const prepared = await http.prepare(url, access.organizationId);
  if (prepared.kind !== 'allowed') return { kind: 'not_sent', reason: prepared.reason };
  if (prepared.target.url.protocol !== 'https:' && !prepared.target.isException) {
    return { kind: 'not_sent', reason: 'not_https' };
  }
  const sending: Sending = {
    method: request.method,
    headers: {
      token: access.token,
      accept: 'application/json',
      ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
    timeoutMs: request.timeoutMs ?? ordinaryMs,
    maxBytes: maxAnswerBytes,
    ...(request.signal === undefined ? {} : { signal: request.signal }),
  };
  return read(await http.send(prepared.target, sending), access.token);
}

function read(sent: Sent, token: string): GatewayAnswer {
  if (sent.outcome === 'failed') {
    return { kind: sent.sent ? 'no_answer' : 'not_sent', reason: sent.reason };
  }
  const { status } = sent;
  const retryAfterMs = retryAfter(sent.headers['retry-after']);
  // Redirects are never followed, because that could send the token to another origin.
  const redirected = status >= 300 && status < 400;
  const body =
    sent.bodyComplete && !redirected ? parsed(withoutToken(sent.body.toString('utf8'), token)) : undefined;
  return body === undefined
    ? { kind: 'unreadable', status, retryAfterMs }
    : { kind: 'json', status, body: body.value, retryAfterMs };
}

/**
 * Redacts the token, so that it cannot be stored or logged: a status response contains it, and an error text may
 * repeat it. Does not redact a token of fewer than 8 characters, because so short a text may also occur elsewhere.
 */
function withoutToken(text: string, token: string): string {
  return token.length < 8 ? text : text.replaceAll(token, '[token]');
}

function parsed(text: string): { value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return { value };
  } catch {
    return undefined;
  }
}

/**
 * Reads the header Retry-After, which contains seconds or a date.
 * @returns the milliseconds to wait; null if the header is missing or invalid, or its date has passed
 */
function retryAfter(header: string | undefined): number | null {
  if (header === undefined) return null;
  const ms = /^\d{1,6}$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) && ms >= 0 ? ms : null;
}
