/** Schemathesis, in a folder of its own below the cache; fetched from the package index when it is not there. */
import { spawnSync } from 'node:child_process';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from '../../src/local/cache-folder.ts';

const version = '4.32.5';

/** @returns the program. @throws Error that says what is missing on this machine */
export function ensureSchemathesis(): string {
  const folder = join(cacheFolder(), `schemathesis-${version}`);
  const program = join(folder, 'bin', 'schemathesis');
  if (existsSync(program)) return program;
  console.log(`Fetching Schemathesis ${version} …`);
  rmSync(folder, { recursive: true, force: true });
  try {
    // Python's own pip, or, where a system leaves that out (python3-venv on Debian), the system's.
    if (!succeeds('python3', ['-m', 'venv', folder]))
      must('python3', ['-m', 'venv', '--clear', '--without-pip', folder]);
    const python = join(folder, 'bin', 'python');
    const wanted = ['install', '--quiet', '--disable-pip-version-check', `schemathesis==${version}`];
    if (!succeeds(python, ['-m', 'pip', ...wanted]))
      must('python3', ['-m', 'pip', '--python', python, ...wanted]);
  } catch (error) {
    // Half of it must not look like all of it the next time.
    if (existsSync(folder)) renameSync(folder, `${folder}.failed-${process.pid}`);
    throw error;
  }
  return program;
}

function succeeds(command: string, args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}

function must(command: string, args: readonly string[]): void {
  const { status, error, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status === 0) return;
  throw new Error(
    `Fuzzing needs Schemathesis ${version} from the Python package index, and it could not be installed. ` +
      `It takes Python 3.10 or newer with venv and pip. What failed: ${command} ${args.join(' ')}: ${error?.message ?? stderr}`,
  );
}
