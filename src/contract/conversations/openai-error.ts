/** Errors in the form that clients of OpenAI's API read. */
import { z } from 'zod';
import { errorTable, type ErrorCode } from '../error-table.ts';
import { errorBody, type PublicError } from '../errors.ts';

export const openAiError = z
  .object({
    error: z
      .object({
        message: z.string().describe('A sentence for people'),
        type: z.string().describe('Kind of the error, as OpenAI names it'),
        param: z.string().nullable().describe('The first invalid field, if any'),
        code: z.string().describe('A code of the table in docs/api.md'),
        details: errorBody.shape.details,
        conversation_id: errorBody.shape.conversation_id,
      })
      .describe('The error'),
  })
  .meta({
    id: 'OpenAiError',
    description: 'Body of an error response below /openai',
    example: {
      error: {
        message: errorTable.not_found[1],
        type: 'invalid_request_error',
        param: 'model',
        code: 'not_found',
      },
    },
  });
export type OpenAiError = z.infer<typeof openAiError>;

/**
 * @returns the HTTP status of an error below /openai: that of `errorTable`, but 400 instead of 422, because OpenAI's
 * API responds to an invalid field with 400
 */
export function openAiStatusOf(code: ErrorCode): number {
  const [status] = errorTable[code];
  return status === 422 ? 400 : status;
}

/**
 * Maximum number of invalid fields that the message names; `details` lists all of them. Chosen: clients show the
 * message in one line.
 */
const maxNamed = 3;

/**
 * @returns the body of an error below /openai. Its message names the first `maxNamed` invalid fields, because clients
 * show only the message.
 */
export function openAiErrorOf(error: PublicError): OpenAiError {
  const { details = [], conversationId } = error.extra;
  const isUnfit = error.code === 'validation_failed' && details.length > 0;
  const named = details.slice(0, maxNamed).map(({ path, message }) => `${path} ${message}`.trim());
  const [param = ''] = details.map(({ path }) => path);
  return {
    error: {
      message: isUnfit ? `${error.message} ${named.join('; ')}.` : error.message,
      type: typeOf(openAiStatusOf(error.code)),
      param: param === '' ? null : param,
      code: error.code,
      ...(isUnfit && { details }),
      ...(conversationId !== undefined && { conversation_id: conversationId }),
    },
  };
}

function typeOf(status: number): string {
  if (status === 401) return 'authentication_error';
  if (status === 402) return 'insufficient_quota';
  if (status === 403) return 'permission_error';
  if (status === 429) return 'rate_limit_error';
  return status < 500 ? 'invalid_request_error' : 'server_error';
}
