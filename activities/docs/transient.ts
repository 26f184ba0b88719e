/** Which failures are worth another attempt, and when. */
import {
  WorkspaceNotReached,
  WorkspaceOutcomeUnknown,
  WorkspaceRateLimited,
  WorkspaceRefused,
} from '../../src/adapters/docs-failures.ts';

/** A conflict is answered instead of the write being done; the next attempt may get through. */
export const isConflict = (error: unknown): boolean =>
  error instanceof WorkspaceRefused && error.code === 'conflict_error';

/** @returns how long to wait, where the workspace said so; undefined for what another attempt would not change */
export function transientOf(error: unknown): { retryAfterMs: number | undefined } | undefined {
  if (error instanceof WorkspaceRateLimited) return { retryAfterMs: error.retryAfterMs };
  const again =
    error instanceof WorkspaceNotReached || error instanceof WorkspaceOutcomeUnknown || isConflict(error);
  return again ? { retryAfterMs: undefined } : undefined;
}
