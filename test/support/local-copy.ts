/** A copy of the local mode in a process of its own, as a user starts one, on a folder of its own. */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '../../src/local/processes.ts';
import { projectRoot } from '../../src/local/project-root.ts';
import type { RunningFile } from '../../src/local/running-file.ts';
import { prepareCluster } from './prepared-postgres.ts';
import { until } from './until.ts';

export type LocalCopy = {
  child: ChildProcess;
  /** Everything it has printed. */
  output: () => string;
  running: () => RunningFile | undefined;
  /** Waits until it is ready, as a script would: running.json, then /readyz. */
  ready: () => Promise<RunningFile>;
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
};

type PartName = keyof RunningFile['processes'];

const standIn = [process.execPath, join(projectRoot, 'test/local/programs/supervisor.ts')];
const live = new Set<ChildProcess>();
const folders: string[] = [];

export function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-test-'));
  folders.push(folder);
  return folder;
}

/** One whose Postgres need not make its cluster first: for what does not depend on a first start. */
export async function preparedFolder(): Promise<string> {
  const folder = freshFolder();
  await prepareCluster(join(folder, 'postgres'));
  return folder;
}

/** @param command by default the supervisor with small programs instead of the API and the worker */
export function startCopy(
  dataDir: string,
  env: NodeJS.ProcessEnv = {},
  command: string[] = standIn,
): LocalCopy {
  const [program, ...args] = command;
  const child = spawn(program!, args, {
    cwd: projectRoot,
    env: { ...process.env, PORT: '0', DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  live.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  }
  const exited: LocalCopy['exited'] = new Promise((resolve) => {
    child.on('close', (code, signal) => {
      live.delete(child);
      resolve({ code, signal });
    });
  });
  const running = () => {
    const file = join(dataDir, 'running.json');
    return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as RunningFile) : undefined;
  };
  const ready = () =>
    until('ready', async () => {
      if (child.exitCode !== null) throw new Error(`it ended (${child.exitCode}) instead:\n${output}`);
      const found = running();
      if (found === undefined) return undefined;
      const response = await fetch(`${found.origin}/readyz`).catch(() => undefined);
      return response?.status === 200 ? found : undefined;
    });
  return { child, output: () => output, running, ready, exited };
}

/** `kill -9` of a part of a copy, once it runs. @returns the id that it had */
export async function killPart(copy: LocalCopy, name: PartName): Promise<number> {
  const pid = await idOf(copy, name);
  process.kill(pid, 'SIGKILL');
  return pid;
}

/** @param before an id that is over */
export async function idOf(copy: LocalCopy, name: PartName, before?: number): Promise<number> {
  const found = () => {
    const pid = copy.running()?.processes[name];
    // Null while it is started again; 0 would be this very process and all around it.
    return typeof pid === 'number' && pid > 0 && pid !== before && pid;
  };
  return await until(`${name} to run`, found);
}

/** Ends what a test left running (its own copies alone), and removes their folders. */
export async function endCopies(): Promise<void> {
  for (const child of live) child.kill('SIGTERM');
  await Promise.all([...live].map((child) => new Promise((resolve) => child.once('close', resolve))));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

export function idsOf(running: RunningFile): number[] {
  return Object.values(running.processes).filter((pid): pid is number => pid !== null);
}

export async function allGone(pids: number[]): Promise<void> {
  await until(`${pids.filter(isAlive).join(', ')} to be gone`, () => !pids.some(isAlive));
}
