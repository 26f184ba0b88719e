/** Mocha's spec report, with the counts kept for the last line. */
import Mocha from 'mocha';
import { testCounts } from './test-counts.ts';

testCounts.used = true;

class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options?: Mocha.MochaOptions) {
    super(runner, options);
    runner.on('pass', () => {
      testCounts.passed += 1;
    });
    runner.on('fail', () => {
      testCounts.failed += 1;
    });
    // Told, so that a test that fails now and then is seen and mended.
    runner.on(Mocha.Runner.constants.EVENT_TEST_RETRY, (test: Mocha.Test, error: Error) => {
      const cause = error.cause instanceof Error ? ` (${String(error.cause)})` : '';
      testCounts.retried.push(`${test.fullTitle()}: ${error.message.slice(0, 500)}${cause}`);
    });
  }
}

// Mocha takes reporters by require().
export { CountingReporter as 'module.exports' };
