/** Runs work on many items with bounded concurrency. */
export async function inParallel<T>(
  things: readonly T[],
  atOnce: number,
  work: (thing: T) => Promise<void>,
): Promise<void> {
  const left = [...things];
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let thing = left.pop(); thing !== undefined; thing = left.pop()) await work(thing);
    }),
  );
}
