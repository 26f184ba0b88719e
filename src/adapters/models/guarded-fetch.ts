/**
 * `fetch` for model servers that an organization names. Goes through the client for supplied URLs: no private address
 * unless the operator allows it, no redirect, and bounded sizes and times.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { BlockedReason, PublicHttp, Sent } from '../http/public-http.ts';
import { maxAnswerBytes, type ModelFetch } from './model-fetch.ts';
import { ModelFault } from './model.ts';

export interface GuardedFetchOptions {
  http: PublicHttp;
  organizationId: string;
  /** Total time of one request, from look-up to last byte. */
  timeoutMs: number;
}

/** Returns the `fetch`. It throws ModelFault if the server cannot be reached or must not be called. */
export function guardedFetch({ http, organizationId, timeoutMs }: GuardedFetchOptions): ModelFetch {
  return async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    const prepared = await http.prepare(url, organizationId);
    if (prepared.kind === 'blocked') throw blocked(prepared.reason, url);
    if (prepared.kind === 'unresolved') {
      const isUnknown = prepared.reason === 'not_found';
      const why = isUnknown ? 'the name has no address' : 'the name could not be looked up';
      throw unreached(why, { retryable: !isUnknown });
    }
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const { body, method, signal, headers } = init ?? {};
    return await new Promise((resolve, reject) => {
      let isAnswered = false;
      const end = async (sent: Sent) => {
        if (sent.outcome === 'failed') reject(failed(sent));
        else if (!isAnswered) reject(unreached('the response has no body', { retryable: true }));
        else if (sent.bodyComplete) await writer.close();
        else await writer.abort(new Error('the response broke off or is too large'));
      };
      const broken = async (error: unknown) => {
        reject(error instanceof Error ? error : new Error('the request failed', { cause: error }));
        await writer.abort(error);
      };
      http
        .send(prepared.target, {
          method: method === 'GET' ? 'GET' : 'POST',
          headers: Object.fromEntries(new Headers(headers)),
          ...(typeof body === 'string' && { body }),
          maxBytes: maxAnswerBytes,
          timeoutMs,
          ...(signal && { signal }),
          sinkFor: (status, answered) => {
            isAnswered = true;
            resolve(responseOf(status, answered, readable));
            return (piece) => writer.write(piece);
          },
        })
        .then(end, broken)
        // The reader has left, so nobody needs the rest.
        .catch(() => undefined);
    });
  };
}

/** Statuses with which the Fetch standard allows no body. */
const bodiless: readonly number[] = [204, 205, 304];

function responseOf(status: number, given: IncomingHttpHeaders, body: ReadableStream<Uint8Array>): Response {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given)) {
    if (typeof value === 'string') headers.set(name, value);
  }
  const isKnown = status >= 200 && status <= 599;
  return new Response(bodiless.includes(status) ? null : body, { status: isKnown ? status : 502, headers });
}

function blocked(reason: BlockedReason, url: string): ModelFault {
  const { host } = new URL(url);
  const sentence =
    reason === 'internal_name' || reason === 'private_address'
      ? `The address ${host} is private. If this server may be called, the operator of Parley sets MODEL_ALLOW=${host}.`
      : `The address ${host} cannot be used: ${reason.replaceAll('_', ' ')}.`;
  return new ModelFault(sentence, { retryable: false, about: 'address' });
}

function failed({ reason }: Extract<Sent, { outcome: 'failed' }>): ModelFault {
  if (reason === 'timeout') {
    return new ModelFault('The model did not answer in time.', { retryable: true, about: 'address' });
  }
  return unreached(reason.replaceAll('_', ' '), { retryable: true });
}

function unreached(why: string, { retryable }: { retryable: boolean }): ModelFault {
  return new ModelFault(`The model could not be reached: ${why}.`, { retryable, about: 'address' });
}
