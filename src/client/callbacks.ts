import type { webhooks } from './api.ts';

type PayloadOf<E extends keyof webhooks> = webhooks[E]['post']['requestBody']['content']['application/json'];

/** Callback with an agent's message: an answer, a message before a transfer, or a follow-up. */
export type MessageCompleted = PayloadOf<'message.completed'>;
/** Callback for a run that has failed permanently. */
export type MessageError = PayloadOf<'message.error'>;
/** Callback for a tool call that waits for a person's approval. */
export type ApprovalRequested = PayloadOf<'approval.requested'>;
/** The body of a request to `webhook_url` or to a webhook endpoint. */
export type CallbackPayload = MessageCompleted | MessageError | ApprovalRequested;
/** The body of a request to a channel's `alert_url`. */
export type AlertPayload = PayloadOf<'channel.session_down' | 'channel.timelocked' | 'conversation.waiting'>;

/**
 * Parses the body of a request to `webhook_url`. This does not prove who sent the request. To prove it, register the
 * receiver as a webhook endpoint and use `verifyCallback`, or put a secret into the path of `webhook_url`.
 * @returns the callback; undefined if the body is not a callback. The receiver should then answer 400.
 */
export function readCallback(body: string): CallbackPayload | undefined {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return undefined;
  }
  return isCallback(value) ? value : undefined;
}

function isCallback(value: unknown): value is CallbackPayload {
  if (typeof value !== 'object' || value === null) return false;
  const { event, conversation_id, message_id }: Record<string, unknown> = { ...value };
  if (typeof conversation_id !== 'string') return false;
  if (event === 'message.error') return true;
  if (event === 'approval.requested') return 'approval_id' in value && typeof value.approval_id === 'string';
  return event === 'message.completed' && (message_id === undefined || typeof message_id === 'string');
}

/**
 * Returns a key by which a receiver can recognize a repeated callback: the `message_id` of a `message.completed`, or
 * the `approval_id` of an `approval.requested`. If the callback has neither, the key combines its event, conversation
 * and timestamp.
 */
export function callbackKey(callback: CallbackPayload): string {
  if (callback.event === 'approval.requested') return callback.approval_id;
  const messageId = callback.event === 'message.completed' ? callback.message_id : undefined;
  return messageId ?? `${callback.event}/${callback.conversation_id}/${callback.timestamp}`;
}

/** A callback whose signature was verified. */
export interface VerifiedCallback {
  callback: CallbackPayload;
  /** Id of the delivery, from the header `webhook-id`. */
  id: string;
  /**
   * Id of the callback's first delivery, if this delivery is a resend. If the first delivery arrived, `callbackKey`
   * returns the same key for both.
   */
  resendOf?: string;
}

/** The headers of a request: those of a `Request`, or `request.headers` of Node's HTTP server. */
export type RequestHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Maximum difference, in seconds, between the time in a request and this machine's clock. The libraries of Standard
 * Webhooks have the same default.
 */
const defaultToleranceSeconds = 300;
/** Maximum characters of a signature header: enough for the signatures of about 100 secrets. Chosen. */
const maxSignatureChars = 5000;

/**
 * Verifies and parses a request to a webhook endpoint, according to Standard Webhooks.
 * @param body the received text, unchanged; parsing JSON and serializing it again may change it
 * @param secrets the endpoint's secret (`whsec_…`), or several, of which one must match
 * @param options.toleranceSeconds maximum difference between the request's time and this machine's clock; default 300
 * @returns the callback; undefined if a header is missing or malformed, no signature matches, the difference is too
 * large, or the body is not a callback. The receiver should then answer 400 and do nothing else.
 * @throws TypeError if a secret is not `whsec_` followed by base64
 */
export async function verifyCallback(
  body: string,
  headers: RequestHeaders,
  secrets: string | readonly string[],
  { toleranceSeconds = defaultToleranceSeconds }: { toleranceSeconds?: number } = {},
): Promise<VerifiedCallback | undefined> {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const given = headerOf(headers, 'webhook-signature');
  const keys = typeof secrets === 'string' ? [secrets] : secrets;
  const decoded = keys.map(keyOf);
  if (id === undefined || timestamp === undefined || given === undefined) return undefined;
  if (given.length > maxSignatureChars || !/^\d{1,12}$/.test(timestamp)) return undefined;
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceSeconds) return undefined;
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  const signatures = given.split(' ').flatMap((one) => signatureOf(one) ?? []);
  if (!(await anyMatches(decoded, signatures, signed))) return undefined;
  const callback = readCallback(body);
  const resendOf = headerOf(headers, 'parley-resend-of');
  return callback && { callback, id, ...(resendOf !== undefined && { resendOf }) };
}

async function anyMatches(
  keys: readonly Bytes[],
  signatures: readonly Bytes[],
  signed: Bytes,
): Promise<boolean> {
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  for (const bytes of keys) {
    const key = await crypto.subtle.importKey('raw', bytes, hmac, false, ['verify']);
    for (const signature of signatures) {
      // `verify` compares in constant time, so that its duration reveals nothing about the right signature.
      if (await crypto.subtle.verify('HMAC', key, signature, signed)) return true;
    }
  }
  return false;
}

type Bytes = Uint8Array<ArrayBuffer>;

function headerOf(headers: RequestHeaders, name: string): string | undefined {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  return typeof value === 'string' ? value : undefined;
}

/** @returns the bytes of a signature of version 1 (`v1,` and base64); undefined for any other text */
function signatureOf(text: string): Bytes | undefined {
  return text.startsWith('v1,') ? bytesOf(text.slice('v1,'.length)) : undefined;
}

/** @throws TypeError if the secret is not one of a webhook endpoint */
function keyOf(secret: string): Bytes {
  const bytes = secret.startsWith('whsec_') ? bytesOf(secret.slice('whsec_'.length)) : undefined;
  if (bytes === undefined) throw new TypeError('A secret of a webhook endpoint begins with whsec_.');
  return bytes;
}

function bytesOf(base64: string): Bytes | undefined {
  try {
    return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
}
