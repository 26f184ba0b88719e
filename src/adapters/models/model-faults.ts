/** A provider's failure → retryable or not, in a sentence without internals. */
import { APICallError } from 'ai';
import { ModelFault } from './model.ts';

const maxRetryAfterMs = 120_000;

export function modelFault(error: unknown): ModelFault {
  if (!APICallError.isInstance(error)) {
    return new ModelFault('The model gave an answer that could not be read.', {
      retryable: true,
      cause: error,
    });
  }
  const status = error.statusCode;
  if (status === undefined)
    return new ModelFault('The model could not be reached.', { retryable: true, cause: error });
  if (status === 401 || status === 403) {
    return new ModelFault(`The model provider refused the key (${status}).`, {
      retryable: false,
      cause: error,
    });
  }
  if (status === 429) {
    const retryAfterMs = retryAfter(error.responseHeaders?.['retry-after']);
    return new ModelFault('The model provider limits the rate (429).', {
      retryable: true,
      retryAfterMs,
      cause: error,
    });
  }
  if (status >= 500 || status === 408 || status === 409) {
    return new ModelFault(`The model provider failed (${status}).`, { retryable: true, cause: error });
  }
  if (status >= 200 && status < 300) {
    return new ModelFault('The model gave an answer that could not be read.', {
      retryable: true,
      cause: error,
    });
  }
  return new ModelFault(`The model provider refused the request (${status}).`, {
    retryable: false,
    cause: error,
  });
}

function retryAfter(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), maxRetryAfterMs) : undefined;
}
