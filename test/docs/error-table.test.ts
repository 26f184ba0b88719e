import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorTable } from '../../src/contract/error-table.ts';
import { projectRoot } from '../../src/local/project-root.ts';
import { promisedErrors } from '../support/promised-errors.ts';

describe('Error codes', () => {
  it('keep the status and the sentence that callers rely on', () => {
    assert.deepEqual(errorTable, promisedErrors);
  });
});

describe('docs/api.md', () => {
  it('has every error code with its status, and what to do about it', () => {
    const page = readFileSync(join(projectRoot, 'docs/api.md'), 'utf8');
    const rows = [...page.matchAll(/^\| (\d{3}) +\| `(\w+)` +\| (\S.*?) *\|$/gm)];
    const named = rows.map(([, status, code]) => [code, Number(status)]);
    const known = Object.entries(errorTable).map(([code, [status]]) => [code, status]);
    assert.deepEqual(named.sort(), known.sort());
  });
});
