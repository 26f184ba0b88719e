/** Converts any error to an HTTP response. An unexpected error becomes status 500 without the error's text. */
import type { Response } from 'express';
import { PublicError } from '../contract/errors.ts';
import { isDatabaseUnavailable } from '../adapters/postgres/database.ts';
import { isStorageFull } from '../adapters/postgres/data/storage.ts';
import { NoSlot } from '../limits/limiter.ts';
import type { Logger } from '../log.ts';
import { noteError } from './request-log.ts';

const retryAfterSeconds = 2;

interface ErrorAnswer {
  status: number;
  body: unknown;
  headers?: Readonly<Record<string, string>>;
}

/**
 * Sends the error's response, or closes the connection if a response has begun. Logs errors with status 500 and above.
 * @param answerOf converts the error to a status, a body and headers; by default, to those of Parley's API
 */
export function answerError(
  error: unknown,
  response: Response,
  log: Logger,
  answerOf: (known: PublicError) => ErrorAnswer = ({ status, body }) => ({ status, body }),
): void {
  const known = toPublicError(error);
  noteError(response, known);
  if (known.code === 'internal') log.error({ err: error }, 'request failed');
  else if (known.status >= 500) log.warn({ code: known.code, reason: reasonOf(error) }, 'request refused');
  if (response.headersSent) {
    response.destroy();
    return;
  }
  if (known.extra.retryAfterSeconds !== undefined)
    response.setHeader('Retry-After', String(known.extra.retryAfterSeconds));
  if (known.code === 'unauthorized' && !response.hasHeader('WWW-Authenticate'))
    response.setHeader('WWW-Authenticate', 'Bearer');
  const { status, body, headers = {} } = answerOf(known);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.status(status).json(body);
}

function toPublicError(error: unknown): PublicError {
  if (error instanceof PublicError) return error;
  if (isDatabaseUnavailable(error)) {
    return new PublicError('unavailable', { retryAfterSeconds, cause: error });
  }
  if (isStorageFull(error)) return new PublicError('storage_limit_reached', { cause: error });
  if (error instanceof NoSlot) {
    return new PublicError('unavailable', {
      sentence: 'The organization has too many slow calls in progress. Try again.',
      retryAfterSeconds,
      cause: error,
    });
  }
  // Express throws an error with a status if it cannot read the request.
  if (error instanceof Error && 'status' in error) {
    if (error.status === 413) return new PublicError('payload_too_large', { cause: error });
    if (error.status === 415) return new PublicError('unsupported_media_type', { cause: error });
    if (error instanceof URIError) return new PublicError('not_found', { cause: error });
    if (typeof error.status === 'number' && error.status < 500)
      return new PublicError('invalid_json', { cause: error });
  }
  return new PublicError('internal', { cause: error });
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}
