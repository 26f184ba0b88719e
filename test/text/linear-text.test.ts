/** No text that a stranger, a tenant or a model can send takes more than linear time. A sample is an eighth of the texts, up to
 *  256,000 characters; `npm run test:text` feeds all of them up to 1,024,000. */
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from '../../src/local/project-root.ts';
import { drawnBy } from '../support/sample.ts';
import { GrowthThread } from './growth-thread.ts';
import { folders, plantedFunctions, textFunctions } from './text-functions.ts';

/** More than any of them takes at the sizes that show its growth, less than it takes at those that end it. */
const plantedCallMs = 4000;

async function exportedFunctions(folder: string): Promise<string[]> {
  const files = (await readdir(join(projectRoot, folder), { recursive: true })).filter((file) =>
    file.endsWith('.ts'),
  );
  const names: string[] = [];
  for (const file of files) {
    const module = (await import(join(projectRoot, folder, file))) as Record<string, unknown>;
    for (const [name, value] of Object.entries(module)) if (typeof value === 'function') names.push(name);
  }
  return names;
}

describe(`Linear time over hostile texts (${drawnBy})`, () => {
  const thread = new GrowthThread();

  after(() => thread.end());

  it('has an entry for every exported function of the folders that read text', async () => {
    const exported = (await Promise.all(folders.map(exportedFunctions))).flat();
    assert.deepEqual(
      exported.filter((name) => textFunctions[name] === undefined),
      [],
    );
    assert.ok(exported.length > 90);
  });

  for (const [name, feeds] of Object.entries(textFunctions)) {
    if (typeof feeds === 'string') continue;
    it(`${name} takes linear time`, async () => {
      assert.deepEqual(await thread.faultsOf(name), []);
    });
  }

  for (const name of Object.keys(plantedFunctions)) {
    it(`catches a planted function: ${name}`, async () => {
      assert.notDeepEqual(await thread.faultsOf(name, plantedCallMs), []);
    });
  }
});
