/** Defines the expected failures of an action, and determines which of them are transient. */
import {
  WorkspaceHeldBack,
  WorkspaceNotReached,
  WorkspaceOutcomeUnknown,
  WorkspaceRateLimited,
  WorkspaceRefused,
} from './client/failures.ts';

/** Codes of the expected failures. The error message that the model reads begins with the code. */
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

/** An expected failure. `runAction` converts it to a result that is not `successful`, whose `error` begins with the code. */
export class ActionError extends Error {
  override readonly name = 'ActionError';
  readonly code: ActionErrorCode;
  /**
   * The HTTP status with which the workspace reports this failure. Also set for some failures that were found before a
   * request was sent.
   */
  readonly status: number | undefined;

  constructor(code: ActionErrorCode, message: string, options: { cause?: unknown; status?: number } = {}) {
    super(message, options);
    this.code = code;
    this.status = options.status;
  }
}

/**
 * Creates an INVALID_INPUT error.
 * @param problems each names the parameter, the given value and the allowed values; the message shows the first ten
 */
export function invalidInput(problems: string | readonly string[]): ActionError {
  const list = typeof problems === 'string' ? [problems] : problems;
  const first = list.slice(0, 10);
  const more = list.length > first.length ? ` (and ${list.length - first.length} more)` : '';
  return new ActionError('INVALID_INPUT', first.join('; ') + more);
}

/**
 * True if the workspace reported a conflict. According to the workspace's documentation, nothing was written and a
 * retry may succeed.
 */
export const isConflict = (error: unknown): boolean =>
  error instanceof WorkspaceRefused && error.code === 'conflict_error';

/** There is no result yet, because the workspace is still working or a request of another attempt may still arrive. */
export class StillInProgress extends Error {
  override readonly name = 'StillInProgress';
  readonly retryAfterMs: number;
  constructor(retryAfterMs: number) {
    super('The workspace may still be at work.');
    this.retryAfterMs = retryAfterMs;
  }
}

/** The organization's model did not answer the action's prompt. Nothing was written. */
export class ModelUnavailable extends Error {
  override readonly name = 'ModelUnavailable';
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  /** @param sentence the error's message, for callers, without internal details */
  constructor(
    sentence: string,
    fault: { retryable: boolean; retryAfterMs: number | undefined; cause: unknown },
  ) {
    super(sentence, { cause: fault.cause });
    this.retryable = fault.retryable;
    this.retryAfterMs = fault.retryAfterMs;
  }
}

/**
 * True if the attempt ended because the action must wait. Such an attempt does not count as failed. Another one follows
 * until the run has used up its total waiting time.
 */
export const isPause = (error: unknown): error is WorkspaceHeldBack | StillInProgress =>
  error instanceof WorkspaceHeldBack || error instanceof StillInProgress;

/**
 * Determines whether a failure is transient.
 * @returns for a transient failure, the milliseconds to wait before a retry if they are known; undefined for any other
 * failure
 */
export function transientOf(error: unknown): { retryAfterMs: number | undefined } | undefined {
  if (isPause(error)) return { retryAfterMs: error.retryAfterMs };
  if (error instanceof ModelUnavailable && error.retryable) return { retryAfterMs: error.retryAfterMs };
  if (error instanceof WorkspaceRateLimited) return { retryAfterMs: error.retryAfterMs };
  const again =
    error instanceof WorkspaceNotReached || error instanceof WorkspaceOutcomeUnknown || isConflict(error);
  return again ? { retryAfterMs: undefined } : undefined;
}
