/** Posts the result of a bounded thread to in-bounded-thread.ts, which started the thread. */
import { parentPort } from 'node:worker_threads';

/**
 * Must be called once the thread's modules are loaded. Posts `loaded`; then the result of `read`, with the milliseconds
 * for which the thread has used a processor. Before Node 23.9, these are the milliseconds since the thread's start.
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
