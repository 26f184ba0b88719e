/**
 * Decides which files run together, and which run first, by the seconds that each took in a recorded run
 * (durations.json).
 */
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { projectRoot } from '../src/local/project-root.ts';

/**
 * A proof takes long by its nature: random plans, kills, floods, outages, deadlines, every operation with every right,
 * whole starts, a browser, the house rules. A run of CI has the standing proofs and a twelfth of the others, some of
 * them on a sample (support/sample.ts), so that it takes at most 15 minutes on 2 cores. `npm run test:proofs` runs all
 * of them, whole, and the long proofs, which are not in CI.
 */
export type Kind = 'test' | 'proof' | 'long';

export interface Scheduled {
  name: string;
  files: string[];
}

const longProofs = [
  'test/chaos/action-worker-killed.test.ts',
  'test/e2e/**/{lost-workers,temporal-cloud,fetched-files}.test.ts',
  'test/fuzz/*.test.ts',
  'test/local/supervisor.test.ts',
  'test/e2e/whatsapp/takeovers.test.ts',
  'test/neighbours/each-attack.test.ts',
  'test/workflows/{recovery,warm-faults,skipped-time,fair-shares,planted-breaks,interleavings-planted}.test.ts',
];
const proofs = [
  'test/browser/**/*.test.ts',
  'test/chaos/*.test.ts',
  'test/neighbours/*.test.ts',
  'test/text/linear-text.test.ts',
  'test/lint/{check,language}.test.ts',
  'test/e2e/**/{kill-nine,npm-start,many-turns,dump-restore,disk-full}.test.ts',
  'test/workflows/interleavings.test.ts',
  // Every operation, with every right or of another organization.
  'test/api/**/{permissions,token-scopes,isolation,isolation-console,every-operation,audit-transactions}.test.ts',
  // Floods, outages, and what is seen only after some time.
  'test/api/**/{sign-in-attacks,hostile-bodies,slow-readers,outages,graceful-stop,health,mails,waiting-mails}.test.ts',
  'test/api/**/{rate-limits,bounded-work,open-calls,gateway-guesses}.test.ts',
  'test/client/rate-limited-clients.test.ts',
  'test/app/models/script-neighbours.test.ts',
  'test/adapters/**/{serving,statement-limits,failover}.test.ts',
  'test/e2e/**/{channel-person,lost-temporal,tool-patience}.test.ts',
  // Sign-in: passwords are hashed slowly, and whole flows go to a provider and back.
  'test/api/**/{accounts,identity-providers,second-factor,mcp-oauth}.test.ts',
  // Refusals and deadlines of outside servers.
  'test/api/**/{model-providers,callbacks,test-callbacks,sync-timeout,refused-workspace-token}.test.ts',
  // Races for caps, and calls of two models, while workers are killed.
  'test/app/models/{cap-races,fallback,default-model}.test.ts',
  'test/e2e/**/{stolen-dump,audit-kills,resent-callbacks,erasure,callback-names,external-agents,http-tools-hostile}.test.ts',
  'test/e2e/**/{mcp-servers,mcp-servers-hostile,mcp-oauth,mcp-oauth-hostile}.test.ts',
  'test/e2e/**/channel-{pace,connection,health,hello,inbound,replies,once,session}.test.ts',
  'test/workspace/actions/{action-faults,each-write-faults}.test.ts',
  'test/workflows/{idle-workflows,warm-conversations,concurrent-conversations,operator-control,fairness,turn-cost}.test.ts',
  // Whole starts.
  'test/{cli/deploy-commands,docs/blocks,local/temporal-binary,local/postgres,local/temporal,private-port}.test.ts',
  // The small model, which the first run fetches with npm and pip.
  'test/{e2e/models/local-model,local/model/small-model}.test.ts',
  'test/observability/{alerts,alerts-fire,traces,logs,metrics}.test.ts',
  // Many processes, or many calls of the command line.
  'test/api/conversations/{agents-file,waiting-calls,idempotency-kills,streams-across-processes}.test.ts',
  'test/api/accounts/{audit-events,concurrent-invitations}.test.ts',
  'test/e2e/**/{approvals,approvals-on-whatsapp,every-action,loopback-receivers,found-model-servers,rehearsals,takeovers-of-api,split-queues,agent-connections}.test.ts',
  'test/client/package.test.ts',
  'test/examples/dify.test.ts',
  'test/{plans,hops}/*.test.ts',
  'test/{rehearsals,approvals}/*.test.ts',
];

/** Proofs that are in every run of CI. */
const standing = [
  'test/lint/{check,language}.test.ts',
  'test/browser/every-page.test.ts',
  'test/api/**/{isolation,isolation-console,every-operation,audit-transactions}.test.ts',
  'test/e2e/**/kill-nine.test.ts',
  'test/workflows/interleavings.test.ts',
  'test/plans/*.test.ts',
];
/** The other proofs take turns: of this many seeds that follow each other, each proof runs with one. */
export const turns = 12;

/** Proofs that try a sample in CI, and everything beside the long proofs. */
const sampled = [
  'test/browser/**/*.test.ts',
  'test/text/linear-text.test.ts',
  'test/api/**/{isolation,isolation-console,permissions}.test.ts',
  'test/approvals/*.test.ts',
];

/** Files in which several processes could show what one process hides. */
export const topology = [
  'test/topology/**/*.test.ts',
  'test/api/conversations/post-chat-sync.test.ts',
  'test/api/conversations/streams{,-across-processes}.test.ts',
  'test/api/conversations/cancel-runs.test.ts',
];

/** Files that share a stack run in one part, named by it. One that uses several is with those of the rarest. */
const stacks = {
  observed: 'useObservedStack',
  channels: 'useChannelStand',
  documents: 'useDocsStack',
  models: 'useModelStack',
  console: 'useConsole',
  signIn: 'useSignInStack',
  shared: 'useSharedStack',
};
/**
 * A part has a Postgres, a Temporal and a stack of its own: shorter parts start more of them, longer ones leave a lane
 * alone at the end.
 */
const partSeconds = 200;

/**
 * @param seed decides which proofs are drawn; if undefined, all are
 * @returns parts of these kinds, the longest first, and the number of proofs that were not drawn
 */
export function scheduledParts(
  kinds: readonly Kind[],
  seed?: number,
): { parts: Scheduled[]; undrawn: number } {
  const wanted = globSync('test/**/*.test.ts', { cwd: projectRoot, exclude: ['test/topology/**'] })
    .sort()
    .filter((file) => kinds.includes(kindOf(file)) || (kinds.includes('long') && isOneOf(sampled, file)));
  // In order of their length, so that each draw takes about as long.
  const taking = wanted
    .filter((file) => seed !== undefined && kindOf(file) === 'proof' && !isOneOf(standing, file))
    .sort((one, other) => secondsOf([other]) - secondsOf([one]));
  const undrawn = new Set(taking.filter((_, index) => (index + seed!) % turns !== 0));
  const files = wanted.filter((file) => !undrawn.has(file));
  const byStack = Map.groupBy(files, (file) => {
    // Rows that fuzzing makes could stay in a shared stack.
    if (matchesGlob(file, 'test/fuzz/*')) return 'others';
    const text = readFileSync(join(projectRoot, file), 'utf8');
    return Object.entries(stacks).find(([, use]) => text.includes(`${use}(`))?.[0] ?? 'others';
  });
  const parts = [...byStack]
    .flatMap(([name, found]) => divided(name, found))
    .sort((one, other) => secondsOf(other.files) - secondsOf(one.files));
  return { parts, undrawn: undrawn.size };
}

function kindOf(file: string): Kind {
  if (isOneOf(longProofs, file)) return 'long';
  return isOneOf(proofs, file) ? 'proof' : 'test';
}

const isOneOf = (patterns: readonly string[], file: string): boolean =>
  patterns.some((pattern) => matchesGlob(file, pattern));

/** The longest file goes to the part that has the least so far. */
function divided(name: string, files: string[]): Scheduled[] {
  const count = Math.ceil(secondsOf(files) / partSeconds);
  if (count <= 1) return [{ name, files }];
  const parts = Array.from({ length: count }, (_, index) => ({
    name: `${name} ${index + 1}`,
    files: [] as string[],
  }));
  const longestFirst = files.toSorted((one, other) => secondsOf([other]) - secondsOf([one]));
  for (const file of longestFirst) {
    const least = parts.reduce((one, other) => (secondsOf(other.files) < secondsOf(one.files) ? other : one));
    least.files.push(file);
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
