/**
 * Starts `work` on each item in order, at most `atOnce` at the same time. After an error, starts no
 * further item, waits for the items in progress, and rejects with one of the errors.
 */
export async function inParallel<T>(
  things: readonly T[],
  atOnce: number,
  work: (thing: T) => Promise<void>,
): Promise<void> {
  let next = 0;
  const lanes = Array.from({ length: atOnce }, async () => {
    try {
      while (next < things.length) await work(things[next++]!);
    } catch (error) {
      next = things.length;
      throw error;
    }
  });
  const failed = (await Promise.allSettled(lanes)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}
