/** Measures the load of other programs on the machine, from /proc: B's times are judged by what was left for us. */
import { readdirSync, readFileSync } from 'node:fs';

interface Reading {
  /** Ticks of all processors since the start, and of those what was not idle. */
  all: number;
  busy: number;
  /** Ticks of this process and all below it. */
  ours: number;
}

export function readLoad(): Reading {
  const [, ...ticks] = (readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '').trim().split(/\s+/);
  const counts = ticks.slice(0, 8).map(Number);
  const all = counts.reduce((sum, one) => sum + one, 0);
  const idle = (counts[3] ?? 0) + (counts[4] ?? 0);
  return { all, busy: all - idle, ours: ticksBelow(process.pid) };
}

/** @returns the share of the machine, 0 to 1, that other programs had between two readings */
export function foreignShare(from: Reading, to: Reading): number {
  const all = to.all - from.all;
  const foreign = to.busy - from.busy - Math.max(0, to.ours - from.ours);
  return all <= 0 ? 0 : Math.min(1, Math.max(0, foreign / all));
}

function ticksBelow(root: number): number {
  const stats = readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const text = readFileSync(`/proc/${name}/stat`, 'utf8');
      // pid (name, which may hold anything) state ppid …
      const fields = text
        .slice(text.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number);
      // Its own, and those of children that have ended.
      const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + (fields[index] ?? 0), 0);
      return [{ pid: Number(name), parent: fields[1] ?? 0, ticks }];
    } catch {
      return [];
    }
  });
  const byParent = Map.groupBy(stats, ({ parent }) => parent);
  const sum = (pid: number): number =>
    (byParent.get(pid) ?? []).reduce((total, one) => total + one.ticks + sum(one.pid), 0);
  return sum(root) + (stats.find(({ pid }) => pid === root)?.ticks ?? 0);
}
