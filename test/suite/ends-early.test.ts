/** The result of the suite if a file does not come to its end. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { projectRoot } from '../../src/local/project-root.ts';

function runAll(...files: string[]): { status: number | null; lastLine: string | undefined } {
  const { status, stdout } = spawnSync(process.execPath, ['test/run-all.ts', ...files], {
    cwd: projectRoot,
    encoding: 'utf8',
  });
  return { status, lastLine: stdout.trimEnd().split('\n').at(-1) };
}

describe('The suite is red', () => {
  const planted = (name: string) => join('test/suite', `${name}.planted.ts`);

  it('if a test ends the process with exit code 0', () => {
    assert.deepEqual(runAll(planted('ends-early')), { status: 1, lastLine: '1 passed, 1 failed' });
  });

  it('if a before hook fails', () => {
    assert.deepEqual(runAll(planted('dies-before')), { status: 1, lastLine: '0 passed, 1 failed' });
  });

  it('if a test leaves a rejection that nobody handles', () => {
    // Mocha counts the end of that test as another failure.
    assert.deepEqual(runAll(planted('rejects-unhandled')), { status: 1, lastLine: '0 passed, 2 failed' });
  });

  it('if a test fails that would pass at a second try', () => {
    assert.deepEqual(runAll(planted('second-try')), { status: 1, lastLine: '0 passed, 1 failed' });
  });

  it('if a file reports no test, whatever the others do', () => {
    assert.deepEqual(runAll(planted('reports-nothing'), planted('second-try')), {
      status: 1,
      lastLine: '0 passed, 2 failed',
    });
  });

  it('if a pattern names no file', () => {
    assert.equal(runAll('no-such-test').status, 2);
  });
});
