/** Resolves when the signal is aborted. */
export async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => {
    signal.addEventListener('abort', resolve, { once: true });
  });
}

/**
 * Waits for work that cannot be cancelled. An abort ends only the wait, not the work.
 * @throws the work's error; the signal's reason if the signal is aborted before the work has ended
 */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  // Marks an error of the work as handled, because nothing awaits the work after an abort.
  work.catch(() => undefined);
  const first = await Promise.race([work.then((value) => ({ value })), aborted(signal)]);
  if (first !== undefined) return first.value;
  throw signal.reason instanceof Error ? signal.reason : new Error('aborted');
}
