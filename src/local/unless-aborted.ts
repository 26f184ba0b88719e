/** Settles when the signal is aborted. */
export async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => {
    signal.addEventListener('abort', resolve, { once: true });
  });
}

/** For work that cannot be broken off: the wait for it can. @throws the signal's reason */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  // Nobody waits any more for a failure after the abort.
  work.catch(() => undefined);
  const first = await Promise.race([work.then((value) => ({ value })), aborted(signal)]);
  if (first !== undefined) return first.value;
  throw signal.reason instanceof Error ? signal.reason : new Error('aborted');
}
