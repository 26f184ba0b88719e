import { ParleyError } from './parley-error.ts';

/** Sends one request. Takes a Request instead of a URL, because a retry sends a copy of the same request. */
export type Fetch = (request: Request) => Promise<Response>;

const maxWaitMs = 60_000;
const firstWaitMs = 250;

/**
 * Returns a `fetch` that retries. After 429, it retries any request, because the server has accepted nothing. After 503
 * or a broken connection, it does not retry a POST without an Idempotency-Key, because the server may have accepted it.
 * Between attempts, it waits as long as Retry-After says or, without this header, with exponential backoff. If no
 * attempt is left, or the wait would exceed `maxWaitMs`, it returns the last response. It throws ParleyError
 * `unreachable` after a broken connection that it does not retry, and the signal's reason if the request is aborted.
 * @param tries maximum number of attempts, at least 1
 */
export function retryingFetch(fetch: Fetch, tries: number): Fetch {
  return async (request) => {
    const repeatable = request.method !== 'POST' || request.headers.has('Idempotency-Key');
    for (let attempt = 1; ; attempt++) {
      let waitMs = firstWaitMs * 2 ** (attempt - 1);
      try {
        const response = await fetch(request.clone());
        const asksForMore = response.status === 429 || (response.status === 503 && repeatable);
        waitMs = retryAfterMs(response) ?? waitMs;
        if (!asksForMore || attempt >= tries || waitMs > maxWaitMs) return response;
        await response.body?.cancel();
      } catch (error) {
        request.signal.throwIfAborted();
        if (!repeatable || attempt >= tries) throw ParleyError.unreachable(error);
      }
      await pause(waitMs, request.signal);
    }
  };
}

/**
 * Reads Retry-After, given as seconds or as a date.
 * @returns the delay in milliseconds, at least 0; undefined if the header is absent or invalid
 */
function retryAfterMs(response: Response): number | undefined {
  const said = response.headers.get('Retry-After');
  if (said === null) return undefined;
  const ms = /^\d+$/.test(said) ? Number(said) * 1000 : Date.parse(said) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** Waits `ms` milliseconds. @throws the signal's reason as soon as the signal is aborted */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
  });
  signal?.throwIfAborted();
}
