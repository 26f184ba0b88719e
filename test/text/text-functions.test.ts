/** The list of functions whose time is measured contains every function that reads text. */
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from '../../src/local/project-root.ts';
import { folders, textFunctions } from './text-functions.ts';

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

describe('The functions that read text', () => {
  it('each have an entry in text-functions.ts', async () => {
    const exported = (await Promise.all(folders.map(exportedFunctions))).flat();
    assert.deepEqual(
      exported.filter((name) => textFunctions[name] === undefined),
      [],
    );
    assert.ok(exported.length > 90);
  });
});
