/** Decides which failures another attempt may cure, and when it should start. */
import {
  WorkspaceHeldBack,
  WorkspaceNotReached,
  WorkspaceOutcomeUnknown,
  WorkspaceRateLimited,
  WorkspaceRefused,
} from './client/failures.ts';

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
