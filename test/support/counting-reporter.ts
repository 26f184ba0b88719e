/** Mocha's spec report, with the counts and times of each file kept for the last lines. */
import { relative } from 'node:path';
import Mocha from 'mocha';
import { projectRoot } from '../../src/local/project-root.ts';
import { testCounts, usedCpuMs, type FileCounts } from './test-counts.ts';

testCounts.used = true;
const { files } = testCounts.results;

function countsIn({ file }: { file?: string | undefined }): FileCounts {
  return (files[file === undefined ? '' : relative(projectRoot, file)] ??= {
    passed: 0,
    ms: 0,
    cpuMs: 0,
    failures: [],
  });
}

function told(test: Mocha.Runnable, error: Error): string {
  const cause = error.cause instanceof Error ? ` (${String(error.cause)})` : '';
  return `${test.fullTitle()}: ${error.message.replace(/\s+/g, ' ').slice(0, 500)}${cause}`;
}

class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options?: Mocha.MochaOptions) {
    super(runner, options);
    let begun = 0;
    let usedBefore = 0;
    runner.on('suite', (suite) => {
      if (suite.parent?.root !== true) return;
      begun = performance.now();
      usedBefore = usedCpuMs();
    });
    runner.on('suite end', (suite) => {
      if (suite.parent?.root !== true) return;
      const counts = countsIn(suite);
      counts.ms += Math.round(performance.now() - begun);
      counts.cpuMs += Math.round(usedCpuMs() - usedBefore);
    });
    runner.once(Mocha.Runner.constants.EVENT_RUN_END, () => {
      testCounts.results.ended = true;
    });
    runner.on('pass', (test) => {
      countsIn(test).passed += 1;
    });
    runner.on('fail', (test, error: Error) => {
      countsIn(test).failures.push(told(test, error));
    });
  }
}

// Mocha takes reporters by require().
export { CountingReporter as 'module.exports' };
