/** What a bounded thread does; in-bounded-thread.ts starts it. */
import { parentPort } from 'node:worker_threads';

/**
 * Posts `loaded`, since the modules are, then what `read` returns and the milliseconds of a processor that the thread has
 * used. Before Node 23.9 these are the milliseconds since its start.
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
