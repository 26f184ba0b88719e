import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { projectRoot } from '../../src/local/project-root.ts';

describe('One plain message', () => {
  it('passes at most 35 modules and 6 SQL functions, which the README names', () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(projectRoot, 'test/hops/main.ts')], {
      cwd: projectRoot,
      encoding: 'utf8',
    });
    assert.equal(status, 0, `${stdout}${stderr}`);
  });
});
