/** docs/permissions.md is what its command prints. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { projectRoot } from '../../src/local/project-root.ts';

describe('docs/permissions.md', () => {
  it('is what `npm run generate:permissions` writes', async () => {
    const file = join(projectRoot, 'docs/permissions.md');
    const { stdout } = await promisify(execFile)('npm', ['run', '-s', 'parley', '--', 'permissions'], {
      cwd: projectRoot,
    });
    const page = await format(stdout, { ...(await resolveConfig(file)), parser: 'markdown' });
    assert.equal(readFileSync(file, 'utf8'), page);
  });
});
