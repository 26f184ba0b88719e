/**
 * Bundles the workflow code, and caches the bundle until the code changes. With a cached bundle, a worker is ready in a
 * third of the time.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { z } from 'zod';
import { cacheFolder, cacheFolders, isWritable } from './cache-folder.ts';
import { filesBelow, projectRoot } from './project-root.ts';

/** Folders of the project whose files the bundle contains. A change in one of them leads to a new bundle. */
export const bundledFolders = ['workflows', 'src/contract', 'src/domain'] as const;

/**
 * Bundles the workflows, unless a cached bundle was made with this SDK version and the same files in `bundledFolders`.
 * @returns the path of the bundle
 */
export async function ensureWorkflowBundle(): Promise<string> {
  const hash = createHash('sha256').update(await sdkVersion());
  for (const folder of bundledFolders) {
    for (const file of await filesBelow(join(projectRoot, folder))) {
      hash.update(`\0${file}\0`).update(await readFile(file));
    }
  }
  const name = `workflow-bundle-${hash.digest('hex').slice(0, 16)}.js`;
  const own = join(projectRoot, '.cache');
  // Searches the user's cache folders too, because an earlier start stored the bundle there if the project was not
  // writable.
  const found = [own, ...cacheFolders()].map((folder) => join(folder, name)).find(existsSync);
  if (found !== undefined) return found;
  const path = join(isWritable(own) ? own : cacheFolder(), name);

  // Imports the bundler only if it is needed, because the import takes a third of a second.
  const { bundleWorkflowCode, DefaultLogger } = await import('@temporalio/worker');
  const { code } = await bundleWorkflowCode({
    workflowsPath: join(projectRoot, 'workflows', 'index.ts'),
    logger: new DefaultLogger('ERROR'),
  });
  // Writes the bundle under another name and renames it, because several processes may write it at once.
  await writeFile(`${path}.${process.pid}`, code);
  await rename(`${path}.${process.pid}`, path);
  return path;
}

async function sdkVersion(): Promise<string> {
  const path = createRequire(import.meta.url).resolve('@temporalio/workflow/package.json');
  return z.object({ version: z.string() }).parse(JSON.parse(await readFile(path, 'utf8'))).version;
}
