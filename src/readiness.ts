/** Whether a process can do its work, for /readyz: names the part that it waits for, and never a host or a driver's words. */
import type { Logger } from './log.ts';
import { seldom } from './seldom.ts';

/** Its message may be shown to anyone. */
export class NotReady extends Error {}

/**
 * @param parts what must answer, by the name that may be shown
 * @returns resolves if all answer. Callers at the same time share one look.
 * @throws NotReady with the name of the first part that does not
 */
export function readiness(log: Logger, parts: Record<string, () => Promise<unknown>>): () => Promise<void> {
  const warn = seldom((err: unknown, unlogged) => {
    log.warn({ err, unlogged }, 'not ready');
  });
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

/** What /readyz tells of an error. */
export function notReadyReason(error: unknown): string {
  return error instanceof NotReady ? error.message : 'unknown';
}
