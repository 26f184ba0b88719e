/** Limits the rate of log messages that an outage would repeat thousands of times. */
import type { Logger } from './log.ts';

/** Minimum time between two messages. Chosen. */
const periodMs = 30_000;

/**
 * Limits calls: passes on the first one, then at most one per `periodMs`.
 * @param pass called with the value, and with the number of calls that were dropped before it
 */
export function seldom<T>(pass: (value: T, unlogged: number) => void): (value: T) => void {
  let last = -Infinity;
  let unlogged = 0;
  return (value) => {
    const now = performance.now();
    if (now - last < periodMs) {
      unlogged += 1;
      return;
    }
    last = now;
    pass(value, unlogged);
    unlogged = 0;
  };
}

/** @returns a function that logs an error as a warning with this message, at most once per `periodMs` */
export function seldomWarning(log: Logger, message: string): (error: unknown) => void {
  return seldom((err: unknown, unlogged) => {
    log.warn({ err, unlogged }, message);
  });
}
