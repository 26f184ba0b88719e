/** Limits the rate of log messages, because an outage would repeat the same message thousands of times. */
import type { Logger } from './log.ts';

/** Minimum milliseconds between two messages. Chosen. */
const periodMs = 30_000;

/**
 * Limits the calls of a function.
 * @param pass called with the value, and with the number of calls that were dropped since its last call
 * @returns a function that calls `pass`, and drops calls within `periodMs` of the last one that it passed on
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

/** @returns a function that logs a warning with this message and the given error, at most once in `periodMs` */
export function seldomWarning(log: Logger, message: string): (error: unknown) => void {
  return seldom((err: unknown, unlogged) => {
    log.warn({ err, unlogged }, message);
  });
}
