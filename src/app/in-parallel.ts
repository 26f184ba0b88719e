/**
 * Starts `work` on each item in order, at most `atOnce` at the same time. After an error, starts no further item, waits
 * for the items in progress, and rejects with one of the errors.
 */
export async function inParallel<T>(
  things: readonly T[],
  atOnce: number,
  work: (thing: T) => Promise<void>,
): Promise<void> {
  let failed = false;
  // All lanes take from one iterator, so each item is taken once.
  const left = things.values();
  const lanes = Array.from({ length: atOnce }, async () => {
    try {
      for (let next = left.next(); !failed && next.done !== true; next = left.next()) await work(next.value);
    } catch (error) {
      failed = true;
      throw error;
    }
  });
  const rejected = (await Promise.allSettled(lanes)).find(({ status }) => status === 'rejected');
  if (rejected?.status === 'rejected') throw rejected.reason;
}
