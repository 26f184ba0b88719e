/** Looking at and ending processes by id: those of an earlier start, which are no children of this one. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** Whether the process runs. A zombie (ended, not yet collected by its parent) counts as gone. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // pid (name, which may hold anything) state …
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
  } catch {
    return process.platform !== 'linux';
  }
}

/**
 * What tells a process from a later one with the same id: when it started.
 * @returns undefined when it is gone
 */
export function processIdentity(pid: number): string | undefined {
  if (!isAlive(pid)) return undefined;
  try {
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    }
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
}

/** The command line of a process, arguments parted by a space; empty when it is gone or cannot be read. */
export function commandLine(pid: number): string {
  try {
    if (process.platform === 'linux') {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    }
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return '';
  }
}

/** Ends a process: the signal first, SIGKILL when it is still there after the grace. Returns when it is gone. */
export async function endProcess(pid: number, signal: NodeJS.Signals, graceMs: number): Promise<void> {
  sendSignal(pid, signal);
  if (await goneWithin(pid, graceMs)) return;
  sendSignal(pid, 'SIGKILL');
  await goneWithin(pid, 5000);
}

/** Sends a signal; a process that is gone already is what was wanted. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  // 0 and negative ids are groups: this process and all around it.
  if (!(pid > 0)) throw new Error(`${pid} is no process`);
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

async function goneWithin(pid: number, ms: number): Promise<boolean> {
  const end = Date.now() + ms;
  while (isAlive(pid)) {
    if (Date.now() > end) return false;
    await delay(20);
  }
  return true;
}
