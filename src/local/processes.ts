/** Inspects and ends processes by id, including those of an earlier start, which are not children of this process. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * True if the process is running, even if another user owns it. On Linux, a zombie (exited, but not yet reaped by its
 * parent) does not count.
 */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The state follows the last closing parenthesis. The process's name comes before it, in parentheses, and may
    // itself contain parentheses and spaces.
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
  } catch {
    return process.platform !== 'linux';
  }
}

/**
 * Reads the start time of a process, which distinguishes it from a later process with the same id.
 * @returns the start time as opaque text; undefined if the process has ended or its start time cannot be read
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

/**
 * @returns the command line of a process, with spaces between the arguments; '' if the process has ended or cannot be
 * read
 */
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

/**
 * Ends a process: sends the signal, and SIGKILL if the process still runs after `graceMs`. Resolves once the process
 * has ended, but at the latest 5 s after SIGKILL.
 * @throws the errors of `sendSignal`
 */
export async function endProcess(pid: number, signal: NodeJS.Signals, graceMs: number): Promise<void> {
  sendSignal(pid, signal);
  if (await goneWithin(pid, graceMs)) return;
  sendSignal(pid, 'SIGKILL');
  await goneWithin(pid, 5000);
}

/**
 * Sends a signal. Does nothing if the process has already ended.
 * @throws Error if the id is not positive, or the system refuses the signal
 */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  // An id of 0 or less addresses a whole process group, which may include this process.
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
