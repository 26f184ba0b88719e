/**
 * `npm run count:hops`: the modules of ours and the SQL functions that one plain message goes through, from
 * `POST /v1/chat/{id}` to its callback. A module counts if one of its functions was called in the API or in the worker
 * between the call and the last event of the turn, by V8's counters; the message before it has warmed both processes
 * up, so that what is made once for a process (pools, parsers, caches) does not count. A SQL function counts if
 * Postgres's `pg_stat_user_functions` counted a call of it; Postgres does not count functions that it inlines.
 *
 * What a process does at intervals of its own counts too if it falls into the turn: a worker that shows that it lives,
 * the request log that is written. The schedules' rounds are paused. It fails above the maxima, or if the README's walk
 * does not name one of them. Commit 46ff5c4, before the rooms by feature, had 60 and 11 by this count, and had 55 and
 * 12 when somebody counted them by reading the code.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { projectRoot } from '../../src/local/project-root.ts';
import { conversationWorkflowId, scheduleIds } from '../../src/contract/workflows.ts';
import { backing, stopBacking } from '../support/backing.ts';
import { startStack, type Stack } from '../support/stack.ts';
import { until } from '../support/until.ts';
import { placesIn } from '../workflows/replay/block-coverage.ts';

interface Called {
  url: string;
  offset: number;
}

/** Maximum modules and SQL functions of a turn, including all that may fall into it. */
const maxModules = 35;
const maxFunctions = 6;

let takes = 0;
const folder = mkdtempSync(join(tmpdir(), 'parley-hops-'));
const preload = fileURLToPath(new URL('preload.ts', import.meta.url));
const shared = await backing();
const stack = await startStack({
  apis: 1,
  workers: 1,
  env: { HOPS_FOLDER: folder, NODE_OPTIONS: `--import ${preload}`, SWEEP_SECONDS: '600' },
});
try {
  // Reloaded, so that connections that are open follow it too.
  await stack.db.pool.query("alter system set track_functions = 'all'");
  await stack.db.pool.query('select pg_reload_conf()');
  // Clean-ups and channel checks, which a schedule starts at whole minutes, are no part of a turn. One may be in progress.
  for (const scheduleId of Object.values(scheduleIds)) {
    const schedule = stack.temporal.client.schedule.getHandle(scheduleId);
    await schedule.pause();
    await until('its round to end', async () => (await schedule.describe()).info.runningActions.length === 0);
  }
  const agent = await stack.api.createAgent({ script: [{ reply: 'ok' }] });
  await turn(stack, agent.id, '/warm-up');
  // An idle connection reports its counts within 10 s: those of what came before are no part of the turn.
  const before = await until('Postgres counts the calls so far', async () => {
    const now = await functionCalls(stack);
    const { rows } = await stack.db.pool.query<{ agents: string; runs: string; sealed: string }>(
      `select (select count(*) from agents) as agents, (select count(*) from runs) as runs,
         (select count(*) from audit_log where hash is not null) as sealed`,
    );
    const isCounted = (name: string, times?: string) => (now.get(name) ?? 0) >= Number(times);
    const { agents, runs, sealed } = rows[0] ?? {};
    return (
      isCounted('keep_agent_version', agents) &&
      isCounted('record_step', runs) &&
      // The clean-up seals the audit log through a connection of its own.
      isCounted('refuse_audit_change', sealed) &&
      now
    );
  });
  await turn(stack, agent.id, '/warmer');
  await takeCounts(stack);
  await turn(stack, agent.id, '/counted');
  const modules = await takeCounts(stack);
  const after = await until('Postgres counts the calls of the API and of the worker', async () => {
    const now = await functionCalls(stack);
    const isCounted = (name: string) => (now.get(name) ?? 0) > (before.get(name) ?? 0);
    return isCounted('accept_input') && isCounted('record_step') && now;
  });
  const functions = [...after]
    .filter(([name, calls]) => calls > (before.get(name) ?? 0))
    .map(([name]) => name);
  print('TypeScript modules', modules);
  print('SQL functions', functions);
  if (modules.length > maxModules || functions.length > maxFunctions) {
    console.log(`These are more than ${maxModules} modules or ${maxFunctions} SQL functions.`);
    process.exitCode = 1;
  }
  const walk = /^## The path of a message$([^]*?)^## /m.exec(readFileSync('README.md', 'utf8'))?.[1] ?? '';
  const unnamed = [...modules, ...functions.map((name) => `${name}.sql`)].filter(
    (name) => !walk.includes(`${name})`),
  );
  if (unnamed.length > 0) {
    print('of them are not named in the walk of README.md', unnamed);
    process.exitCode = 1;
  }
} finally {
  await stack.stop();
  await stopBacking();
  rmSync(folder, { recursive: true });
}
// Open gRPC channels can keep the process alive.
process.exit();

/** One message of a new conversation, until its callback is recorded and the workflow waits again. */
async function turn({ api, receiver, temporal, db }: Stack, agentId: string, path: string): Promise<void> {
  const sent = await api.send(agentId, { message: 'hi', webhook_url: receiver.url(path) });
  await receiver.waitFor(path, 1);
  await until('the callback is recorded', async () => {
    const { rows } = await db.pool.query<{ status: string }>(
      'select status from deliveries where conversation_id = $1',
      [sent.conversation_id],
    );
    return rows[0]?.status === 'delivered';
  });
  const workflow = temporal.client.workflow.getHandle(conversationWorkflowId(sent.conversation_id));
  await until('the workflow waits again', async () => {
    const { events } = await workflow.fetchHistory();
    return events?.some(({ timerStartedEventAttributes }) => timerStartedEventAttributes);
  });
}

/** @returns modules of ours called since the last time, each with its called functions */
async function takeCounts({ apiProcess, worker }: Stack): Promise<string[]> {
  const before = new Set(readdirSync(folder));
  const place = placesIn(readFileSync(shared.workflowBundle, 'utf8'));
  takes += 1;
  writeFileSync(join(folder, `take-${takes}`), '');
  const files = await until('each thread has written its counts', () => {
    const written = readdirSync(folder).filter((file) => file.endsWith('.json') && !before.has(file));
    const ofThreads = (pid: number) => written.filter((file) => file.startsWith(`${pid}-`)).length;
    // The worker's second thread runs the workflows.
    return Promise.resolve(ofThreads(apiProcess.pid) > 0 && ofThreads(worker.pid) > 1 && written);
  });
  const called = files.flatMap((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Called[]);
  const ours = called.flatMap(({ url, offset }) => {
    if (url.includes('workflow-bundle')) return place(offset)?.file ?? [];
    return url.startsWith('file:') ? relative(projectRoot, fileURLToPath(url)) : [];
  });
  return [...new Set(ours)].filter((file) => /^(src|workflows|activities)\/.*\.ts$/.test(file)).sort();
}

async function functionCalls({ db }: Stack): Promise<Map<string, number>> {
  const { rows } = await db.pool.query<{ name: string; calls: string }>(
    'select funcname as name, sum(calls) as calls from pg_stat_user_functions group by 1 order by 1',
  );
  return new Map(rows.map(({ name, calls }) => [name, Number(calls)]));
}

function print(what: string, names: readonly string[]): void {
  console.log(`${names.length} ${what}\n${names.map((name) => `  ${name}`).join('\n')}`);
}
