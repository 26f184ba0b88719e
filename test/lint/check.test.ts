/**
 * The house rules, as `npm run check` applies them: what was found good before is kept in node_modules/.cache, by its
 * content.
 */
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

describe('The house', () => {
  const rules = [
    ['check:format', 'is formatted'],
    ['check:types', 'is typed, and keeps the lint rules that need types'],
    ['check:lint', 'keeps the other lint rules'],
    ['check:layers', 'keeps the directions of imports'],
    ['check:dead', 'has no dead exports and no unused packages'],
  ] as const;
  const ended = new Map<string, ReturnType<typeof run>>();

  before(() => {
    // All at once: each has one core's worth of work.
    for (const [script] of rules) ended.set(script, run(script));
  });

  for (const [script, guarantee] of rules) {
    it(guarantee, async () => {
      const result = await ended.get(script);
      assert.equal(result?.code, 0, result?.output);
    });
  }
});
