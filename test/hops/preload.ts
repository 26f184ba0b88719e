/** Loaded into every thread of the API and the worker by `--import`: counts the functions that are called, by V8's own
 *  counters. Writes them to a file when `take-1`, `take-2` … appears; each file holds the calls since the one before.
 * */
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';

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
        .map(({ ranges }) => ({ url, offset: ranges[0]?.startOffset ?? 0 })),
    );
    const file = join(folder, `${process.pid}-${threadId}-${takes}`);
    writeFileSync(file, JSON.stringify(called));
    renameSync(file, `${file}.json`);
  });
}

// Threads get no signals, so each looks for the order to write in the folder.
setInterval(() => {
  if (existsSync(join(folder, `take-${takes + 1}`))) take();
}, 50).unref();
