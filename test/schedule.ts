/** Which files run together, and what runs first: from the seconds that each took in a recorded run (durations.json). */
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { projectRoot } from '../src/local/project-root.ts';

/** A proof takes long by its nature: random plans, kills, floods, deadlines, whole starts, the house rules. */
export type Kind = 'test' | 'proof';

export interface Scheduled {
  name: string;
  files: string[];
}

const proofs = [
  'test/chaos/*.test.ts',
  'test/fuzz/*.test.ts',
  'test/neighbours/*.test.ts',
  'test/text/*.test.ts',
  'test/lint/check.test.ts',
  'test/local/supervisor.test.ts',
  'test/e2e/{kill-nine,lost-workers,npm-start,temporal-cloud,fetched-files}.test.ts',
  'test/workflows/{interleavings,skipped-time,recovery,fair-shares,planted-breaks}.test.ts',
  'test/activities/takeovers.test.ts',
];

/** Where several processes could show what one hides. */
export const topology = [
  'test/topology/**/*.test.ts',
  'test/api/post-chat-sync.test.ts',
  'test/api/streams.test.ts',
  'test/api/cancel-runs.test.ts',
];

/** Files of one folder share a stack; those of the other folders need little. */
const apart = ['workflows', 'e2e', 'api', 'browser', 'activities', 'local', 'chaos', 'lint'];
const others = 'others';
/** A part has a Postgres, a Temporal and a stack of its own: shorter parts start more of them, longer ones leave a lane alone at the end. */
const partSeconds = 300;

/** @returns parts of these kinds, the longest first */
export function scheduledParts(kinds: readonly Kind[]): Scheduled[] {
  const files = globSync('test/**/*.test.ts', { cwd: projectRoot, exclude: ['test/topology/**'] })
    .sort()
    .filter((file) => kinds.includes(kindOf(file)));
  const byFolder = Map.groupBy(files, (file) => {
    const folder = file.split('/')[1] ?? '';
    return apart.includes(folder) ? folder : others;
  });
  return [...byFolder]
    .flatMap(([name, found]) => divided(name, found))
    .sort((one, other) => secondsOf(other.files) - secondsOf(one.files));
}

function kindOf(file: string): Kind {
  return proofs.some((pattern) => matchesGlob(file, pattern)) ? 'proof' : 'test';
}

/** The longest goes to the part that has the least so far; of the other folders, the files of one stay together. */
function divided(name: string, files: string[]): Scheduled[] {
  const count = Math.ceil(secondsOf(files) / partSeconds);
  if (count <= 1) return [{ name, files }];
  const parts = Array.from({ length: count }, (_, index) => ({
    name: `${name} ${index + 1}`,
    files: [] as string[],
  }));
  const together = Map.groupBy(files, (file) => (name === others ? file.split('/')[1] : file));
  const longestFirst = [...together.values()].sort((one, other) => secondsOf(other) - secondsOf(one));
  for (const some of longestFirst) {
    const least = parts.reduce((one, other) => (secondsOf(other.files) < secondsOf(one.files) ? other : one));
    least.files.push(...some);
  }
  return parts.filter((part) => part.files.length > 0);
}

const durationsFile = join(projectRoot, 'test/durations.json');
const durations = JSON.parse(readFileSync(durationsFile, 'utf8')) as Record<string, number>;
/** Files that take less are not recorded. */
const recordedSeconds = 3;

/** Keeps the seconds of these files, and those of files that did not run and are still there. */
export function recordDurations(files: Record<string, { ms: number }>): void {
  const run = Object.entries(files).map(([file, { ms }]) => [file, Math.round(ms / 1000)] as const);
  const kept = Object.entries({ ...durations, ...Object.fromEntries(run) })
    .filter(([file, seconds]) => seconds > recordedSeconds && existsSync(join(projectRoot, file)))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  writeFileSync(durationsFile, `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`);
}

/** A file that was not recorded, or was too short for it. */
const unrecordedSeconds = 1;

function secondsOf(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + (durations[file] ?? unrecordedSeconds), 0);
}
