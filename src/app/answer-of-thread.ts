/** Posts the result of a bounded thread to in-bounded-thread.ts, which started the thread. */
import { parentPort } from 'node:worker_threads';

/**
 * Posts `loaded`, calls `read`, and posts its result with the thread's processor time in milliseconds. Before Node
 * 23.9, the time since the thread's start replaces the processor time. Must be called after the thread's modules have
 * loaded.
 */
export function answerWith(read: () => unknown): void {
  parentPort?.postMessage('loaded');
  const answer = read();
  const { user, system } = process.threadCpuUsage();
  parentPort?.postMessage({ answer, usedMs: (user + system) / 1000 });
}
