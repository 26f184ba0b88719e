/**
 * Passes on the first of many calls, then at most one per period; for messages that an outage would log thousands of
 * times.
 */

const periodMs = 30_000;

/**
 * Limits how often `pass` is called.
 * @param pass called with the value and the number of calls suppressed since the last one
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
