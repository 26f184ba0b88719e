import { ParleyError } from './parley-error.ts';

/** Of one request; a Request because a retry sends it anew. */
export type Fetch = (request: Request) => Promise<Response>;

const maxWaitMs = 60_000;
const firstWaitMs = 250;

/**
 * Repeats a request where that is safe: after 429, which takes nothing in; after 503 and a broken connection where a
 * repeat adds nothing, as with every method but POST, and with POST under an Idempotency-Key. It waits as Retry-After
 * says, or twice as long each time; where that is more than a minute the answer is returned as it is.
 * @param tries in all, at least 1
 * @throws ParleyError `unreachable`; what the signal was aborted with
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

/** Retry-After is a number of seconds, or a date. */
function retryAfterMs(response: Response): number | undefined {
  const said = response.headers.get('Retry-After');
  if (said === null) return undefined;
  const ms = /^\d+$/.test(said) ? Number(said) * 1000 : Date.parse(said) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** @throws what the signal is aborted with, at once */
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
