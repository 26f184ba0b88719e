/**
 * Checks the Postgres and the Temporal that the settings name. If the settings do not name one of them, starts it, and
 * restarts it whenever it exits.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { keepRunning, type Kept } from './keep-running.ts';
import type { ChoosePort } from './kept-ports.ts';
import { startPostgres } from './postgres.ts';
import { connects, listens } from './reach.ts';
import type { LocalSettings } from './settings.ts';
import { StartProblem } from './start-problem.ts';
import { ensureTemporalCli } from './temporal-binary.ts';
import { startTemporal } from './temporal.ts';
import { unlessAborted } from './unless-aborted.ts';

type Context = Readonly<{
  settings: LocalSettings;
  dataDir: string;
  choose: ChoosePort;
  print: (line: string) => void;
  signal: AbortSignal;
}>;

type Service = Readonly<{ kept: Kept | undefined }>;

/**
 * Waits up to 20 s for the Postgres of DATABASE_URL or, if DATABASE_URL is not set, starts a Postgres.
 * @param started called with the process id, and again after each restart; not called for DATABASE_URL
 * @throws StartProblem if Postgres cannot be used or does not start; the signal's reason if the signal is aborted
 */
export async function runPostgres(
  { settings, dataDir, choose, print, signal }: Context,
  started: (pid: number) => void,
): Promise<Service & { url: string }> {
  if (settings.DATABASE_URL !== undefined) {
    print('Using the Postgres of DATABASE_URL.');
    await waitForDatabase(settings.DATABASE_URL, signal);
    return { url: settings.DATABASE_URL, kept: undefined };
  }
  print('Starting Postgres …');
  const port = await choose('POSTGRES_PORT', settings.POSTGRES_PORT);
  const found = { url: '' };
  const kept = await keepRunning({
    name: 'Postgres',
    start: (abort) =>
      startPostgres({
        dataDir: join(dataDir, 'postgres'),
        port,
        pidFile: join(dataDir, 'pids', 'postgres'),
        signal: abort,
      }),
    changed: ({ pid, url }) => {
      found.url = url;
      started(pid);
    },
    say: print,
    signal,
  });
  print('Postgres is up.');
  return { url: found.url, kept };
}

export type TemporalService = Service & {
  shown: { address: string; namespace: string; ui_url: string | null };
  /**
   * Environment variables with which the API and the worker connect to the Temporal that was started here. Empty for
   * the user's own Temporal.
   */
  env: NodeJS.ProcessEnv;
};

/**
 * Checks that the Temporal of the settings accepts connections or, if the settings name none, starts a Temporal.
 * @param started called with the process id, and again after each restart; not called for the user's own Temporal
 * @throws StartProblem if Temporal does not answer or does not start; the signal's reason if the signal is aborted
 */
export async function runTemporal(
  { settings, dataDir, choose, print, signal }: Context,
  started: (pid: number) => void,
): Promise<TemporalService> {
  const { externalTemporal } = settings;
  if (externalTemporal !== undefined) {
    const { address, namespace } = externalTemporal;
    print(`Using the Temporal at ${address}.`);
    const why = await listens(address);
    if (why !== undefined) {
      throw new StartProblem(
        `Nothing answers at ${address}, the Temporal of your settings (${why}). Start it, or unset TEMPORAL_ADDRESS to have one started here.`,
      );
    }
    const ui = settings.TEMPORAL_UI_URL ?? null;
    return { kept: undefined, shown: { address, namespace, ui_url: ui }, env: {} };
  }
  print('Starting Temporal …');
  const folder = join(dataDir, 'temporal');
  mkdirSync(folder, { recursive: true });
  const port = await choose('TEMPORAL_PORT', settings.TEMPORAL_PORT);
  const uiPort = await choose('TEMPORAL_UI_PORT', settings.TEMPORAL_UI_PORT);
  const namespace = settings.TEMPORAL_NAMESPACE;
  const kept = await keepRunning({
    name: 'Temporal',
    // Finds and checks the program before each start, also before a restart, because its file may have changed.
    start: async (abort) =>
      startTemporal({
        binary: await unlessAborted(ensureTemporalCli(print), abort),
        port,
        uiPort,
        namespace,
        dataDir: folder,
        signal: abort,
        log: join(dataDir, 'logs', 'temporal.log'),
        pidFile: join(dataDir, 'pids', 'temporal'),
      }),
    changed: ({ pid }) => {
      started(pid);
    },
    say: print,
    signal,
  });
  print('Temporal is up.');
  const address = `127.0.0.1:${port}`;
  const uiUrl = `http://127.0.0.1:${uiPort}`;
  return {
    kept,
    shown: { address, namespace, ui_url: uiUrl },
    env: { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace, TEMPORAL_UI_URL: uiUrl },
  };
}

/**
 * Waits up to 20 s for a connection.
 * @throws StartProblem if Postgres refuses the connection, or none succeeds in this time; the signal's reason if the
 * signal is aborted
 */
async function waitForDatabase(url: string, signal: AbortSignal): Promise<void> {
  const end = Date.now() + 20_000;
  for (;;) {
    const reached = await connects(url);
    if (reached.outcome === 'connected') return;
    signal.throwIfAborted();
    if (reached.outcome === 'refused' || Date.now() > end) {
      throw new StartProblem(
        `The Postgres of DATABASE_URL cannot be used: ${reached.why}. Start it or correct DATABASE_URL, or unset it to have one started here.`,
      );
    }
    await delay(300);
  }
}
