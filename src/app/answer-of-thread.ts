/** Posts the result of a bounded thread to in-bounded-thread.ts, which started the thread. */
import { parentPort } from 'node:worker_threads';

/**
 * Posts `loaded`, then the result of `read` and the milliseconds of processor time that the thread has used; before
 * Node 23.9, the milliseconds since the thread's start instead. Must be called after the thread's modules have loaded.
 */
export function answerWith(read: () => unknown): void {
  parentPort?.postMessage('loaded');
  const answer = read();
  parentPort?.postMessage({ answer, usedMs: usedMs() });
}

function usedMs(): number {
  if (!('threadCpuUsage' in process)) return performance.now();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
