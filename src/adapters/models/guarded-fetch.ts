/** Creates the `fetch` for model servers that an organization names. */
import { guardedFetch as guarded, type FetchProblem } from '../http/guarded-fetch.ts';
import type { BlockedReason, PublicHttp } from '../http/public-http.ts';
import { maxAnswerBytes, type ModelFetch } from './model-fetch.ts';
import { ModelFault } from './model.ts';

export interface GuardedFetchOptions {
  http: PublicHttp;
  organizationId: string;
  /** Maximum total time of one request in milliseconds, from look-up to last byte. */
  timeoutMs: number;
}

/**
 * Returns the `fetch`. It throws ModelFault if the server must not be called, cannot be reached, or sends no response.
 */
export function guardedFetch({ http, organizationId, timeoutMs }: GuardedFetchOptions): ModelFetch {
  return guarded({
    http,
    organizationId,
    errorOf,
    timeoutMs: () => timeoutMs,
    maxBytes: maxAnswerBytes,
  });
}

function errorOf(problem: FetchProblem): ModelFault {
  switch (problem.kind) {
    case 'blocked':
      return blocked(problem.reason, problem.url);
    case 'unresolved':
      return problem.reason === 'not_found'
        ? unreached('the name has no address', { retryable: false })
        : unreached('the name could not be looked up', { retryable: true });
    case 'failed':
      return problem.reason === 'timeout'
        ? new ModelFault('The model did not answer in time.', {
            retryable: true,
            about: 'address',
            othersMayAnswer: true,
          })
        : unreached(problem.reason.replaceAll('_', ' '), { retryable: true });
    case 'no_body':
      return unreached('the response has no body', { retryable: true });
  }
}

/** Returns the fault for an address that must not be called. @param url a valid URL */
export function blocked(reason: BlockedReason, url: string): ModelFault {
  const { host } = new URL(url);
  const sentence =
    reason === 'internal_name' || reason === 'private_address'
      ? `The address ${host} is private. If this server may be called, the operator of Parley sets MODEL_ALLOW=${host}.`
      : `The address ${host} cannot be used: ${reason.replaceAll('_', ' ')}.`;
  return new ModelFault(sentence, { retryable: false, about: 'address', othersMayAnswer: true });
}

function unreached(why: string, { retryable }: { retryable: boolean }): ModelFault {
  const sentence = `The model could not be reached: ${why}.`;
  return new ModelFault(sentence, { retryable, about: 'address', othersMayAnswer: true });
}
