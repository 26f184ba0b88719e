/** The counts of the reporter so far, for the last lines; unused if mocha is given another reporter. */
import { readdirSync, readFileSync } from 'node:fs';

/** The results of a file's tests; a hook that failed counts as a test that failed. */
export interface FileCounts {
  passed: number;
  /** From the first of its suites to the end of the last. */
  ms: number;
  /** Processor time in these suites. */
  cpuMs: number;
  /** Titles and messages. */
  failures: string[];
}

export interface TestResults {
  /** By their paths; '' if mocha names no file. */
  files: Record<string, FileCounts>;
  /** True if mocha came to its end: a test that ends the process must not pass for a suite that is green. */
  ended: boolean;
  /** Processor time of the tests and every process that they started. */
  cpuMs: number;
}

const results: TestResults = { files: {}, ended: false, cpuMs: 0 };
export const testCounts = { used: false, results };

export function countsOf({ files }: TestResults): { passed: number; failed: number } {
  const all = Object.values(files);
  return {
    passed: all.reduce((sum, { passed }) => sum + passed, 0),
    failed: all.reduce((sum, { failures }) => sum + failures.length, 0),
  };
}

/**
 * @returns CPU time in ms of this process and, on Linux, of all that it started: those that run, and those that ended
 */
export function usedCpuMs(): number {
  const processes = new Map<number, { parent: number; ms: number }>();
  try {
    for (const name of readdirSync('/proc')) {
      const pid = Number(name);
      const read = Number.isInteger(pid) ? readStat(pid) : undefined;
      if (read !== undefined) processes.set(pid, read);
    }
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
  const isOurs = (pid: number): boolean => {
    const parent = processes.get(pid)?.parent;
    return pid === process.pid || (parent !== undefined && isOurs(parent));
  };
  return [...processes].reduce((sum, [pid, { ms }]) => sum + (isOurs(pid) ? ms : 0), 0);
}

/** @returns nothing if the process has ended meanwhile */
function readStat(pid: number): { parent: number; ms: number } | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    // utime, stime, cutime, cstime, in hundredths of a second.
    const ms = fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * 10, 0);
    return { parent: Number(fields[1]), ms };
  } catch {
    return undefined;
  }
}

/** The environment variable with the path of a file for the results, as JSON. */
export const resultsVariable = 'TEST_RESULTS_FILE';

/** @returns nothing where the tests ended before they could write any */
export function readResults(path: string): TestResults | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as TestResults;
  } catch {
    return undefined;
  }
}
