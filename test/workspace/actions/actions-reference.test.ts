import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../../src/local/project-root.ts';
import { actionsReference } from './reference/actions-reference.ts';

describe('docs/ACTIONS.md', () => {
  it('is what the registry makes now: npm run generate:actions writes it', async () => {
    const file = join(projectRoot, 'docs', 'ACTIONS.md');
    assert.equal(readFileSync(file, 'utf8'), await actionsReference(file));
  });
});
