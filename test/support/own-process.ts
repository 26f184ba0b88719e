/** One of our programs as a child process that a test can kill and start again, with the same settings. */
import { join } from 'node:path';
import { loginSettings } from '../../src/local/database-logins.ts';
import { startNodeChild, type NodeChild } from '../../src/local/node-child.ts';
import { projectRoot } from '../../src/local/project-root.ts';

export type OwnProcess = {
  readonly pid: number;
  /** SIGKILL. Returns when it is gone. */
  kill: () => Promise<void>;
  /** SIGTERM. @returns how it ended */
  stop: () => Promise<string>;
  /** Starts it again, after kill() or stop(); other settings can be given over the first ones. */
  start: (env?: NodeJS.ProcessEnv) => Promise<void>;
};

const programs = {
  api: { script: join(projectRoot, 'src/main-api.ts'), saysWhenUp: 'listening' },
  worker: { script: join(projectRoot, 'src/main-worker.ts'), saysWhenUp: 'running' },
} as const;

export async function startOwnProcess(
  name: keyof typeof programs,
  env: NodeJS.ProcessEnv,
  log: string,
): Promise<OwnProcess> {
  const launch = async (more: NodeJS.ProcessEnv = {}) =>
    await startNodeChild({ name, ...programs[name], env: withLogins(name, { ...env, ...more }), log });
  let child: NodeChild = await launch();
  return {
    get pid() {
      return child.pid;
    },
    kill: async () => {
      process.kill(child.pid, 'SIGKILL');
      await child.exited;
    },
    stop: async () => {
      await child.stop();
      return await child.exited;
    },
    start: async (more) => {
      child = await launch(more);
    },
  };
}

/** No process logs in as the owner of the tables, as in production. The test's Postgres has one password for all. */
function withLogins(name: keyof typeof programs, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { DATABASE_URL: url } = env;
  if (url === undefined || new URL(url).username !== 'postgres') return env;
  return { ...env, ...loginSettings(url, new URL(url).password)[name] };
}

/** Several as one: what is done is done to all. Its id is the first's. */
export function together(processes: readonly OwnProcess[]): OwnProcess {
  const all = async <T>(act: (one: OwnProcess) => Promise<T>) => await Promise.all(processes.map(act));
  return {
    get pid() {
      return processes[0]!.pid;
    },
    kill: async () => {
      await all((one) => one.kill());
    },
    stop: async () => (await all((one) => one.stop()))[0]!,
    start: async (env) => {
      await all((one) => one.start(env));
    },
  };
}
