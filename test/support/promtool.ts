/**
 * Prometheus's own checker of rules: that of the PATH, or the one in Debian's package `prometheus`, unpacked into the
 * cache folder.
 */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from '../../src/local/cache-folder.ts';

const run = promisify(execFile);

/** @returns the program. @throws Error if none is installed and Debian's package cannot be downloaded */
export async function ensurePromtool(): Promise<string> {
  if (spawnSync('promtool', ['--version']).status === 0) return 'promtool';
  const folder = join(cacheFolder(), 'promtool');
  const program = join(folder, 'usr/bin/promtool');
  if (existsSync(program)) return program;
  const aside = mkdtempSync(join(tmpdir(), 'parley-promtool-'));
  try {
    const download = () => run('apt-get', ['download', '-qq', 'prometheus'], { cwd: aside });
    // A fresh system has no lists yet; only root can fetch them.
    await download().catch(async () => {
      await run('apt-get', ['update', '-qq']);
      await download();
    });
    const [archive = ''] = readdirSync(aside);
    await run('dpkg-deb', ['-x', join(aside, archive), join(aside, 'unpacked')]);
    mkdirSync(cacheFolder(), { recursive: true });
    await run('cp', ['-a', join(aside, 'unpacked'), `${folder}.${process.pid}`]);
    renameSync(`${folder}.${process.pid}`, folder);
  } catch (cause) {
    if (!existsSync(program))
      throw new Error('promtool is needed to evaluate the alert rules: install Prometheus.', { cause });
  } finally {
    rmSync(aside, { recursive: true });
  }
  return program;
}
