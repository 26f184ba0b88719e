/** Loaded by mocha before every test file: ends what tests share, and prints the last lines. */
import { writeFileSync, writeSync } from 'node:fs';
import './compile-cache.ts';
import { stopBacking } from './backing.ts';
import { countsOf, resultsVariable, testCounts, usedCpuMs } from './test-counts.ts';

export const mochaHooks = {
  afterAll: async (): Promise<void> => {
    await stopBacking();
  },
};

// Mocha passes over rejections that nobody handles: a test would be green although what it began has failed.
process.on('unhandledRejection', (reason) => {
  throw reason;
});

// At the very end, whatever it is: a test file that cannot be loaded counts as a failure too.
process.on('exit', (code) => {
  const { used, results } = testCounts;
  if (!used) return;
  if (!results.ended) {
    (results.files[''] ??= { passed: 0, ms: 0, cpuMs: 0, failures: [] }).failures.push(
      'The process ended before all tests had run.',
    );
    process.exitCode = 1;
  }
  const { passed, failed } = countsOf(results);
  writeSync(1, `${passed} passed, ${Math.max(failed, code === 0 ? 0 : 1)} failed\n`);
  results.cpuMs = usedCpuMs();
  const file = process.env[resultsVariable];
  if (file !== undefined) writeFileSync(file, JSON.stringify(results));
});
