/** Measures how the time of a function grows with its input, so that a loaded machine cannot fail it falsely. */
import { takesAll } from '../support/sample.ts';

/** Doubling the length may take at most this many times as long, on average: 2 is linear, 4 quadratic. */
const maxGrowth = 2.5;
const minSize = 125;
/** Up to here each text grows. Even a search by vector instructions shows there when it is quadratic. */
const usualSize = 32_000;
const maxSize = takesAll ? 1_024_000 : 256_000;
/** A function that takes less than this at the usual size is not quadratic. */
const tinyMs = 3;
/** A call that takes longer is measured twice: the scheduler may have given the processor to others. */
const repeatedMs = 0.2;
/** Larger texts only take longer. */
const longMs = 15;
/**
 * CPU time of a measured batch of calls: ten ticks of 4 ms, since Linux may advance a thread's CPU time only with each
 * tick.
 */
const batchMs = 40;
/** Over one doubling alone, caches would decide. */
const doublings = 4;
const parts = 2 ** doublings;
const maxRounds = 6;

type Feed = (text: string) => unknown;

/** @returns wall-clock milliseconds of a call, which other load can lengthen: enough to choose what to judge */
function wallMs(feed: Feed, text: string): number {
  const once = (): number => {
    const began = performance.now();
    feed(text);
    return performance.now() - began;
  };
  const ms = once();
  return ms > repeatedMs ? Math.min(ms, once()) : ms;
}

/** @returns CPU milliseconds of a call in this thread, as the average of a batch of `batchMs` */
function cpuMs(feed: Feed, text: string): number {
  const before = process.threadCpuUsage();
  for (let calls = 1; ; calls += 1) {
    feed(text);
    const { user, system } = process.threadCpuUsage(before);
    const ms = (user + system) / 1000;
    if (ms >= batchMs) return ms / calls;
  }
}

/** A repeated text is put together when it is first read: that is no part of the measurement. */
function whole(text: string): string {
  text.search(/$/);
  return text;
}

/**
 * Compares the CPU time of a text with that of a small part of it, each as the minimum of some rounds: other load,
 * compilation and collections only ever add.
 * @returns what is wrong if the doublings take more than `maxGrowth` times as long each, on average
 */
function judge(
  feed: Feed,
  make: (size: number) => string,
  size: number,
  step: (size: number) => void,
): string | undefined {
  const [small, large] = [whole(make(size / parts)), whole(make(size))];
  let smallMs = Infinity;
  let largeMs = Infinity;
  for (let round = 0; round < maxRounds; round += 1) {
    step(size);
    smallMs = Math.min(smallMs, cpuMs(feed, small));
    step(size);
    largeMs = Math.min(largeMs, cpuMs(feed, large));
    if (largeMs < tinyMs || largeMs < smallMs * maxGrowth ** doublings) return undefined;
    if (round > 0 && largeMs > 3 * smallMs * maxGrowth ** doublings) break;
  }
  return `${size / parts} characters take ${smallMs.toFixed(3)} ms, ${size} take ${largeMs.toFixed(1)} ms`;
}

/**
 * Judged again with a longer text: only growth at both lengths is a fault. What a function does from some length on, as
 * splitting a reply of more than 4,096 characters, shows at the first alone; caches that overflow, at the second alone.
 */
function confirmed(
  feed: Feed,
  make: (size: number) => string,
  size: number,
  step: (size: number) => void,
): string | undefined {
  const fault = judge(feed, make, size, step);
  if (fault === undefined) return undefined;
  // So long that its small part is longer than any length from which on a function does more.
  const longer = Math.max(size * 8, 4 * usualSize);
  return judge(feed, make, longer, step);
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
      const ms = wallMs(feed, whole(make(size)));
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
    const maxMs = wallMs(feed, whole(make(maxSize)));
    const isSuspect = maxMs > Math.max(ms, tinyMs) * maxGrowth ** Math.log2(maxSize / size);
    return isSuspect ? judge(feed, make, maxSize, step) : undefined;
  } catch (error) {
    return `${maxSize} characters: ${reasonOf(error)}`;
  }
}

const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, 200);
