/** After a run: reads the histories and the delivery log as a caller does, and the rows and histories behind them. */
import { setTimeout as delay } from 'node:timers/promises';
import type { WorkflowHandle } from '@temporalio/client';
import { z } from 'zod';
import { delivery, type Message } from '../../src/contract/conversations/conversations.ts';
import { pageOf } from '../../src/contract/page.ts';
import type { Observed, RunRow, DeliveryRow, PartRow, ReplyRow } from './observed.ts';
import type { Stand } from './stand.ts';

/** Nothing is open for so long: longer than a follow-up waits. */
const calmMs = 4000;

/** @returns milliseconds until nothing was open; undefined when the time limit came first */
export async function drain(stand: Stand, limitMs: number): Promise<number | undefined> {
  const started = Date.now();
  let calmSince: number | undefined;
  while (Date.now() - started < limitMs + calmMs) {
    const { rows } = await stand.db.pool.query<{ open: number }>(
      `select (select count(*) from runs where state in ('collecting', 'ready', 'running'))
            + (select count(*) from deliveries where status in ('pending', 'attempting')) as open`,
    );
    if (rows[0]?.open !== 0) calmSince = undefined;
    else calmSince ??= Date.now();
    if (calmSince !== undefined && Date.now() - calmSince > calmMs) return calmSince - started;
    await delay(100);
  }
  return undefined;
}

type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;
/** The result of an activity that has answered several runs. */
const turnsOutcome = z.object({ earlier: z.array(z.unknown()) });

type Rows = Pick<Observed, 'histories' | 'deliveries' | 'replies' | 'runs'>;

type LogRow = Omit<DeliveryRow, 'path'> &
  Pick<ReplyRow, 'error'> &
  ({ kind: 'callback' | 'alert'; url: string } | { kind: 'channel_reply'; recipient: string });

export async function readRows({ api, db }: Stand): Promise<Rows> {
  const runs = await db.knex<RunRow>('runs').select('*');
  const found = await db.knex<LogRow>('deliveries').select('*');
  const parts = await db.knex<PartRow & { delivery_id: string }>('gateway_sends').orderBy('part_no');
  const byReply = Map.groupBy(parts, (part) => part.delivery_id);
  const deliveries = found
    .filter((row) => row.kind !== 'channel_reply')
    .map((row) => ({ ...row, path: new URL(row.url).pathname }));
  const replies = found
    .filter((row) => row.kind === 'channel_reply')
    .map((row) => ({ ...row, number: row.recipient, parts: byReply.get(row.id) ?? [] }));
  const conversations = await db.knex<{ id: string }>('conversations').select('id');
  const histories = new Map<string, Message[]>();
  for (const { id } of conversations) histories.set(id, await api.messages(id));
  await compareLog(api, found);
  return { runs, deliveries, replies, histories };
}

/** Checks that the API shows callers what is in the rows. @throws Error if it does not */
async function compareLog(api: Stand['api'], rows: readonly LogRow[]): Promise<void> {
  const shown = new Map<string, string>();
  let cursor = '';
  do {
    const answer = await api.call('GET', `/deliveries?limit=100${cursor && `&cursor=${cursor}`}`);
    const page = pageOf(delivery.strict()).parse(answer.body);
    for (const one of page.data) shown.set(one.id, one.status);
    cursor = page.next_cursor ?? '';
  } while (cursor !== '');
  const wrong = rows.filter((row) => shown.get(row.id) !== row.status);
  if (wrong.length > 0 || shown.size !== rows.length)
    throw new Error(`the delivery log shows ${shown.size} of ${rows.length}, ${wrong.length} of them wrong`);
}

export async function readTemporal(
  { client, api, databaseUrl, logs }: Stand,
  secret: string,
  histories: number,
): Promise<Pick<Observed, 'leaks' | 'nonDeterminism' | 'failedWorkflows' | 'warmRuns'>> {
  const secrets = [secret, api.token, new URL(databaseUrl).password];
  const leaks: string[] = [];
  const said = logs();
  for (const one of secrets) if (said.includes(one)) leaks.push(`a log: ${around(said, one)}`);
  let failedWorkflows = 0;
  let warmRuns = 0;
  let left = histories;
  for await (const { workflowId, runId, status } of client.workflow.list()) {
    if (status.name === 'FAILED' || status.name === 'TIMED_OUT') failedWorkflows += 1;
    if (left-- <= 0) continue;
    const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    if (holds(history, secrets)) leaks.push(`the history of ${workflowId}`);
    warmRuns += warmRunsIn(history);
  }
  return {
    ...{ leaks, failedWorkflows, warmRuns },
    nonDeterminism: said.match(/nondeterminis|non-determinis|TMPRL1100/gi)?.length ?? 0,
  };
}

function warmRunsIn({ events }: History): number {
  const results = (events ?? []).flatMap(
    ({ activityTaskCompletedEventAttributes: ended }) => ended?.result?.payloads ?? [],
  );
  const parsed = results.map(({ data }) =>
    turnsOutcome.safeParse(JSON.parse(Buffer.from(data ?? []).toString() || 'null')),
  );
  return parsed.reduce((sum, { data }) => sum + (data?.earlier.length ?? 0), 0);
}

function holds(value: unknown, secrets: readonly string[]): boolean {
  if (typeof value === 'string') return secrets.some((one) => value.includes(one));
  if (value instanceof Uint8Array) return holds(Buffer.from(value).toString('latin1'), secrets);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((one) => holds(one, secrets));
}

function around(text: string, part: string): string {
  const at = text.indexOf(part);
  return text.slice(Math.max(0, at - 120), at).replaceAll('\n', ' ');
}
