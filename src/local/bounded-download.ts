/** Limits the size of a download, and finds the cause of a failed one. */

/** Yields the chunks of `source`. @throws Error with the message `problem` once they exceed `maxBytes` in total */
export async function* atMost(
  source: AsyncIterable<Uint8Array>,
  maxBytes: number,
  problem = `more than ${maxBytes / 1e6} MB`,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error(problem);
    yield chunk;
  }
}

/** @returns the message of the innermost cause, because the message of `fetch` itself does not say why it failed */
export function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : reason(error.cause);
}
