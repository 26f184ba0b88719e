/** The house rules, as `npm run check` applies them. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { projectRoot } from '../../src/local/project-root.ts';

async function run(script: string): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    execFile(
      'npm',
      ['run', '--silent', script],
      { cwd: projectRoot, maxBuffer: 10e6 },
      (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : 1, output: stdout + stderr });
      },
    );
  });
}

describe('The house', function () {
  this.timeout(240_000);
  for (const [script, guarantee] of [
    ['check:format', 'is formatted'],
    ['check:types', 'is typed'],
    ['check:lint', 'keeps the lint rules'],
    ['check:layers', 'keeps the directions of imports'],
    ['check:dead', 'has no dead exports and no unused packages'],
  ] as const) {
    it(guarantee, async () => {
      const { code, output } = await run(script);
      assert.equal(code, 0, output);
    });
  }
});
