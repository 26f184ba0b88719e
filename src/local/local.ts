/** Runs local mode: keeps Postgres, Temporal, the worker and the API running, and starts the echo receiver. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { banner } from './banner.ts';
import { lockDataDir, openDataDir } from './data-dir.ts';
import type { LoginSettings } from './database-logins.ts';
import { startEcho, type Echo } from './echo.ts';
import { keepRunning, type Kept } from './keep-running.ts';
import { keptPorts } from './kept-ports.ts';
import { endLeftBehind } from './left-behind.ts';
import { LocalModel } from './model/local-model.ts';
import { startNodeChild, type NodeChild } from './node-child.ts';
import { startLocalModel } from '../contract/models/local-model.ts';
import { runPostgres, runTemporal } from './services.ts';
import { removeRunningFile, writeRunningFile, type Processes, type RunningFile } from './running-file.ts';
import { openSecrets, saveSecrets, type FirstOrganization, type Secrets } from './secrets.ts';
import type { LocalSettings } from './settings.ts';
import { aborted, unlessAborted } from './unless-aborted.ts';

/** The scripts of the API and the worker, and the steps before their start. Tests pass other scripts and steps. */
export type Parts = Readonly<{
  apiScript: string;
  workerScript: string;
  ensureWorkflowBundle: () => Promise<string>;
  ensureConsole: (options: { log: string; say: (line: string) => void }) => Promise<void>;
  /** Migrates the database, and creates the first organization if it is missing. */
  prepareDatabase: (databaseUrl: string, secrets: Secrets) => Promise<FirstOrganization>;
  /** Creates the database logins of the API and the worker. Called only for a Postgres that local mode has started. */
  makeLogins: (databaseUrl: string, password: string) => Promise<LoginSettings>;
}>;

/**
 * Runs local mode until the signal is aborted or a start fails. Then ends everything that it has started.
 * @param options.localModel starts the small model too; without it, the API can request its start later
 * @throws StartProblem or an unexpected error, if a start fails and the signal is not aborted
 */
export async function runLocal(
  settings: LocalSettings,
  parts: Parts,
  { print, signal: outer }: { print: (text: string) => void; signal: AbortSignal },
  options: { localModel?: boolean } = {},
): Promise<void> {
  const dataDir = openDataDir(settings.DATA_DIR);
  const unlock = lockDataDir(dataDir);
  const inner = new AbortController();
  const signal = AbortSignal.any([outer, inner.signal]);
  const running: { front: Kept[]; back: Pick<Kept, 'stop'>[]; echo?: Echo } = { front: [], back: [] };
  try {
    removeRunningFile(dataDir);
    const left = await endLeftBehind(join(dataDir, 'pids'));
    if (left.length > 0) print(`Ended what an earlier start had left behind: ${left.join(', ')}.`);
    await boot();
    await aborted(signal);
  } catch (error) {
    if (!outer.aborted) throw error;
  } finally {
    inner.abort();
    // The worker and the API stop first, because they need Postgres and Temporal to finish their work.
    await Promise.all(running.front.map((kept) => kept.stop()));
    await Promise.all([...running.back.map((kept) => kept.stop()), running.echo?.close()]);
    removeRunningFile(dataDir);
    unlock();
  }

  async function boot(): Promise<void> {
    const began = Date.now();
    const secrets = openSecrets(dataDir);
    const isLocal = settings.NODE_ENV !== 'production';
    const choose = keptPorts(dataDir);
    const port = await choose('PORT', settings.PORT, settings.HOST);
    const origin = `http://${reachable(settings.HOST)}:${port}`;
    const processes: Processes = {
      supervisor: process.pid,
      api: 0,
      worker: 0,
      temporal: null,
      postgres: null,
      model: null,
    };
    const state: { api?: NodeChild; worker?: NodeChild; file?: RunningFile } = {};
    const published = () => {
      if (state.file === undefined) return;
      writeRunningFile(dataDir, state.file);
      state.api?.send({ type: 'ready' });
    };
    const context = { settings, dataDir, choose, print, signal };
    const localModel = new LocalModel({
      ...context,
      changed: () => {
        if (processes.model !== localModel.pid) {
          processes.model = localModel.pid;
          published();
        }
        for (const child of [state.api, state.worker]) child?.send(localModel.message);
      },
    });
    running.back.push(localModel);

    if (settings.ECHO === 'on' && isLocal) {
      running.echo = await startEcho(await choose('ECHO_PORT', settings.ECHO_PORT), print);
    }
    const { echo } = running;

    const started = (name: 'postgres' | 'temporal') => (pid: number) => {
      processes[name] = pid;
      published();
    };
    const database = async () => {
      const postgres = await runPostgres(context, started('postgres'));
      if (postgres.kept !== undefined) running.back.push(postgres.kept);
      const first = await unlessAborted(parts.prepareDatabase(postgres.url, secrets), signal);
      saveSecrets(dataDir, { ...secrets, first });
      // Creates no logins in the user's own Postgres: several copies of Parley may use it, and each would replace the
      // passwords that the others have set.
      const logins =
        postgres.kept && (await parts.makeLogins(postgres.url, randomBytes(18).toString('base64url')));
      return { url: postgres.url, logins, first };
    };
    const workflows = async () => {
      const temporal = await runTemporal(context, started('temporal'));
      if (temporal.kept !== undefined) running.back.push(temporal.kept);
      return temporal;
    };
    const consoleLog = join(dataDir, 'logs', 'console-build.log');
    const [{ url, logins, first }, temporal, bundle] = await together([
      database(),
      workflows(),
      unlessAborted(parts.ensureWorkflowBundle(), signal),
      unlessAborted(parts.ensureConsole({ log: consoleLog, say: print }), signal),
    ]);

    const env: NodeJS.ProcessEnv = {
      ...settings.inherited,
      ...temporal.env,
      DATABASE_URL: url,
      HOST: settings.HOST,
      PORT: String(port),
      PUBLIC_URL: settings.PUBLIC_URL ?? origin,
      CALLBACK_ALLOW: [settings.CALLBACK_ALLOW, echo?.address ?? ''].filter((part) => part !== '').join(','),
      ENCRYPTION_KEY: settings.ENCRYPTION_KEY ?? secrets.encryption_key,
      WORKFLOW_BUNDLE: bundle,
      SUPERVISED: 'true',
    };
    const program = async (name: 'api' | 'worker', script: string, saysWhenUp: string) => {
      const kept = await keepRunning({
        name: `The ${name}`,
        start: (abort) =>
          startNodeChild({
            name,
            script,
            saysWhenUp,
            env: { ...env, ...logins?.[name], ...localModel.env },
            signal: abort,
            said: (type) => {
              if (name === 'api' && type === startLocalModel && isLocal) void localModel.start();
            },
            log: join(dataDir, 'logs', `${name}.log`),
            pidFile: join(dataDir, 'pids', name),
          }),
        changed: (child) => {
          processes[name] = child.pid;
          state[name] = child;
          if (isLocal) child.send(localModel.message);
          published();
        },
        say: print,
        signal,
      });
      running.front.push(kept);
    };
    print('Starting the worker and the API …');
    await together([
      program('worker', parts.workerScript, 'running'),
      program('api', parts.apiScript, 'listening'),
      options.localModel === true ? localModel.start() : Promise.resolve(),
    ]);

    state.file = {
      origin,
      base_url: `${origin}/v1`,
      console: { url: `${origin}/`, ...secrets.admin },
      organization_id: first.organization_id,
      token: first.token,
      temporal: temporal.shown,
      database_url: url,
      processes,
    };
    writeRunningFile(dataDir, state.file);
    const { MODEL_BASE_URL, MODEL_NAME, OPENAI_API_KEY, ANTHROPIC_API_KEY } = settings;
    const provider = [MODEL_BASE_URL, OPENAI_API_KEY, ANTHROPIC_API_KEY];
    const shown = {
      running: state.file,
      agentId: first.agent_id,
      echoUrl: echo?.url,
      dataDir,
      isFirstStart: secrets.first === undefined,
      hasModelProvider: provider.some((value) => value !== undefined) || MODEL_NAME?.includes('/') === true,
      localModel: localModel.message.view.model,
    };
    print(`Ready after ${((Date.now() - began) / 1000).toFixed(1)} s.\n${banner(shown)}`);
    state.api?.send({ type: 'ready' });
  }

  /**
   * Waits for all starts. If one fails, aborts the others and waits until they have ended, because a process that
   * started after the cleanup would keep running.
   */
  async function together<T extends readonly unknown[] | []>(
    tasks: T,
  ): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
    try {
      return await Promise.all(tasks);
    } catch (error) {
      inner.abort();
      await Promise.allSettled(tasks);
      throw error;
    }
  }
}

/** @returns the host part of a URL at which this machine reaches a server that listens on `host` */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
