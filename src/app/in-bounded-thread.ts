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
 * Maximum milliseconds of a thread's work after its modules have loaded. Chosen: the slowest known text of 1,000,000
 * characters takes 3 s on an idle machine and longer on a busy one.
 */
const maxMs = 15_000;
/**
 * Maximum milliseconds until a thread's modules have loaded. Chosen: loading takes 0.3 s on an idle machine and far
 * longer on a busy one.
 */
const maxStartMs = 20_000;
/**
 * Maximum heap of a thread in MB. Chosen: a YAML text of 900,000 characters with 110,000 keys needs more than 64 MB.
 */
const maxOldGenerationSizeMb = 128;
/**
 * Maximum milliseconds of each of the two waits of a call: first for the organization's earlier calls, then for the
 * threads of other organizations. Chosen: if a busy machine takes 5 s to start a thread and read a short document,
 * even the last of an organization's ten waiting calls runs within this time.
 */
const maxWaitMs = 60_000;
const message = z.object({ answer: z.unknown(), usedMs: z.number() });
const threads = new Limiter({ max: 1, maxPerOwner: 1, maxWaitMs });
const organizations = new Limiter({ maxPerOwner: 1, maxWaiting: 10, maxWaitMs });

/**
 * Starts a thread and waits for its answer. In one process, one thread runs at a time. After a thread, its
 * organization can start no other thread for as long as that thread used the processor, so that one organization uses
 * at most half of a processor. Before Node 23.9, the time for which the thread ran is used instead. This is only a
 * fallback: it grows while other programs keep the machine busy, so that more calls are refused.
 * @param file the thread's module, which calls `answerWith` once its modules have loaded
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
        // If the thread does not answer, it counts as if it had used the processor for `maxMs`.
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
 * Starts the thread, waits for the message with its answer, and terminates it.
 * @throws the error of `tooComplex` if the thread ends without this message, or takes too long
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
