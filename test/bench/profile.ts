/**
 * Sums the JavaScript time of a process by function, from CPU profiles as Node writes them (`--cpu-prof`, one a
 * thread).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { rounded } from './numbers.ts';

const profile = z.object({
  nodes: z.array(
    z.object({
      id: z.number(),
      callFrame: z.object({ functionName: z.string(), url: z.string(), lineNumber: z.number() }),
    }),
  ),
  samples: z.array(z.number()),
  /** Microseconds, like startTime, of the machine's monotonic clock. */
  timeDeltas: z.array(z.number()),
  startTime: z.number(),
});
export type CpuProfile = z.infer<typeof profile>;

export interface SelfTime {
  where: string;
  ms: number;
}

/** The clock that profiles are stamped with, in microseconds. */
export function profileClock(): number {
  return Number(process.hrtime.bigint() / 1000n);
}

const notWork = new Set(['(idle)', '(root)', '(program)']);

/** Self time by function between two moments, longest first. Idle time is no work; native code that V8 does not see
 *  (the SDK's core, the event loop) is not in it. */
export function selfTimes(profiles: readonly CpuProfile[], from: number, to: number): SelfTime[] {
  const spent = new Map<string, number>();
  for (const { nodes, samples, timeDeltas, startTime } of profiles) {
    const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
    let at = startTime;
    for (const [index, id] of samples.entries()) {
      // A sample's function ran until the next sample.
      at += timeDeltas[index] ?? 0;
      const micros = timeDeltas[index + 1] ?? 0;
      const name = names.get(id);
      if (name === undefined || notWork.has(name) || at < from || at > to) continue;
      spent.set(name, (spent.get(name) ?? 0) + micros);
    }
  }
  return [...spent].map(([where, micros]) => ({ where, ms: micros / 1000 })).sort((a, b) => b.ms - a.ms);
}

function nameOf({ functionName, url, lineNumber }: CpuProfile['nodes'][number]['callFrame']): string {
  if (url === '') return functionName;
  const file = url
    .replace(/^.*\/node_modules\//, '')
    .replace(/^file:\/\/.*?\/(?=src|activities|workflows)/, '');
  return `${functionName === '' ? '(anonymous)' : functionName} ${file}:${lineNumber + 1}`;
}

/** The profiles that the processes of a folder have written, by process id. */
export function readProfiles(folder: string): Map<number, CpuProfile[]> {
  const found = new Map<number, CpuProfile[]>();
  for (const name of readdirSync(folder)) {
    // CPU.<date>.<time>.<process>.<thread>.<number>.cpuprofile
    const pid = Number(/^CPU\.\d+\.\d+\.(\d+)\./.exec(name)?.[1]);
    if (Number.isNaN(pid)) continue;
    const parsed = profile.parse(JSON.parse(readFileSync(join(folder, name), 'utf8')));
    found.set(pid, [...(found.get(pid) ?? []), parsed]);
  }
  return found;
}

/** A table of the functions with the most self time, per turn. */
export function profileTable(title: string, times: readonly SelfTime[], turns: number, most = 15): string {
  const all = times.reduce((sum, { ms }) => sum + ms, 0);
  const rows = times.slice(0, most).map(({ where, ms }) => {
    const share = `${rounded((ms * 100) / all)} %`;
    return `  ${rounded(ms / turns, 3)
      .toFixed(3)
      .padStart(7)}  ${share.padStart(6)}  ${where}`;
  });
  return [
    `${title}: ${rounded(all / turns, 2)} ms of JavaScript a turn by the clock (on a busy machine more than CPU); ms a turn, share, function`,
    ...rows,
  ].join('\n');
}
