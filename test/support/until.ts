import { setTimeout as delay } from 'node:timers/promises';
import { WorkflowNotFoundError } from '@temporalio/client';

/** Asks again until there is an answer; a workflow that has not started yet gives none, since a call is answered before
 *  its workflow is nudged. @param what is waited for, or what is known of it at the end
 *  @throws Error with that */
export async function until<T>(
  what: string | (() => string),
  ask: () => T | undefined | false | Promise<T | undefined | false>,
  ms = 30_000,
): Promise<T> {
  const end = Date.now() + ms;
  for (;;) {
    const answer = await answerOf(ask);
    if (answer !== undefined && answer !== false) return answer;
    if (Date.now() > end) {
      throw new Error(`not within ${ms} ms: ${typeof what === 'string' ? what : what()}`);
    }
    await delay(25);
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
