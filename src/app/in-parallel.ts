/**
 * Runs `work` on each item, at most `atOnce` at the same time. After the first error it starts no further item, waits
 * for those in progress, and rejects with that error.
 */
export async function inParallel<T>(
  things: readonly T[],
  atOnce: number,
  work: (thing: T) => Promise<void>,
): Promise<void> {
  const left = [...things];
  const lanes = Array.from({ length: atOnce }, async () => {
    try {
      for (let thing = left.pop(); thing !== undefined; thing = left.pop()) await work(thing);
    } catch (error) {
      left.length = 0;
      throw error;
    }
  });
  const failed = (await Promise.allSettled(lanes)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}
