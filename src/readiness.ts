/**
 * Checks whether this process is ready, for /readyz. The response names only the failing part, and contains neither a
 * host name nor the message of a database driver.
 */
import type { Logger } from './log.ts';
import { seldomWarning } from './seldom.ts';

/** Thrown while the process is not ready. /readyz shows the message to anyone, so it must not contain secrets. */
export class NotReady extends Error {}

/**
 * Creates the readiness check of a process.
 * @param parts a check for each part, by the part's name. A check rejects if its part fails. /readyz shows the name to
 * anyone.
 * @returns a function that resolves if all checks pass, and rejects with NotReady for the first part that fails.
 * Concurrent calls share one run of the checks.
 */
export function readiness(log: Logger, parts: Record<string, () => Promise<unknown>>): () => Promise<void> {
  const warn = seldomWarning(log, 'not ready');
  let checking: Promise<void> | undefined;
  const check = async () => {
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
    (checking ??= check().finally(() => {
      checking = undefined;
    }));
}

/** @returns the reason that /readyz shows: the message of a NotReady, otherwise `unknown` */
export function notReadyReason(error: unknown): string {
  return error instanceof NotReady ? error.message : 'unknown';
}
