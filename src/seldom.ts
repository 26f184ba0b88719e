/** Limits the rate of messages that an outage would log thousands of times. */
import type { Logger } from './log.ts';

const periodMs = 30_000;

/**
 * Calls `pass` for the first of many calls, then at most once per period.
 * @param pass called with the value and the number of calls left out since the last one
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

/** @returns a function that logs an error as a warning with this message, at most once per period */
export function seldomWarning(log: Logger, message: string): (error: unknown) => void {
  return seldom((err: unknown, unlogged) => {
    log.warn({ err, unlogged }, message);
  });
}
