/**
 * Calls `work` for each item in order, with at most `atOnce` calls in progress. After a call has failed, makes no
 * further call, waits for the calls in progress, and rejects with the error of a failed call.
 */
export async function inParallel<T>(
  things: readonly T[],
  atOnce: number,
  work: (thing: T) => Promise<void>,
): Promise<void> {
  let failed = false;
  // All lanes share one iterator, so each item is processed once.
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
