/** Sends errors of the operations below /v1/openai in OpenAI's form, so that clients of OpenAI's API can read them. */
import type { ErrorRequestHandler, RequestHandler } from 'express';
import { openAiErrorOf, openAiStatusOf } from '../../contract/conversations/openai-error.ts';
import { PublicError } from '../../contract/errors.ts';
import type { Logger } from '../../log.ts';
import { answerError } from '../answer-error.ts';

/** Handles calls of paths below /v1/openai that Parley does not serve. @throws PublicError not_found */
export const openAiNotFound: RequestHandler = () => {
  throw new PublicError('not_found', {
    sentence: "Parley has no such operation of OpenAI's API: it has models, chat completions and responses.",
  });
};

/**
 * Header that stops OpenAI's SDKs from repeating a call, because a repeated call could be accepted twice. Without the
 * header, they repeat calls after 408, 409, 429 and 5xx. They send an Idempotency-Key only if the calling program sets
 * one.
 */
const doNotRetry = { 'x-should-retry': 'false' };

/** @returns the error handler of the operations below /v1/openai */
export function openAiErrors(log: Logger): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    const hasKey = request.get('idempotency-key') !== undefined;
    answerError(error, response, log, (known) => {
      const status = openAiStatusOf(known.code);
      // A call with 429 was not accepted. A call with 500 or 503 may have been accepted, so a repeat needs a key.
      const isRepeatable = status === 429 || (hasKey && (status === 500 || status === 503));
      return {
        status,
        body: openAiErrorOf(known),
        ...(request.method === 'POST' && !isRepeatable && { headers: doNotRetry }),
      };
    });
  };
}
