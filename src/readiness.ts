/**
 * Checks whether this process is ready, for /readyz. The result names only the failing part, never a host or the
 * message of a database driver.
 */
import type { Logger } from './log.ts';
import { seldomWarning } from './seldom.ts';

/** An error whose message may be shown to anyone. */
export class NotReady extends Error {}

/**
 * @param parts checks by name; the names may be shown to anyone
 * @returns a function that resolves if all checks pass, and rejects with NotReady naming the first part that fails.
 * Concurrent callers share one run of the checks.
 */
export function readiness(log: Logger, parts: Record<string, () => Promise<unknown>>): () => Promise<void> {
  const warn = seldomWarning(log, 'not ready');
  let looking: Promise<void> | undefined;
  const look = async () => {
    for (const [name, answers] of Object.entries(parts)) {
      try {
        await answers();
      } catch (cause) {
        if (cause instanceof NotReady) throw cause;
        warn(cause);
        throw new NotReady(`${name} does not answer`, { cause });
      }
    }
  };
  return () =>
    (looking ??= look().finally(() => {
      looking = undefined;
    }));
}

/** @returns the reason that /readyz shows: the message of a NotReady, otherwise `unknown` */
export function notReadyReason(error: unknown): string {
  return error instanceof NotReady ? error.message : 'unknown';
}
