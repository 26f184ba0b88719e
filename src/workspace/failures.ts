/** Expected failures of an action, in sentences that a model can act on, and which of them another attempt may cure. */
import {
  WorkspaceHeldBack,
  WorkspaceNotReached,
  WorkspaceOutcomeUnknown,
  WorkspaceRateLimited,
  WorkspaceRefused,
} from './client/failures.ts';

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

/** On a conflict the write was not done; the next attempt may succeed. */
export const isConflict = (error: unknown): boolean =>
  error instanceof WorkspaceRefused && error.code === 'conflict_error';

/** The workspace is still working, or a request of another attempt may be on its way: too early for a result. */
export class StillInProgress extends Error {
  override readonly name = 'StillInProgress';
  readonly retryAfterMs: number;
  constructor(retryAfterMs: number) {
    super('The workspace may still be at work.');
    this.retryAfterMs = retryAfterMs;
  }
}

/** The organization's model did not answer an action's question. Nothing was written. */
export class ModelUnavailable extends Error {
  override readonly name = 'ModelUnavailable';
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  /** @param sentence for callers, without internals */
  constructor(
    sentence: string,
    fault: { retryable: boolean; retryAfterMs: number | undefined; cause: unknown },
  ) {
    super(sentence, { cause: fault.cause });
    this.retryable = fault.retryable;
    this.retryAfterMs = fault.retryAfterMs;
  }
}

/** Nothing was tried, so this does not count as a failed attempt, and there is always another. */
export const isPause = (error: unknown): error is WorkspaceHeldBack | StillInProgress =>
  error instanceof WorkspaceHeldBack || error instanceof StillInProgress;

/** @returns how long to wait, if the workspace says so; undefined for failures that a retry cannot cure */
export function transientOf(error: unknown): { retryAfterMs: number | undefined } | undefined {
  if (isPause(error)) return { retryAfterMs: error.retryAfterMs };
  if (error instanceof ModelUnavailable && error.retryable) return { retryAfterMs: error.retryAfterMs };
  if (error instanceof WorkspaceRateLimited) return { retryAfterMs: error.retryAfterMs };
  const again =
    error instanceof WorkspaceNotReached || error instanceof WorkspaceOutcomeUnknown || isConflict(error);
  return again ? { retryAfterMs: undefined } : undefined;
}
