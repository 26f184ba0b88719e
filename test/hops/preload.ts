/** Loaded into every thread of the API and the worker by `--import`: counts the functions that are called, by V8's own
 *  counters. Signals the counters to a file at each SIGUSR2; each file holds the calls since the last one. */
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { join } from 'node:path';
import { isMainThread, threadId } from 'node:worker_threads';

const folder = process.env['HOPS_FOLDER'] ?? '';
const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

let takes = 0;
function take(): void {
  takes += 1;
  session.post('Profiler.takePreciseCoverage', (error, coverage) => {
    if (error) throw error;
    const called = coverage.result.flatMap(({ url, functions }) =>
      functions
        .filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0)
        .map(({ functionName, ranges }) => ({ url, functionName, offset: ranges[0]?.startOffset ?? 0 })),
    );
    writeFileSync(join(folder, `${process.pid}-${threadId}-${takes}.json`), JSON.stringify(called));
  });
}

const threads = new BroadcastChannel('hops');
if (isMainThread) {
  process.on('SIGUSR2', () => {
    threads.postMessage('take');
    take();
  });
} else threads.onmessage = take;
// Neither keeps a thread alive.
(threads as unknown as { unref: () => void }).unref();
