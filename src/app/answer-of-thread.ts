/** Posts the result of a bounded thread to in-bounded-thread.ts, which started the thread. */
import { parentPort } from 'node:worker_threads';

/**
 * Posts `loaded`, then the result of `read` and the milliseconds of processor time that the thread has used. Must be
 * called after the thread's modules have loaded.
 */
export function answerWith(read: () => unknown): void {
  parentPort?.postMessage('loaded');
  const answer = read();
  const { user, system } = process.threadCpuUsage();
  parentPort?.postMessage({ answer, usedMs: (user + system) / 1000 });
}
