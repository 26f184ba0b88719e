/** Passes on the first of many calls, then at most one a period: for what an outage would log thousands of times. */

const periodMs = 30_000;

/** @param pass takes the value, and how many calls were not passed on since the last */
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
