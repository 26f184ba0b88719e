import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { projectRoot } from '../../src/local/project-root.ts';

const keys = Array.from({ length: 200 }, (_, index) => `key ${index}`);

/** @returns the keys that a process with this environment draws, a quarter of all */
function drawnWith(env: NodeJS.ProcessEnv): string[] {
  const code = `import { isDrawn } from './test/support/sample.ts';
    console.log(JSON.stringify(${JSON.stringify(keys)}.filter((key) => isDrawn(key, 4))));`;
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', code], {
    ...{ cwd: projectRoot, encoding: 'utf8' },
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: join(projectRoot, '.cache/compiled'), ...env },
  });
  return JSON.parse(output) as string[];
}

describe('A drawn sample', () => {
  it('is the same for the same seed, and four seeds that follow each other draw each key once', () => {
    const draws = [40, 41, 42, 43].map((seed) => drawnWith({ SAMPLE_SEED: String(seed) }));
    assert.deepEqual(drawnWith({ SAMPLE_SEED: '40' }), draws[0]);
    for (const draw of draws) assert.ok(draw.length > 20 && draw.length < 80, String(draw.length));
    assert.deepEqual(draws.flat().sort(), keys.toSorted());
  });

  it('is everything with SAMPLE=all, and a seed that is no number is refused', () => {
    assert.deepEqual(drawnWith({ SAMPLE: 'all' }), keys);
    assert.throws(() => drawnWith({ SAMPLE_SEED: 'today' }), /SAMPLE_SEED must be a whole number/);
  });
});
