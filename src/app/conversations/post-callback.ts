/**
 * Posts one callback or alert: looks up and judges the address of its receiver; then claims the delivery; then posts
 * once.
 */
import {
  claimDelivery,
  finishDelivery,
  findDelivery,
  recordUnresolved,
  type DeliveryResult,
  type DeliveryView,
} from '../../adapters/postgres/conversations/deliveries.ts';
import type { Prepared, Sent } from '../../adapters/http/public-http.ts';
import { signatureHeaders } from '../../adapters/secrets/webhook-signature.ts';
import { buildCallback, endpointOf } from '../../domain/conversations/callback.ts';
import { JsonText, stringify } from '../../contract/text.ts';
import { inSpan } from '../../observability/spans.ts';
import { countCallback, measureCallback } from '../../observability/worker-metrics.ts';
import type { ActivityDeps } from '../deps.ts';
import { openSigningSecrets } from './signing-secrets.ts';
import { transient } from '../../worker/failures.ts';

const takenOver = 'a person has taken over this conversation';
const maxAnswerBytes = 64 * 1024;
/** Maximum UTF-16 code units of a receiver's response that are stored. Chosen. */
const maxRecordedChars = 5_000;
/**
 * Maximum milliseconds from the start of an attempt to its claim, and from its claim to its request. If an attempt
 * takes longer, for example because its process was paused, another attempt may have begun, so the late attempt sends
 * nothing. Before the claim, it throws a retryable failure; after the claim, it records the delivery as failed.
 * Chosen.
 */
const pausedBeforeClaimMs = 10_000;
const pausedBeforeSendMs = 5000;

export type DeliveryStatus = DeliveryResult['status'] | 'gone';

export type PostingDeps = Pick<
  ActivityDeps,
  'db' | 'http' | 'callbackTimeoutMs' | 'callbackLookupMs' | 'shares' | 'encryption'
>;

/**
 * Posts a callback or an alert, at most once over all calls. If its result is already recorded, only returns its
 * status.
 * @returns the final status; `gone` if the delivery was erased
 * @throws a retryable failure if another attempt may be in progress, the host name cannot be looked up now, this
 * attempt was paused for too long, or the organization uses all of its slots
 */
export async function postCallback(deps: PostingDeps, deliveryId: string): Promise<DeliveryStatus> {
  const startedAt = performance.now();
  const row = await findDelivery(deps.db, deliveryId);
  if (row === null) return 'gone';
  if (row.status === 'attempting') return await leftAttempting(deps, deliveryId, row.attempted_ms_ago ?? 0);
  if (row.status !== 'pending') return row.status;
  if (row.is_taken_over)
    return await finish(deps, deliveryId, 'pending', { status: 'blocked', error: takenOver });
  const prepared = await deps.http.prepare(row.url, row.organization_id);
  if (prepared.kind === 'unresolved' && prepared.reason !== 'not_found')
    return await lookUpLater(deps, deliveryId, prepared.reason);
  if (prepared.kind !== 'allowed') return await refuse(deps, deliveryId, prepared);
  const secrets = signingSecrets(deps, row);
  if (secrets === 'unreadable') return await failUnsigned(deps, deliveryId);
  const request = { id: deliveryId, body: bodyOf(row), secrets, resendOf: row.resend_of };
  if (performance.now() - startedAt > pausedBeforeClaimMs) {
    throw transient('Late', 'This attempt is over its time and sends nothing.');
  }
  return await deps.shares.use(row.organization_id, () => send(deps, prepared.target, request));
}

interface CallbackRequest {
  id: string;
  body: string;
  /**
   * Signing secrets of the webhook endpoint that receives the callback. The request has one signature for each. Empty
   * if the receiver is not a webhook endpoint.
   */
  secrets: readonly string[];
  /** Id of the delivery that this one sends again; null for a first delivery. */
  resendOf: string | null;
}

/**
 * Claims the delivery, sends its request once, and records the outcome.
 * @throws a retryable failure, before anything is sent, if another attempt has claimed the delivery; database errors
 */
async function send(
  deps: PostingDeps,
  target: Extract<Prepared, { kind: 'allowed' }>['target'],
  { id: deliveryId, body, secrets, resendOf }: CallbackRequest,
): Promise<DeliveryStatus> {
  const claiming = performance.now();
  if (!(await claimDelivery(deps.db, deliveryId, body, secrets.length > 0))) {
    throw transient(
      'ClaimedElsewhere',
      'Another attempt has claimed this callback; its outcome is read next.',
      500,
    );
  }
  if (performance.now() - claiming > pausedBeforeSendMs) {
    const error = 'the process was paused before it could post';
    return await finish(deps, deliveryId, 'attempting', { status: 'failed', error });
  }
  const attributes = { 'parley.delivery_id': deliveryId, 'http.request.method': 'POST' };
  return await inSpan('POST callback', { kind: 'CLIENT', attributes }, async (note) => {
    const sent = await deps.http.send(target, {
      method: 'POST',
      headers: callbackHeaders({ id: deliveryId, at: new Date(), body }, secrets, resendOf),
      body,
      // The timeout counts from the claim, because `leftAttempting` and recovery also count from the claim.
      timeoutMs: deps.callbackTimeoutMs - (performance.now() - claiming),
      maxBytes: maxAnswerBytes,
    });
    const result = resultOf(sent);
    note({ 'parley.outcome': result.status, 'http.response.status_code': result.httpStatus });
    return await finish(deps, deliveryId, 'attempting', result);
  });
}

/**
 * Records the result of a delivery, unless another attempt has recorded one.
 * @returns the status in `result`, even if it was not recorded
 */
async function finish(
  deps: PostingDeps,
  id: string,
  from: 'pending' | 'attempting',
  result: DeliveryResult,
): Promise<DeliveryStatus> {
  if (!(await finishDelivery(deps.db, id, from, result))) return result.status;
  countCallback({ outcome: result.status });
  if (result.durationMs !== undefined) measureCallback({}, result.durationMs / 1000);
  return result.status;
}

/**
 * Returns the headers of a callback: the content type, the headers of the signature if there are secrets, and
 * `parley-resend-of` if the delivery is a resend.
 * @param resendOf id of the delivery that is sent again
 */
export function callbackHeaders(
  message: { id: string; at: Date; body: string },
  secrets: readonly string[],
  resendOf: string | null = null,
): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    ...(secrets.length > 0 && signatureHeaders(message, secrets)),
    ...(resendOf !== null && { 'parley-resend-of': resendOf }),
  };
}

/**
 * Decrypts the secrets of the endpoint to which a callback goes: the current secret, then, during the overlap of a
 * rotation, the previous one.
 * @returns an empty list if the receiver is not an endpoint; `unreadable` if its current secret is lost, or if a secret
 * cannot be decrypted
 */
function signingSecrets(
  { encryption }: PostingDeps,
  { url, endpoints }: DeliveryView,
): readonly string[] | 'unreadable' {
  const endpoint = endpointOf(url, endpoints ?? []);
  return endpoint === undefined ? [] : openSigningSecrets(encryption, endpoint);
}

/**
 * Records as failed a callback that cannot be signed. It is not sent unsigned, because its receiver could not
 * distinguish it from a forged one.
 */
async function failUnsigned(deps: PostingDeps, id: string): Promise<DeliveryStatus> {
  const error =
    'not sent: the signing secret of this endpoint was lost. Rotate it, then send the callback again';
  return await finish(deps, id, 'pending', { status: 'failed', error });
}

function bodyOf(row: DeliveryView): string {
  if (row.body !== null) return row.body;
  const metadata = row.metadata === null ? undefined : new JsonText(row.metadata);
  return stringify(buildCallback(row, metadata, new Date()));
}

/**
 * Handles a callback that an earlier attempt has claimed and not ended. Until `callbackTimeoutMs` and a margin of 2 s
 * have passed since the claim, throws a retryable failure, because that attempt may be in progress. After that,
 * records the outcome as unknown if none is recorded yet.
 * @returns the recorded status; `gone` if the delivery was erased
 */
async function leftAttempting(
  deps: PostingDeps,
  id: string,
  attemptedMsAgo: number,
): Promise<DeliveryStatus> {
  const patienceMs = deps.callbackTimeoutMs + 2000;
  if (attemptedMsAgo < patienceMs) {
    throw transient(
      'Attempting',
      'An earlier attempt may still be in progress.',
      Math.min(2000, patienceMs - attemptedMsAgo + 50),
    );
  }
  await finish(deps, id, 'attempting', {
    status: 'unknown',
    error: 'The process ended while it was attempting this callback.',
  });
  const row = await findDelivery(deps.db, id);
  return row === null || row.status === 'pending' || row.status === 'attempting' ? 'gone' : row.status;
}

/**
 * Minimum and maximum milliseconds until the next look-up of a host name. Between these bounds, the delay is half the
 * time since the first failed look-up. Chosen.
 */
const retryMs = { min: 2000, max: 10_000 };

/**
 * Handles a host name that cannot be looked up now. Throws a retryable failure with a delay, so that the wait occupies
 * no activity slot of the worker. Once look-ups have failed for `callbackLookupMs`, records the delivery as failed
 * instead.
 */
async function lookUpLater(
  deps: PostingDeps,
  id: string,
  reason: 'unavailable' | 'timeout',
): Promise<DeliveryStatus> {
  const maxMs = deps.callbackLookupMs;
  const waits = `the name cannot be looked up now (${reason}); it is tried again for up to ${maxMs / 1000} s`;
  const forMs = await recordUnresolved(deps.db, id, waits);
  if (forMs === undefined || forMs < maxMs) {
    const delayMs = Math.min(Math.max(retryMs.min, (forMs ?? 0) / 2), retryMs.max);
    throw transient('NameUnresolved', `Before the callback is claimed, ${waits}.`, delayMs);
  }
  return await finish(deps, id, 'pending', { status: 'failed', error: 'the name could not be looked up' });
}

async function refuse(
  deps: PostingDeps,
  id: string,
  prepared: Exclude<Prepared, { kind: 'allowed' }>,
): Promise<DeliveryStatus> {
  const why = prepared.kind === 'blocked' ? prepared.reason : 'the name does not resolve';
  return await finish(deps, id, 'pending', { status: 'blocked', error: `blocked: ${why}` });
}

/**
 * Converts the outcome of a request to the result that is recorded: `delivered` for a status of 2xx, otherwise
 * `failed`.
 */
export function resultOf(sent: Sent): DeliveryResult {
  if (sent.outcome === 'failed') {
    return { status: 'failed', error: failures[sent.reason], durationMs: sent.durationMs };
  }
  const delivered = sent.status >= 200 && sent.status < 300;
  return {
    status: delivered ? 'delivered' : 'failed',
    httpStatus: sent.status,
    responseBody: recordedText(sent.body),
    durationMs: sent.durationMs,
    ...(!delivered && { error: `the receiver answered ${sent.status}` }),
  };
}

/**
 * Converts a receiver's response body to the text that is stored. Decodes it as UTF-8 with replacement characters,
 * removes NUL, which Postgres cannot store, and cuts the text to `maxChars` UTF-16 units without splitting a surrogate
 * pair.
 */
export function recordedText(body: Uint8Array, maxChars = maxRecordedChars): string {
  const text = new TextDecoder().decode(body).replaceAll('\0', '');
  const end = isHighSurrogate(text.charCodeAt(maxChars - 1)) ? maxChars - 1 : maxChars;
  return text.slice(0, end);
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

/**
 * The recorded error for each reason of a failed request. The texts are fixed, so that errors reveal nothing about this
 * server's network.
 */
const failures: Record<Extract<Sent, { outcome: 'failed' }>['reason'], string> = {
  timeout: 'no answer in time',
  aborted: 'the attempt was aborted',
  connection_refused: 'the connection was refused',
  connection_reset: 'the connection was lost',
  unreachable: 'the receiver could not be reached',
  tls: 'no trusted TLS connection could be made',
  protocol: 'the answer was not HTTP',
  dns: 'the name could not be looked up',
  no_such_name: 'the name does not resolve',
};

/**
 * Registers the callbacks that this process is posting. If a callback is slow, the activity that recorded the message
 * ends, and a separate activity waits for the same attempt, so that an operator can see that the callback is slow.
 */
export class Outbox {
  readonly #inProgress = new Map<string, Promise<DeliveryStatus>>();
  readonly #others = new Set<Promise<unknown>>();

  /**
   * Calls `begin` to post a delivery. If this process is already posting the delivery, waits for that attempt instead.
   * @returns the status of the delivery
   * @throws the error of the attempt
   */
  post(deliveryId: string, begin: () => Promise<DeliveryStatus>): Promise<DeliveryStatus> {
    const known = this.#inProgress.get(deliveryId);
    if (known !== undefined) return known;
    const posting = begin().finally(() => this.#inProgress.delete(deliveryId));
    this.#inProgress.set(deliveryId, posting);
    // Prevents an unhandled rejection if no caller waits any longer. Callers that still wait get the error
    // nevertheless.
    posting.catch(() => undefined);
    return posting;
  }

  /** Makes `drain` also wait for a send of another kind. The caller must handle the errors of the send. */
  track(sending: Promise<unknown>): void {
    this.#others.add(sending);
    const forget = () => this.#others.delete(sending);
    sending.then(forget, forget);
  }

  /** Waits until all sends in progress have ended, whatever their outcome. */
  async drain(): Promise<void> {
    await Promise.allSettled([...this.#inProgress.values(), ...this.#others]);
  }
}
