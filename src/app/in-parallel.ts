/**
 * Runs `work` on each item, beginning with the last, at most `atOnce` at the same time. After an error, starts no
 * further item, waits for the items in progress, and rejects with one of the errors.
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
