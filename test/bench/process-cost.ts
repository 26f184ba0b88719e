/** CPU time and memory of processes by id, read from /proc: load of other programs on the machine does not enter. */
import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second everywhere that Node runs. */
const msPerTick = 10;

interface Stat {
  parent: number;
  /** Ticks of its own. */
  own: number;
  /** Ticks of children that have ended. */
  ended: number;
}

function statOf(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // pid (name, which may hold anything) state ppid …
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [parent = 0, own = 0, system = 0, ended = 0, endedSystem = 0] = [1, 11, 12, 13, 14].map(
      (index) => fields[index] ?? 0,
    );
    return { parent, own: own + system, ended: ended + endedSystem };
  } catch {
    return undefined;
  }
}

/** CPU time in ms that a process and those below it have used; undefined if /proc is not there. */
export function cpuMs(pid: number): number | undefined {
  const root = statOf(pid);
  if (root === undefined) return undefined;
  let ticks = root.own + root.ended;
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? statOf(Number(name)) : undefined;
    if (stat?.parent === pid) ticks += stat.own;
  }
  return ticks * msPerTick;
}

/** Bytes of memory that a process holds. */
export function residentBytes(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) * 1024;
}
