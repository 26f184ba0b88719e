import { setTimeout as delay } from 'node:timers/promises';
import { WorkflowNotFoundError } from '@temporalio/client';

/**
 * Between two questions: what waits for long is asked less often, since each question costs the machine of all tests.
 */
const pause = { leastMs: 25, mostMs: 100, shareOfWait: 0.1 };

/** Asks again until there is an answer; a workflow that has not started yet gives none, since a call is answered before
 *  its workflow is nudged. @param what is waited for, or what is known of it at the end
 *  @throws Error with that */
export async function until<T>(
  what: string | (() => string),
  ask: () => T | undefined | false | Promise<T | undefined | false>,
  ms = 120_000,
): Promise<T> {
  const begun = Date.now();
  for (;;) {
    const answer = await answerOf(ask);
    if (answer !== undefined && answer !== false) return answer;
    const waited = Date.now() - begun;
    if (waited > ms) {
      throw new Error(`not within ${ms} ms: ${typeof what === 'string' ? what : what()}`);
    }
    await delay(Math.min(Math.max(pause.leastMs, waited * pause.shareOfWait), pause.mostMs));
  }
}

async function answerOf<T>(ask: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}
