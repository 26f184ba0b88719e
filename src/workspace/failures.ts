/** Expected failures of an action, in sentences that a model can act on. */
export type ActionErrorCode =
  | 'INVALID_INPUT'
  | 'VALIDATION_ERROR'
  | 'BAD_REQUEST'
  | 'NOT_AUTHORIZED'
  | 'MISSING_CAPABILITY'
  | 'NOT_FOUND_OR_NOT_SHARED'
  | 'AMBIGUOUS_DATABASE'
  | 'CONFLICT'
  | 'PLAN_LIMIT'
  | 'RATE_LIMITED'
  | 'UPSTREAM'
  | 'UNKNOWN_OUTCOME'
  | 'NOT_CONFIGURED';

/** An expected failure: becomes `{ successful: false, error }`. */
export class ActionError extends Error {
  override readonly name = 'ActionError';
  readonly code: ActionErrorCode;
  /** The workspace's HTTP status for this failure, also if it was found before sending. */
  readonly status: number | undefined;

  constructor(code: ActionErrorCode, message: string, options: { cause?: unknown; status?: number } = {}) {
    super(message, options);
    this.code = code;
    this.status = options.status;
  }
}

/** Nothing was sent. `problems` name the parameter, the given value and what is allowed. */
export function invalidInput(problems: string | readonly string[]): ActionError {
  const list = typeof problems === 'string' ? [problems] : problems;
  const first = list.slice(0, 10);
  const more = list.length > first.length ? ` (and ${list.length - first.length} more)` : '';
  return new ActionError('INVALID_INPUT', first.join('; ') + more);
}
