/** The bundle of the workflows is built again if a file that it contains has changed. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { bundledFolders, ensureWorkflowBundle } from '../../src/local/workflow-bundle.ts';

describe('The bundle of the workflows', () => {
  it('contains files of the folders that its name depends on, and no other files of the project', async () => {
    const bundle = await readFile(await ensureWorkflowBundle(), 'utf8');
    const files = new Set(
      Array.from(bundle.matchAll(/"\.\/((?:src|workflows|activities)\/[^"]+\.ts)"/g), ([, file]) => file!),
    );
    assert.ok(files.has('workflows/conversations/conversation.ts'));
    const others = [...files].filter(
      (file) => !bundledFolders.some((folder) => file.startsWith(`${folder}/`)),
    );
    assert.deepEqual(others, []);
  });
});
