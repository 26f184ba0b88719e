/** Starts Temporal's development server, with its database in a file and its UI behind the proxy in ui-door.ts. */
import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { searchAttributeNames } from '../contract/workflows.ts';
import type { Running } from './keep-running.ts';
import { freePort } from './ports.ts';
import { spawnLogged } from './spawn-logged.ts';
import { StartProblem } from './start-problem.ts';
import { hiddenLoopback, startUiDoor } from './ui-door.ts';

export type Temporal = Running & Readonly<{ address: string; uiUrl: string }>;

/** Maximum milliseconds until the server is ready. Chosen: the start takes 1 s on an idle machine. */
const maxStartMs = 60_000;

const dynamicConfig = [
  // The UI's proxy (ui-door.ts) forwards the browser's Host header, so the server must allow the host names under which
  // people open the UI.
  'frontend.httpAllowedHosts=["127.0.0.1:*","localhost:*"]',
  // With transferProcessorMaxPollRPS at its default of 20, every task waits for 100 ms after ten workflows in quick
  // succession. With maxInFlightUpdates at its default of 10, an eleventh concurrent update waits for seconds.
  'history.transferProcessorMaxPollRPS=2000',
  'history.maxInFlightUpdates=1000',
  // With the default of four partitions and few pollers, a task sometimes waits for seconds.
  'matching.numTaskqueueReadPartitions=1',
  'matching.numTaskqueueWritePartitions=1',
  // Fairness is off by default. Without it, a message of one organization waits until the server has handled the whole
  // burst of another.
  'matching.enableFairness=true',
];

/**
 * Starts the server and waits until it is ready.
 * @param options.binary path of the `temporal` program
 * @param options.dataDir an existing folder for the server's database
 * @throws StartProblem if the server cannot be run, exits, or is not ready after `maxStartMs`; the signal's reason if
 * the signal is aborted; the error of `listen` if the UI's port is in use
 */
export async function startTemporal(options: {
  binary: string;
  dataDir: string;
  port: number;
  uiPort: number;
  namespace: string;
  log: string;
  /** Further values of the server's dynamic configuration, each as `name=value`. */
  settings?: readonly string[];
  /** Additional environment variables of the server. They override those of temporalEnvironment(). */
  env?: NodeJS.ProcessEnv;
  pidFile?: string;
  signal?: AbortSignal;
}): Promise<Temporal> {
  const { binary, dataDir, port, uiPort, namespace, log, settings = [], env, pidFile, signal } = options;
  const hidden = hiddenLoopback();
  const hiddenPort = await freePort(hidden);
  const { child, exited, hasExited, end, lastOutput } = spawnLogged({
    command: binary,
    args: [
      'server',
      'start-dev',
      ...flag('log-level', 'warn'),
      ...flag('ip', '127.0.0.1'),
      ...flag('db-filename', join(dataDir, 'temporal.db')),
      ...flag('port', String(port)),
      ...flag('ui-ip', hidden),
      ...flag('ui-port', String(hiddenPort)),
      ...flag('namespace', namespace),
      ...flag('sqlite-pragma', 'journal_mode=WAL', 'synchronous=NORMAL'),
      ...flag('dynamic-config-value', ...dynamicConfig, ...settings),
      ...flag('search-attribute', ...searchAttributeNames.map((name) => `${name}=Keyword`)),
      ...(knowsNewsFlag(binary) ? ['--ui-disable-news-fetch'] : []),
    ],
    log,
    env: { ...temporalEnvironment(), ...env },
    cwd: dataDir,
    pidFile,
  });
  const address = `127.0.0.1:${port}`;
  try {
    const { pid } = child;
    const latest = Date.now() + maxStartMs;
    while (!(await isReady(address, namespace))) {
      signal?.throwIfAborted();
      if (hasExited() || pid === undefined) break;
      if (Date.now() > latest)
        throw new StartProblem(
          `Temporal was not ready after ${maxStartMs / 1000} s (its log: ${log}): ${lastOutput()}`,
        );
      await delay(30);
    }
    if (hasExited() || pid === undefined) {
      throw new StartProblem(`Temporal did not start (${await exited}; its log: ${log}): ${lastOutput()}`);
    }
    const door = await startUiDoor({
      host: '127.0.0.1',
      port: uiPort,
      target: `http://${hidden}:${hiddenPort}`,
    });
    const ended = exited.then(async (how) => {
      await door.close();
      return how;
    });
    return {
      pid,
      address,
      uiUrl: `http://127.0.0.1:${uiPort}`,
      exited: ended,
      stop: async () => {
        await end('SIGTERM', 2500);
        await ended;
      },
    };
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
}

/** @returns the arguments that give the flag once with each value */
function flag(name: string, ...values: readonly string[]): string[] {
  return values.flatMap((value) => [`--${name}`, value]);
}

/**
 * Returns the environment variables that Temporal's programs need, and no others, because the environment also contains
 * model keys and the database's password.
 */
function temporalEnvironment(): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, TZ, LANG } = process.env;
  return { PATH, HOME, TMPDIR, TZ, LANG };
}

/** True if the namespace exists and has the search attributes. */
async function isReady(address: string, namespace: string): Promise<boolean> {
  try {
    const connection = await Connection.connect({ address, connectTimeout: 1000 });
    try {
      const known = await connection.operatorService.listSearchAttributes({ namespace });
      return searchAttributeNames.every((name) => name in known.customAttributes);
    } finally {
      await connection.close();
    }
  } catch {
    return false; // Not ready yet; the caller limits the wait.
  }
}

/**
 * True if the Temporal CLI at `binary` has the flag that stops its UI from fetching news from the internet.
 * @throws StartProblem if `binary` cannot be run
 */
function knowsNewsFlag(binary: string): boolean {
  try {
    return execFileSync(binary, ['server', 'start-dev', '--help'], {
      encoding: 'utf8',
      env: temporalEnvironment(),
    }).includes('ui-disable-news-fetch');
  } catch (cause) {
    throw new StartProblem(
      `${binary} cannot be run as Temporal's CLI. Correct TEMPORAL_CLI or PATH, or delete the file to have it fetched again.`,
      { cause },
    );
  }
}
