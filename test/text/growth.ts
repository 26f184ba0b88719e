/** Measures how the time of a function grows with its input, so that a loaded machine cannot fail it falsely. */

/** Doubling the length may take at most this many times as long: 2 is linear, 4 quadratic. */
const maxGrowth = 2.5;
const minSize = 125;
/** Up to here each text grows. Even a search by vector instructions shows there when it is quadratic. */
const usualSize = 64_000;
export const maxSize = 1_024_000;
/** CPU times of one thread. Below `tinyMs` at the usual size nothing can be quadratic; above `judgedMs` growth is judged. */
const tinyMs = 3;
const judgedMs = 30;
const rounds = 4;

type Feed = (text: string) => unknown;

/** @returns CPU milliseconds of this thread */
function cpuMs(feed: Feed, text: string): number {
  const before = process.threadCpuUsage();
  feed(text);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** The least of some rounds: other load, compilation and collections only ever add. Ends early once `goal` is reached. */
function leastMs(feed: Feed, text: string, goal: number): number {
  let least = Infinity;
  for (let round = 0; round < rounds && least > goal; round += 1) least = Math.min(least, cpuMs(feed, text));
  return least;
}

/** A repeated text is put together when it is first read: that is no part of the measurement. */
function whole(text: string): string {
  /$/.test(text);
  return text;
}

/**
 * Judged over three doublings: caches and collections make one of them longer by chance, a quadratic function all.
 * @returns what is wrong if they take more than `maxGrowth` times as long each, on average
 */
function judge(feed: Feed, make: (size: number) => string, size: number): string | undefined {
  const smallMs = leastMs(feed, whole(make(size / 8)), 0);
  const bound = Math.max(judgedMs, smallMs * maxGrowth ** 3);
  const ms = leastMs(feed, whole(make(size)), bound);
  return ms > bound
    ? `${size / 8} characters take ${smallMs.toFixed(1)} ms, ${size} take ${ms.toFixed(1)} ms`
    : undefined;
}

export type Growth = { fault?: string; size: number; ms: number };

/**
 * Lets the text grow until its reading takes long enough to be judged.
 * @param make a text of about so many characters
 * @param upTo goes on to this size, however long it takes
 * @param step is called before each call, whose text may have `size` characters
 */
export function growthOf(
  feed: Feed,
  make: (size: number) => string,
  { upTo = usualSize, step }: { upTo?: number; step: (size: number) => void },
): Growth {
  let ms = 0;
  let size = minSize;
  try {
    for (;;) {
      const before = ms;
      step(size);
      ms = cpuMs(feed, whole(make(size)));
      if (ms > judgedMs && ms > before * maxGrowth) {
        const fault = judge(feed, make, size);
        if (fault !== undefined) return { fault, size, ms };
      }
      const judged = upTo === usualSize && ms > judgedMs;
      if (judged || size >= maxSize || (size >= upTo && ms < tinyMs)) return { size, ms };
      // Far from being judged: larger steps, of which none is so long that a cubic function would not end.
      size *= ms < 0.3 && size < usualSize ? 8 : 2;
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { fault: `${size} characters: ${reason.slice(0, 200)}`, size, ms: NaN };
  }
}
