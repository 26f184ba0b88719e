/**
 * Processes uploaded texts in separate threads with limited time and memory, so that a long text does not delay other
 * calls.
 */
import { on } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import { PublicError } from '../contract/errors.ts';
import { Limiter, NoSlot } from '../limits/limiter.ts';

/**
 * Maximum milliseconds of a thread's work after its modules are loaded. Chosen: the slowest known text of 1,000,000
 * characters takes 3 s.
 */
const maxMs = 5000;
/**
 * Maximum milliseconds until a thread's modules are loaded. Chosen: loading takes 0.3 s on an idle machine and far
 * longer on a busy one.
 */
const maxStartMs = 20_000;
/**
 * Maximum heap of a thread in MB. Chosen: a YAML text of 900,000 characters with 110,000 keys needs more than 64 MB.
 */
const maxOldGenerationSizeMb = 128;
/**
 * Maximum milliseconds of each of a call's two waits: for the organization's earlier calls, then for other
 * organizations' threads. Chosen: if a busy machine takes 5 s to start a thread and read a short document, even the
 * last of an organization's ten waiting calls runs within this time.
 */
const maxWaitMs = 60_000;
const message = z.object({ answer: z.unknown(), usedMs: z.number() });
const threads = new Limiter({ max: 1, maxPerOwner: 1, maxWaitMs });
const organizations = new Limiter({ maxPerOwner: 1, maxWaiting: 10, maxWaitMs });

/**
 * Starts a thread and waits for its answer. In one process, one thread runs at a time. After a thread, its organization
 * can start no other thread for as long as that thread used the processor. One organization thus uses at most half of a
 * processor. Elapsed time is only the fallback, because it grows while other programs keep the machine busy, and calls
 * would then be refused.
 * @param file the thread's module, which calls `answerWith` once its modules are loaded
 * @param tooComplex returns the error to throw if the thread ends without an answer, or takes too long
 * @returns the answer
 * @throws the error of `tooComplex`; PublicError rate_limited if too many calls of the organization wait, or one of
 * this call's waits exceeds `maxWaitMs`
 */
export async function inBoundedThread(
  organizationId: string,
  file: URL,
  workerData: unknown,
  tooComplex: (cause: unknown) => Error,
): Promise<unknown> {
  try {
    const free = await organizations.hold(organizationId);
    let pauseMs = 0;
    try {
      return await threads.use(organizationId, async () => {
        // A thread that does not answer counts as if it had used `maxMs`.
        pauseMs = maxMs;
        const { answer, usedMs } = await messageOf(file, workerData, tooComplex);
        pauseMs = usedMs;
        return answer;
      });
    } finally {
      void sleep(pauseMs, undefined, { ref: false }).then(free);
    }
  } catch (error) {
    if (!(error instanceof NoSlot)) throw error;
    const sentence = 'Other documents are being read. Try again in a moment.';
    throw new PublicError('rate_limited', { sentence, retryAfterSeconds: 5, cause: error });
  }
}

/**
 * Starts the thread, returns the message that it posts, and ends it.
 * @throws the error of `tooComplex` if the thread ends without a message, or takes too long
 */
async function messageOf(
  file: URL,
  workerData: unknown,
  tooComplex: (cause: unknown) => Error,
): Promise<z.output<typeof message>> {
  const thread = new Worker(file, { workerData, resourceLimits: { maxOldGenerationSizeMb }, env: {} });
  const ended = new AbortController();
  const end = () => {
    ended.abort();
  };
  let late = setTimeout(end, maxStartMs);
  try {
    thread.once('exit', end);
    const messages: AsyncIterable<unknown[]> = on(thread, 'message', { signal: ended.signal });
    for await (const [posted] of messages) {
      if (posted !== 'loaded') return message.parse(posted);
      clearTimeout(late);
      late = setTimeout(end, maxMs);
    }
    throw new Error('no answer');
  } catch (cause) {
    throw tooComplex(cause);
  } finally {
    clearTimeout(late);
    await thread.terminate();
  }
}
