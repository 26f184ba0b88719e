/** The short form of `npm run fuzz`, with a fixed seed. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

describe('Under made-up calls', () => {
  it('every operation keeps to its OpenAPI document: no 5xx, no other status, no other body', async () => {
    const main = join(import.meta.dirname, 'main.ts');
    const { stdout } = await run(process.execPath, [main, '--examples', '4', '--seed', '1'], {
      maxBuffer: 64 * 1024 * 1024,
    }).catch((failed: unknown) => {
      const { stdout, stderr } = failed as { stdout: string; stderr: string };
      throw new Error(`${stdout.slice(-20_000)}${stderr.slice(-4000)}`);
    });
    const [, selected, total] = /Operations:\s+(\d+) selected \/ (\d+) total/.exec(stdout) ?? [];
    assert.ok(selected !== undefined && selected === total && Number(total) >= 29, stdout.slice(0, 3000));
  });
});
