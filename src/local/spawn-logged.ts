/**
 * Starts a process whose output goes to a log file. Records the process id in a file, so that the next start can end a
 * process that was left running.
 */
import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { recordPid } from './left-behind.ts';
import { endProcess } from './processes.ts';

export type Spawned = Readonly<{
  child: ChildProcess;
  /**
   * Resolves when the process ends, with the exit code or signal as text, for example `exit code 1` or
   * `ended by SIGKILL`; with the error message if it could not be started.
   */
  exited: Promise<string>;
  hasExited: () => boolean;
  /** Sends the signal, and SIGKILL if the process still runs after `graceMs`. Resolves when the process has ended. */
  end: (signal: NodeJS.Signals, graceMs: number) => Promise<void>;
  lastOutput: () => string;
}>;

const live = new Set<ChildProcess>();
// Kills all children when this process exits, also after an unexpected error. If this process is itself killed, for
// example by SIGKILL, it emits no `exit` and leaves its children running.
process.on('exit', () => {
  for (const child of live) child.kill('SIGKILL');
});

/** Kills the child when this process exits. Needed only for children that spawnLogged did not start. */
export function endWithUs(child: ChildProcess): void {
  live.add(child);
  child.on('exit', () => live.delete(child));
}

/** If a log file is larger than this number of bytes, the next start renames it and begins a new one. Chosen. */
const logBytes = 20e6;

export function spawnLogged(options: {
  command: string;
  args: readonly string[];
  log: string;
  env: NodeJS.ProcessEnv;
  cwd: string;
  ids?: { uid?: number; gid?: number };
  ipc?: boolean;
  pidFile?: string | undefined;
}): Spawned {
  const { log } = options;
  const size = statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  if (size > logBytes) renameSync(log, `${log}.1`);
  const output = openSync(log, 'a', 0o600);
  const offset = statSync(log).size;
  const stdio: StdioOptions = ['ignore', output, output];
  if (options.ipc === true) stdio.push('ipc');
  const child = spawn(options.command, [...options.args], {
    ...options.ids,
    cwd: options.cwd,
    env: options.env,
    stdio,
    // Gives the child its own process group, so that Ctrl-C reaches only the supervisor, which then stops its children
    // in order.
    detached: true,
  });
  closeSync(output);
  live.add(child);
  if (child.pid !== undefined && options.pidFile !== undefined) recordPid(options.pidFile, child.pid);
  let isOver = false;
  const exited = new Promise<string>((resolve) => {
    child.on('error', (error) => {
      // The event `error` is also emitted if a signal or a message cannot be delivered to a running process.
      if (child.pid !== undefined) return;
      live.delete(child);
      isOver = true;
      resolve(error.message);
    });
    child.on('exit', (code, signal) => {
      live.delete(child);
      isOver = true;
      resolve(signal === null ? `exit code ${code ?? 'unknown'}` : `ended by ${signal}`);
    });
  });
  const lastOutput = () => {
    const text = existsSync(log) ? readFileSync(log).subarray(offset).toString() : '';
    // Keeps the message of a stack trace, but not its frames.
    const lines = text.split('\n').filter((line) => !/^\s+at |^Node\.js v|^\s*$/.test(line));
    return lines.slice(-6).join('\n').slice(-1500);
  };
  const end = async (signal: NodeJS.Signals, graceMs: number) => {
    if (isOver || child.pid === undefined) return;
    await endProcess(child.pid, signal, graceMs);
    await exited;
  };
  return { child, exited, hasExited: () => isOver, end, lastOutput };
}
