/**
 * A Postgres data folder with the newest schema, made once and copied: a stack waits neither for initdb nor for
 * migrations.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { migrate } from '../../src/adapters/postgres/migrate.ts';
import { makeLogins } from '../../src/local/database-logins.ts';
import { startPostgres } from '../../src/local/postgres.ts';
import { filesBelow, projectRoot } from '../../src/local/project-root.ts';

/** The database of a prepared folder that has the newest schema; `parley` is empty. */
export const template = 'template_parley';

/**
 * A Postgres that is killed loses nothing without them: its pages are in the kernel. Only a machine that stops would
 * lose some.
 */
const withoutDisk = '\nfsync = off\nfull_page_writes = off\n';

const run = promisify(execFile);

/** Fills `dataDir` so that `startPostgres({ dataDir })` finds its cluster there. */
export async function prepareCluster(dataDir: string): Promise<void> {
  const prepared = await preparedFolder();
  mkdirSync(dataDir, { recursive: true });
  // -a keeps the owner, who is not the one that copies where that is root.
  await run('cp', ['-a', `${prepared}/.`, dataDir]);
}

/**
 * @returns the folder of the prepared cluster, which is built again if the schema's code or Postgres's version has
 * changed
 */
export async function preparedFolder(): Promise<string> {
  const hash = createHash('sha256');
  const sources = await filesBelow(join(projectRoot, 'src/adapters/postgres'));
  // package.json names Postgres's version.
  for (const file of [join(projectRoot, 'package.json'), import.meta.filename, ...sources]) {
    hash.update(`\0${file}\0`).update(await readFile(file));
  }
  const path = join(projectRoot, '.cache', `test-postgres-${hash.digest('hex').slice(0, 16)}`);
  if (!existsSync(path)) await make(path);
  return path;
}

async function make(path: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-prepared-'));
  try {
    const postgres = await startPostgres({ dataDir: folder });
    const admin = new pg.Client(postgres.url);
    await admin.connect();
    await admin.query(`create database ${template}`);
    await admin.end();
    const url = postgres.url.replace(/\/parley$/, `/${template}`);
    await migrate(url);
    await makeLogins(url, new URL(url).password);
    await postgres.stop();
    appendFileSync(join(folder, 'cluster/postgresql.conf'), withoutDisk);
    const aside = `${path}.${process.pid}`;
    mkdirSync(aside, { recursive: true });
    await run('cp', ['-a', `${folder}/.`, aside]);
    chmodSync(aside, 0o755);
    try {
      renameSync(aside, path);
      forgetOlder(path);
    } catch (error) {
      // Another process has made it meanwhile.
      rmSync(aside, { recursive: true });
      if (!existsSync(path)) throw error;
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Those of earlier code, which another run of this minute may still copy. */
function forgetOlder(path: string): void {
  const hourMs = 3_600_000;
  for (const name of readdirSync(dirname(path))) {
    const other = join(dirname(path), name);
    if (!name.startsWith('test-postgres-') || Date.now() - statSync(other).ctimeMs < hourMs) continue;
    rmSync(other, { recursive: true, force: true });
  }
}
