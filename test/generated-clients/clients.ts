/**
 * `npm run test:clients`: other people's clients against a running API. What they need is fetched into the cache
 * folder.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { useSharedStack } from '../support/stack.ts';
import { generators } from './generators.ts';

describe('Clients made by', () => {
  const stack = useSharedStack();
  const folders: string[] = [];
  after(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  for (const { name, make, start } of generators)
    it(`${name} compile without an edit, send messages and read them`, async () => {
      const { api, apiUrl, token } = stack();
      const folder = mkdtempSync(join(tmpdir(), 'parley-generated-'));
      folders.push(folder);
      const documentFile = join(folder, 'openapi.json');
      const { body } = await api.call('GET', '/openapi.json', { token: null });
      writeFileSync(documentFile, JSON.stringify(body));
      await make(documentFile, folder);
      const agent = await api.createAgent({
        script: [{ when: '^one$', reply: 'first' }, { reply: 'second' }],
      });
      const printed = JSON.parse(await start(folder, [apiUrl, token, agent.id])) as { written: string[] };
      assert.deepEqual(
        { ...printed, written: printed.written.toSorted() },
        {
          acknowledged: 'processing',
          response: 'second',
          order: 17,
          written: [agent.name, agent.name, 'answered', 'answered'],
          next: null,
          refused: 'validation_failed',
        },
      );
    });
});
