import { setTimeout as delay } from 'node:timers/promises';

/** Asks again until there is an answer. @throws Error with what was waited for */
export async function until<T>(
  what: string,
  ask: () => T | undefined | false | Promise<T | undefined | false>,
  ms = 30_000,
): Promise<T> {
  const end = Date.now() + ms;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (Date.now() > end) throw new Error(`not within ${ms} ms: ${what}`);
    await delay(25);
  }
}
