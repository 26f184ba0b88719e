/** A rolling deploy with a change of the workflow code, under conversations that are open and under traffic. */
import { setTimeout as delay } from 'node:timers/promises';
import type { OwnProcess } from '../../support/own-process.ts';
import type { Stack } from '../../support/stack.ts';

export type Deploy = {
  conversations: number;
  messages: number;
  /** Messages without an answer, whose run has not ended. */
  stuck: number;
  /** Messages without a callback, though nothing is open. */
  lost: number;
  /** Callbacks beyond the first of a message, and answers beyond the first. */
  repeated: number;
  /** Workflows that the new code has begun to treat in the new way. */
  changed: number;
  /** Workflow tasks that failed, and were tried again, on a worker of the other version. */
  failedTasks: number;
  rollingMs: number;
};

export type DeployOptions = {
  stack: Stack;
  conversations: number;
  /** Bundle of the new code. */
  bundlePath: string;
  /** For answers after the deploy. */
  patienceMs: number;
  say?: (line: string) => void;
};

const inFlight = 12;
const modelMs = 150;
const rounds = ['before', 'during', 'after'] as const;

export async function rollingDeploy(options: DeployOptions): Promise<Deploy> {
  const { stack, conversations, bundlePath, patienceMs, say = () => undefined } = options;
  const { api, receiver, db, organizationId } = stack;
  const agent = await api.createAgent({
    script: [{ when: '(?s)^(.*)$', reply: 'echo: $1', delay_ms: modelMs }],
  });
  const path = (round: string, number: number) => `/rolling/${round}/${number}`;
  const send = async (round: string, number: number) => {
    const key = `${agent.id}-${round}-${number}`;
    const body = {
      message: key,
      contact: { id: `person-${number}` },
      webhook_url: receiver.url(path(round, number)),
    };
    const headers = { 'idempotency-key': key };
    await untilTaken(
      key,
      async () => (await api.call('POST', `/chat/${agent.id}`, { body, headers })).status,
    );
  };
  const sendAll = async (round: string, msBetween: number) => {
    let next = 0;
    const began = Date.now();
    const one = async () => {
      while (next < conversations) {
        const number = next++;
        await delay(Math.max(0, began + number * msBetween - Date.now()));
        await send(round, number);
      }
    };
    await Promise.all(Array.from({ length: inFlight }, one));
  };
  const hits = (round: string, number: number) => receiver.requestsTo(path(round, number)).length;
  const numbers = Array.from({ length: conversations }, (_, number) => number);
  const answered = async (round: string) => {
    const end = Date.now() + patienceMs;
    while (Date.now() < end && numbers.some((number) => hits(round, number) === 0)) await delay(100);
    say(`${round}: ${numbers.filter((number) => hits(round, number) > 0).length} answered`);
  };

  await sendAll('before', 0);
  await answered('before');
  const began = Date.now();
  const roll = async (one: OwnProcess, env?: NodeJS.ProcessEnv) => {
    await one.stop();
    await one.start(env);
  };
  const rolling = { over: false };
  const deploy = async () => {
    for (const worker of stack.workers) {
      await roll(worker, { WORKFLOW_BUNDLE: bundlePath });
      await delay(1000);
    }
    for (const one of stack.apis) await roll(one);
    rolling.over = true;
  };
  // Traffic lasts about as long as the deploy.
  await Promise.all([deploy(), sendAll('during', (stack.workers.length * 2500) / conversations)]);
  const rollingMs = Date.now() - began;
  await answered('during');
  await sendAll('after', 0);
  await answered('after');

  const { rows } = await db.pool.query<{ open: number; answers: number }>(
    `select (select count(*)::int from runs r join conversations c on c.id = r.conversation_id
              where c.organization_id = $1 and r.state in ('collecting', 'ready', 'running')) as open,
            (select count(*)::int from messages m join conversations c on c.id = m.conversation_id
              where c.organization_id = $1 and m.origin = 'agent') as answers`,
    [organizationId],
  );
  const all = rounds.flatMap((round) => numbers.map((number) => hits(round, number)));
  const stuck = rows[0]?.open ?? 0;
  const silent = all.filter((count) => count === 0).length;
  const twice = all.reduce((sum, count) => sum + Math.max(0, count - 1), 0);
  return {
    ...{ conversations, messages: all.length, stuck, lost: Math.max(0, silent - stuck) },
    repeated: twice + Math.max(0, (rows[0]?.answers ?? 0) - all.length),
    ...(await readHistories(stack, agent.id)),
    rollingMs,
  };
}

/**
 * Calls until the answer is 202. Calls again if a connection breaks, or after 503, because nothing was accepted.
 * @param call rejects if the connection breaks
 * @throws Error for any other answer: a deploy gives no other error
 */
export async function untilTaken(name: string, call: () => Promise<number>): Promise<void> {
  for (;;) {
    const status = await call().catch(() => 0);
    if (status === 202) return;
    if (status !== 0 && status !== 503) throw new Error(`message ${name}: ${status}`);
    await delay(50);
  }
}

async function readHistories(
  { temporal }: Stack,
  agentId: string,
): Promise<Pick<Deploy, 'changed' | 'failedTasks'>> {
  let changed = 0;
  let failedTasks = 0;
  for await (const { workflowId, runId } of temporal.client.workflow.list({
    query: `AgentId = '${agentId}'`,
  })) {
    const { events } = await temporal.client.workflow.getHandle(workflowId, runId).fetchHistory();
    if (events?.some(({ markerRecordedEventAttributes: marker }) => marker !== null && marker !== undefined))
      changed += 1;
    failedTasks +=
      events?.filter(({ workflowTaskFailedEventAttributes: one }) => one !== null && one !== undefined)
        .length ?? 0;
  }
  return { changed, failedTasks };
}
