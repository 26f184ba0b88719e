/** Measures how the time of a function grows with its input, so that a loaded machine cannot fail it falsely. */

/** Doubling the length may take at most this many times as long: 2 is linear, 4 quadratic. */
const maxGrowth = 2.5;
const minSize = 125;
/** Up to here each text grows. Even a search by vector instructions shows there when it is quadratic. */
const usualSize = 32_000;
const maxSize = process.env['TEXTS'] === 'all' ? 1_024_000 : 256_000;
/** CPU time of one thread. What takes less at the usual size is not quadratic. */
const tinyMs = 3;
/** Larger texts only take longer. */
const longMs = 15;
/** Over one doubling alone, caches would decide. */
const doublings = 4;
const parts = 2 ** doublings;
const maxRounds = 6;

type Feed = (text: string) => unknown;

/** @returns CPU milliseconds of this thread */
function cpuMs(feed: Feed, text: string): number {
  const before = process.threadCpuUsage();
  feed(text);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** A repeated text is put together when it is first read: that is no part of the measurement. */
function whole(text: string): string {
  /$/.test(text);
  return text;
}

/**
 * Compares one call with as many calls of a small part of its text as are as long. Both take about as long if the time
 * is linear, and are measured in turns: other load, compilation and collections only ever add.
 * @returns what is wrong if four doublings take more than `maxGrowth` times as long each, on average
 */
function judge(feed: Feed, make: (size: number) => string, size: number): string | undefined {
  const [small, large] = [whole(make(size / parts)), whole(make(size))];
  let smallMs = Infinity;
  let largeMs = Infinity;
  for (let round = 0; round < maxRounds; round += 1) {
    let sum = 0;
    for (let part = 0; part < parts; part += 1) sum += cpuMs(feed, small);
    smallMs = Math.min(smallMs, sum / parts);
    largeMs = Math.min(largeMs, cpuMs(feed, large));
    if (largeMs < tinyMs || largeMs < smallMs * maxGrowth ** doublings) return undefined;
    if (round > 0 && largeMs > 3 * smallMs * maxGrowth ** doublings) break;
  }
  return `${size / parts} characters take ${smallMs.toFixed(2)} ms, ${size} take ${largeMs.toFixed(1)} ms`;
}

/** Judged again with a longer text: what a function does only from some length on is no growth. */
function confirmed(
  feed: Feed,
  make: (size: number) => string,
  size: number,
  step: (size: number) => void,
): string | undefined {
  const fault = judge(feed, make, size);
  if (fault === undefined || size * 4 > maxSize) return fault;
  step(size * 4);
  return judge(feed, make, size * 4);
}

export type Growth = { fault?: string; size: number; ms: number };

/**
 * Lets the text grow to the usual size, or until its reading takes long. The last doubling is looked at; it is judged
 * with more care if it took too long.
 * @param make a text of about so many characters
 * @param step is called before each call, whose text may have `size` characters
 */
export function growthOf(feed: Feed, make: (size: number) => string, step: (size: number) => void): Growth {
  let size = minSize;
  let before = Infinity;
  try {
    for (;;) {
      step(size);
      const ms = cpuMs(feed, whole(make(size)));
      if (ms > longMs || size >= usualSize) {
        const isSuspect = ms > tinyMs && (before === Infinity || ms > before * maxGrowth);
        const fault = isSuspect ? confirmed(feed, make, size, step) : undefined;
        return { size, ms, ...(fault === undefined ? {} : { fault }) };
      }
      // While it is far from long, larger steps: none so large that a cubic function would not end.
      const factor = ms < 0.3 && size * 8 < usualSize ? 8 : 2;
      before = factor === 2 ? ms : Infinity;
      size *= factor;
    }
  } catch (error) {
    return { fault: `${size} characters: ${reasonOf(error)}`, size, ms: NaN };
  }
}

/** One call with a text of `maxSize`. @returns what is wrong if it takes too long for what it took before, or throws */
export function faultAtMaxSize(
  feed: Feed,
  make: (size: number) => string,
  { size, ms }: Growth,
  step: (size: number) => void,
): string | undefined {
  step(maxSize);
  try {
    const maxMs = cpuMs(feed, whole(make(maxSize)));
    const isSuspect = maxMs > Math.max(ms, tinyMs) * maxGrowth ** Math.log2(maxSize / size);
    return isSuspect ? judge(feed, make, maxSize) : undefined;
  } catch (error) {
    return `${maxSize} characters: ${reasonOf(error)}`;
  }
}

const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, 200);
