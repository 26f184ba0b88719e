/**
 * Parses the long texts of strangers in a separate thread, bounded in time and memory, so that other calls do not wait.
 */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { PublicError } from '../contract/errors.ts';
import { Limiter, NoSlot } from '../limits/limiter.ts';

/** Maximum milliseconds of a thread's work. Chosen: the densest text of 1,000,000 characters takes 3 s. */
const maxMs = 5000;
/** Maximum milliseconds until the thread runs, while the processors are busy. Chosen. */
const maxStartMs = 10_000;
/** Memory of a thread. Chosen: a YAML text of 900,000 characters with 110,000 keys needs more than 64 MB. */
const maxOldGenerationSizeMb = 128;
const maxWaitMs = 15_000;
const threads = new Limiter({ max: 1, maxPerOwner: 1, maxWaitMs });
const organizations = new Limiter({ maxPerOwner: 1, maxWaiting: 10, maxWaitMs });

/**
 * Runs a thread until its first message. One thread runs at a time. An organization's next thread waits as long as its
 * previous one ran, so that one organization uses at most half a processor.
 * @param file the thread's module, which posts one message
 * @param tooComplex returns the error to throw if the thread ends without a message, or takes too long
 * @returns the message
 * @throws the error of `tooComplex`; PublicError rate_limited if too many wait
 */
export async function inBoundedThread(
  organizationId: string,
  file: URL,
  workerData: unknown,
  tooComplex: (cause: unknown) => Error,
): Promise<unknown> {
  try {
    const free = await organizations.hold(organizationId);
    let ranMs = 0;
    try {
      return await threads.use(organizationId, async () => {
        const begun = performance.now();
        return await firstMessage(file, workerData, tooComplex).finally(() => {
          ranMs = performance.now() - begun;
        });
      });
    } finally {
      void sleep(ranMs, undefined, { ref: false }).then(free);
    }
  } catch (error) {
    if (!(error instanceof NoSlot)) throw error;
    const sentence = 'Other documents are being read. Try again in a moment.';
    throw new PublicError('rate_limited', { sentence, retryAfterSeconds: 5, cause: error });
  }
}

async function firstMessage(
  file: URL,
  workerData: unknown,
  tooComplex: (cause: unknown) => Error,
): Promise<unknown> {
  const thread = new Worker(file, { workerData, resourceLimits: { maxOldGenerationSizeMb }, env: {} });
  const ended = new AbortController();
  const end = () => {
    ended.abort();
  };
  let late = setTimeout(end, maxStartMs);
  try {
    thread.once('online', () => {
      clearTimeout(late);
      late = setTimeout(end, maxMs);
    });
    thread.once('exit', end);
    const messages: unknown[] = await once(thread, 'message', { signal: ended.signal });
    return messages[0];
  } catch (cause) {
    throw tooComplex(cause);
  } finally {
    clearTimeout(late);
    await thread.terminate();
  }
}
