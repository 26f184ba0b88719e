/** Installs llama.cpp for Node into the cache folder with npm. A lock file pins the SHA-512 of every package. */
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { cacheFolder, cacheFolders } from '../cache-folder.ts';
import { runWatched, thisPlatform } from '../fetch-program.ts';
import { StartProblem } from '../start-problem.ts';
import { engine, engineBuild } from './pinned.ts';

const entry = 'node_modules/node-llama-cpp/dist/index.js';

const lockFile = z.looseObject({ packages: z.record(z.string(), z.looseObject({})) });

/**
 * Finds the engine in the cache folders, or installs it. No install script runs, so none can download or build.
 * @returns the path of the module to import
 * @throws StartProblem if no build is pinned for this machine, or npm cannot install it
 */
export async function ensureEngine(
  report: (line: string) => void,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  const build = engineBuild();
  if (build === undefined) {
    throw new StartProblem(
      `No build of llama.cpp is pinned for ${thisPlatform}. Start Ollama or LM Studio instead: the console finds it under Models.`,
    );
  }
  const name = `llama-${engine.version}-${thisPlatform}`;
  const found = cacheFolders(env)
    .map((folder) => join(folder, name, entry))
    .find((path) => existsSync(path));
  if (found !== undefined) return found;

  const folder = cacheFolder(env);
  report(`Installing llama.cpp for Node ${engine.version} (MIT, ${engine.megabytes} MB) with npm …`);
  // Installs into another folder and moves it at the end, so that no start uses an incomplete installation.
  const aside = await mkdtemp(join(folder, 'fetch-'));
  try {
    await writePackage(aside, build);
    const failed = await runWatched(
      'npm',
      ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', aside],
      { folder: aside, report, env: { ...env, NODE_LLAMA_CPP_SKIP_DOWNLOAD: 'true' } },
    );
    if (failed !== undefined) throw new StartProblem(`llama.cpp could not be installed: ${failed}`);
    await rename(aside, join(folder, name)).catch((error: unknown) => {
      // Another start has installed it in the meantime.
      if (!existsSync(join(folder, name, entry))) throw error;
    });
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
  return join(folder, name, entry);
}

/** Writes package.json, and the lock file without the builds for other platforms. */
async function writePackage(folder: string, build: string): Promise<void> {
  const lock = lockFile.parse(
    JSON.parse(await readFile(new URL('./engine-lock.json', import.meta.url), 'utf8')),
  );
  const name = 'parley-local-model';
  const dependencies = { 'node-llama-cpp': engine.version, [build]: engine.version };
  const others = Object.values(engine.builds).filter((one) => one !== build);
  const packages = Object.fromEntries(
    Object.entries(lock.packages).filter(([path]) => !others.some((one) => path === `node_modules/${one}`)),
  );
  packages[''] = { name, dependencies };
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name, private: true, dependencies }));
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify({ ...lock, packages }));
}
