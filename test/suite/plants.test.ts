import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../src/local/project-root.ts';
import { suiteFaults } from './plants.ts';

describe('Every fault that `npm run test:plants` plants', () => {
  it('has its test, and its place in the source', () => {
    for (const { fault, test, edits } of suiteFaults) {
      assert.ok(existsSync(join(projectRoot, test)), test);
      for (const [file, from] of edits)
        assert.ok(readFileSync(join(projectRoot, file), 'utf8').includes(from), `${fault}: ${file}`);
    }
  });
});
