/**
 * The body of error responses, and the exception that leads to one. Errors below /v1/openai have another body
 * (openai-error.ts).
 */
import { z } from 'zod';
import { errorTable, type ErrorCode } from './error-table.ts';

export const errorDetail = z
  .strictObject({
    path: z.string().describe('Dotted path of the field, for example attachments.0.url'),
    message: z.string().describe('The problem of the field'),
  })
  .meta({ id: 'ErrorDetail', description: 'An invalid field' });
export type ErrorDetail = z.infer<typeof errorDetail>;

export const errorBody = z
  .object({
    error: z.string().describe('A sentence for people'),
    code: z.string().meta({
      description: `A stable code for programs: ${Object.keys(errorTable).join(', ')}. New codes may be added`,
      // Not an `enum`, because a client that is generated from an enum would fail at the first new code.
      'x-extensible-enum': Object.keys(errorTable),
    }),
    details: z.array(errorDetail).optional().describe('With validation_failed: each invalid field'),
    conversation_id: z
      .uuid()
      .optional()
      .describe(
        'With credit_cap_reached, agent_failed, output_invalid, cancelled and sync_timeout: the conversation that holds the result',
      ),
  })
  .meta({
    id: 'ErrorBody',
    description: 'Body of every error response',
    example: { error: errorTable.not_found[1], code: 'not_found' },
  });
export type ErrorBody = z.infer<typeof errorBody>;

interface Extra {
  sentence?: string;
  details?: ErrorDetail[];
  /** The first invalid field that the schema names, for the request log. Never a name that the caller chose. */
  field?: string | undefined;
  /** The problem of `field`, for the request log. Never a text that may quote the caller. */
  reason?: string | undefined;
  conversationId?: string;
  retryAfterSeconds?: number;
  cause?: unknown;
}

/** An error that becomes an HTTP response. The caller gets its message and details, so they must contain no secrets. */
export class PublicError extends Error {
  readonly code: ErrorCode;
  readonly extra: Extra;
  constructor(code: ErrorCode, extra: Extra = {}) {
    super(extra.sentence ?? errorTable[code][1], { cause: extra.cause });
    this.name = 'PublicError';
    this.code = code;
    this.extra = extra;
  }
  /** The HTTP status of the answer. */
  get status(): number {
    return errorTable[this.code][0];
  }
  /** The JSON body of the answer. */
  get body(): ErrorBody {
    return {
      error: this.message,
      code: this.code,
      ...(this.extra.details && { details: this.extra.details }),
      ...(this.extra.conversationId !== undefined && { conversation_id: this.extra.conversationId }),
    };
  }
}

/** @returns a validation_failed error that names one invalid field */
export function invalidField(path: string, message: string): PublicError {
  return new PublicError('validation_failed', { details: [{ path, message }] });
}

/**
 * @returns the value
 * @throws PublicError `not_found` if the value is undefined
 */
export function orNotFound<T>(value: T | undefined): T {
  if (value === undefined) throw new PublicError('not_found');
  return value;
}
