/**
 * Creates a `fetch` with which libraries call servers that an organization names. The `fetch` uses the client for
 * supplied URLs. It therefore calls a private address only if the operator allows the address, follows no redirect, and
 * limits the size and the time of each response.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { BlockedReason, PublicHttp, Sent } from './public-http.ts';

/** Why the `fetch` throws instead of returning a response. `no_body`: the server switched to another protocol. */
export type FetchProblem =
  | { kind: 'blocked'; reason: BlockedReason; url: string }
  | { kind: 'unresolved'; reason: 'not_found' | 'unavailable' | 'timeout' }
  | { kind: 'failed'; reason: Extract<Sent, { outcome: 'failed' }>['reason']; sent: boolean }
  | { kind: 'no_body' };

export interface GuardedFetchOptions {
  http: PublicHttp;
  organizationId: string;
  /** Returns the maximum total time of one request in milliseconds, from look-up to last byte. */
  timeoutMs: () => number;
  /** Maximum bytes of one response. */
  maxBytes: number;
  /** Creates the error that the `fetch` throws. */
  errorOf: (problem: FetchProblem) => Error;
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/**
 * Creates the `fetch`. It sends a body only if the body is a string or URLSearchParams; of a `Request`, it uses only
 * the URL. A method other than those of `methods` becomes GET, and a status outside 200 to 599 becomes 502. It throws
 * the error that `errorOf` creates if the server must not be called, cannot be reached, or sends no response. If the
 * response breaks off or is larger than `maxBytes`, reading its body fails.
 */
export function guardedFetch(options: GuardedFetchOptions): typeof fetch {
  const { http, organizationId, timeoutMs, maxBytes, errorOf } = options;
  return async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    const prepared = await http.prepare(url, organizationId);
    if (prepared.kind === 'blocked') throw errorOf({ kind: 'blocked', reason: prepared.reason, url });
    if (prepared.kind === 'unresolved') throw errorOf({ kind: 'unresolved', reason: prepared.reason });
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const { body, method, signal, headers } = init ?? {};
    const isText = typeof body === 'string' || body instanceof URLSearchParams;
    return await new Promise((resolve, reject) => {
      let isAnswered = false;
      const end = async (sent: Sent) => {
        if (sent.outcome === 'failed')
          reject(errorOf({ kind: 'failed', reason: sent.reason, sent: sent.sent }));
        else if (!isAnswered) reject(errorOf({ kind: 'no_body' }));
        else if (sent.bodyComplete) await writer.close();
        else await writer.abort(new Error('the response broke off or is too large'));
      };
      const broken = async (error: unknown) => {
        reject(error instanceof Error ? error : new Error('the request failed', { cause: error }));
        await writer.abort(error);
      };
      http
        .send(prepared.target, {
          method: methods.find((one) => one === method) ?? 'GET',
          headers: Object.fromEntries(new Headers(headers)),
          ...(isText && { body: String(body) }),
          maxBytes,
          timeoutMs: timeoutMs(),
          ...(signal && { signal }),
          sinkFor: (status, answered) => {
            isAnswered = true;
            resolve(responseOf(status, answered, readable));
            return (piece) => writer.write(piece);
          },
        })
        .then(end, broken)
        // The writer fails if the reader has cancelled the body. This error is ignored.
        .catch(() => undefined);
    });
  };
}

/** The statuses of 200 and above for which the Fetch standard allows no body. */
const bodiless: readonly number[] = [204, 205, 304];

function responseOf(status: number, given: IncomingHttpHeaders, body: ReadableStream<Uint8Array>): Response {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given)) {
    if (typeof value === 'string') headers.set(name, value);
  }
  const isKnown = status >= 200 && status <= 599;
  return new Response(bodiless.includes(status) ? null : body, { status: isKnown ? status : 502, headers });
}
