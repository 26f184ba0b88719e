/** One of our programs as a child process that a test can kill and start again, with the same settings. */
import { readFileSync } from 'node:fs';
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
  const ended = new Set<NodeChild>();
  const launch = async (more: NodeJS.ProcessEnv = {}) => {
    const started = await startNodeChild({
      ...{ name, ...programs[name], env: withLogins(name, { ...env, ...more }), log },
    });
    // Every later test then fails for want of the program, and the log is deleted at the end.
    void started.exited.then((how) => {
      if (!ended.has(started))
        process.stderr.write(`The ${name} ended (${how}). The end of its log:\n${endOf(log)}\n`);
    });
    return started;
  };
  let child: NodeChild = await launch();
  return {
    get pid() {
      return child.pid;
    },
    kill: async () => {
      ended.add(child);
      process.kill(child.pid, 'SIGKILL');
      await child.exited;
    },
    stop: async () => {
      ended.add(child);
      await child.stop();
      return await child.exited;
    },
    start: async (more) => {
      child = await launch(more);
    },
  };
}

const endOf = (log: string): string => readFileSync(log, 'utf8').slice(-4000);

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
