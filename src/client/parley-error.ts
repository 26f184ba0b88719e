import type { components } from './api.ts';

type ErrorBody = components['schemas']['ErrorBody'];

/** The error of a failed call: the API answered with an error, or could not be reached. */
export class ParleyError extends Error {
  /** HTTP status; 0 if there was no response. */
  readonly status: number;
  /**
   * A stable code for programs, for example `not_found`. `unreachable` if there was no response; `unknown` if the
   * response has no code, for example because a proxy sent it.
   */
  readonly code: string;
  /** The invalid fields if the code is `validation_failed`, otherwise empty. */
  readonly details: readonly NonNullable<ErrorBody['details']>[number][];
  /**
   * The call's conversation, if its run failed (also because of a cap on credits), was cancelled, or did not end in
   * time; otherwise undefined.
   */
  readonly conversationId: string | undefined;
  /** The `Parley-Request-Id` of the response, by which the request log finds the call; undefined if there was none. */
  readonly requestId: string | undefined;

  constructor(
    message: string,
    status: number,
    body: Partial<ErrorBody>,
    cause?: unknown,
    requestId?: string,
  ) {
    super(message, { cause });
    this.name = 'ParleyError';
    this.status = status;
    this.code = body.code ?? 'unknown';
    this.details = body.details ?? [];
    this.conversationId = body.conversation_id;
    this.requestId = requestId;
  }

  /**
   * Creates the error for a response that is not 2xx.
   * @param body the parsed body; any value, because a proxy may have answered
   */
  static ofAnswer(response: Response, body: unknown): ParleyError {
    const known: Partial<ErrorBody> = isErrorBody(body) ? body : {};
    const message = known.error ?? `The server answered ${response.status}.`;
    const requestId = response.headers.get('Parley-Request-Id') ?? undefined;
    return new ParleyError(message, response.status, known, undefined, requestId);
  }

  /** Creates the error of a call that got no answer: status 0 and code `unreachable`. */
  static unreachable(cause: unknown): ParleyError {
    return new ParleyError('The server cannot be reached.', 0, { code: 'unreachable' }, cause);
  }
}

function isErrorBody(body: unknown): body is ErrorBody {
  return typeof body === 'object' && body !== null && 'code' in body && typeof body.code === 'string';
}
