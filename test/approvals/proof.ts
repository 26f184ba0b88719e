/**
 * Approvals with two racing deciders each, while workers and APIs are killed between their statements and are deployed
 * again, counted at a tool of our own.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createToken } from '../../src/adapters/postgres/accounts/tokens.ts';
import { isDatabaseUnavailable } from '../../src/adapters/postgres/database.ts';
import { approval, type Approval } from '../../src/contract/conversations/approvals.ts';
import { pageOf } from '../../src/contract/page.ts';
import { conversationWorkflowId } from '../../src/contract/workflows.ts';
import { inParallel } from '../../src/app/in-parallel.ts';
import { randomOf, type Random } from '../chaos/random.ts';
import { applyPlant } from '../support/interleavings/load-simulated.ts';
import { ApiClient } from '../support/api-client.ts';
import { readJson, startModelServer, userText } from '../support/model-server.ts';
import { startStack, type Stack } from '../support/stack.ts';
import { until } from '../support/until.ts';
import { nextVersion } from '../topology/rolling/changed-workflows.ts';
import { violations, violationsOf, type Case, type Decider, type Violation } from './count-outcomes.ts';
import { Deaths } from './deaths.ts';
import { plants } from './plants.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../src/local/project-root.ts';

export interface ProofOptions {
  seed: number;
  approvals: number;
  /** How many approvals are in progress at once. */
  atOnce: number;
  /** How often a process is killed. */
  kills: number;
  apis: number;
  workers: number;
  /** True if, while approvals wait, the workers restart with other workflow code and the APIs restart too. */
  deploys: boolean;
  /** Name of a planted bug. */
  plant?: string;
}

export interface ProofReport {
  approvals: number;
  /** How many approvals ended so. */
  ended: Record<string, number>;
  /** Requests that the tool has received. */
  requests: number;
  /**
   * Approvals of which one decider got the answer that it had decided; deciders who got the answer that they came too
   * late.
   */
  won: number;
  late: number;
  /** Approvals that waited while everything was deployed. */
  waitedOverDeploy: number;
  /** Kills by process and moment. */
  kills: number;
  deaths: Record<string, number>;
  violations: Record<Violation, number>;
}

/** How the two deciders act, and how many of twenty approvals they do so for. */
const kinds = {
  /** One approves, one refuses, at the same time. */
  race: 8,
  approve: 3,
  refuse: 2,
  /** Both come after the expiry, which refuses. */
  expire: 2,
  /** Both come after the expiry, which approves. */
  'expire-approve': 1,
  /** One approves, one refuses, at the time of the expiry. */
  'at-expiry': 2,
  /** Both approve, after the row of the tool call was changed. */
  changed: 2,
} as const;
type Kind = keyof typeof kinds;
const expirySeconds = 3;
const agentOf = (kind: Kind) =>
  kind === 'expire-approve'
    ? 'approving'
    : kind === 'expire' || kind === 'at-expiry'
      ? 'expiring'
      : 'patient';
type AgentName = ReturnType<typeof agentOf>;

/**
 * Milliseconds for which an approval may not appear or not end. A call whose worker has died is repeated after 15 s,
 * and the next worker may die too; on a loaded machine a process takes ten seconds to start.
 */
const patienceMs = 300_000;

type Played = { -readonly [K in keyof Case]: Case[K] } & { kind: Kind; conversationId: string };

/** Runs the proof of one seed on a stack of its own. */
export async function runProof(options: ProofOptions, say: (line: string) => void): Promise<ProofReport> {
  const random = randomOf(options.seed, 'approvals');
  const tool = await startTool(randomOf(options.seed, 'tool'));
  const model = await startModelServer();
  model.answerWhere((body) => {
    const [, number, amount] = /refund case (\d+) amount (\d+)/.exec(userText(body)) ?? [];
    return body.messages.at(-1)?.role === 'tool'
      ? { kind: 'stream', text: 'Done.' }
      : { kind: 'stream', call: { name: 'refund', input: { case: Number(number), amount: Number(amount) } } };
  });
  const plant = options.plant === undefined ? undefined : plants[options.plant];
  const stack = await startStack({
    apis: options.apis,
    workers: options.workers,
    env: {
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      ...{ TOOL_ALLOW: '127.0.0.1', ORGANIZATION_RATE_LIMIT: 'off' },
      ...{ MODEL_BASE_URL: model.baseUrl, MODEL_API_KEY: 'key', MODEL_NAME: 'one' },
      // A process dies again and again; no work is the cause.
      LOST_WORKERS: '1000',
      NODE_OPTIONS: `--import ${join(import.meta.dirname, 'die-at-statement.ts')}`,
      ...(plant?.file.endsWith('.ts') === true && { PLANT: JSON.stringify(plant) }),
    },
  });
  const next = options.deploys ? nextVersion('safe') : undefined;
  const deaths = new Deaths(stack, randomOf(options.seed, 'deaths'), { ...options, say });
  try {
    if (plant?.file.endsWith('.sql') === true) {
      const source = readFileSync(join(projectRoot, plant.file), 'utf8');
      await stack.db.pool.query(applyPlant(source, plant));
    }
    const bundle = await next?.bundlePath();
    const played = await play({ stack, options, random, tool, deaths, bundle, say });
    return reportOf(played, deaths);
  } finally {
    await deaths.end();
    await stack.stop();
    await tool.close();
    await model.close();
    next?.remove();
  }
}

interface Stage {
  stack: Stack;
  options: ProofOptions;
  random: Random;
  tool: Tool;
  deaths: Deaths;
  bundle: string | undefined;
  say: (line: string) => void;
}

async function play({ stack, options, random, tool, deaths, bundle, say }: Stage) {
  const agents = await newAgents(stack.api, tool.url);
  const clients = await Promise.all(
    ['first', 'second'].map(async (name) => {
      const { token } = await whenReached(() =>
        createToken(stack.db, { organizationId: stack.organizationId, name }),
      );
      return { name, api: new ApiClient(stack.apiUrl, token) };
    }),
  );
  tool.onSlow = () => {
    deaths.killWorker();
  };
  const cases = newCases(
    options.approvals,
    random,
    clients.map(({ name }) => name),
  );
  // From here on deciders wait until the deploy is over.
  const deployAt = bundle === undefined ? Infinity : Math.floor(options.approvals / 2);
  let asked = 0;
  let waitedOverDeploy = 0;
  let deployed: Promise<void> | undefined;
  deaths.begin();
  await inParallel(cases, options.atOnce, async (one) => {
    one.conversationId = await ask(stack.api, agents[agentOf(one.kind)], one);
    one.shown = await until(
      `the approval of case ${one.number}`,
      async () => (await approvalsOf(stack.api, one))[0],
      patienceMs,
    ).catch(async (error: unknown) => {
      say(`${one.conversationId}: ${await stateOf(stack, one.conversationId)}`);
      throw error;
    });
    asked += 1;
    if (asked === deployAt) {
      say(`${asked} approvals have been requested; deploying`);
      deployed = deaths.deploy({ WORKFLOW_BUNDLE: bundle }).finally(() => (deployed = undefined));
    }
    if (deployed !== undefined) {
      waitedOverDeploy += 1;
      await deployed;
    }
    const { shown } = one;
    if (one.kind === 'changed') await whenReached(() => stack.db.pool.query(changeArguments, [shown.id]));
    await Promise.all(
      one.deciders.map(async (decider, index) => {
        await delay(pauseOf(one.kind, shown, random));
        await decide(clients[index]?.api ?? assert.fail(), shown, decider);
      }),
    );
    if (one.number % 100 === 0) say(`case ${one.number} of ${cases.length} is decided`);
  });
  await deaths.stop();
  const byId = new Map(cases.map((one) => [one.conversationId, one]));
  const all = await until(
    'every approval to end and every run to answer',
    async () => {
      const { rows } = await stack.db.pool.query<{ open: number }>(
        `select count(*)::int as open from runs where organization_id = $1 and state in ('collecting', 'ready', 'running')`,
        [stack.organizationId],
      );
      return rows[0]?.open === 0 && (await everyApproval(stack.api));
    },
    options.plant === undefined ? patienceMs : 60_000,
  ).catch(async () => await everyApproval(stack.api));
  for (const one of all) {
    const found =
      byId.get(one.conversation_id) ?? assert.fail(`an approval of no case: ${JSON.stringify(one)}`);
    found.ended = [...found.ended, one];
  }
  for (const one of cases) one.requests = tool.requests.filter(({ number }) => number === one.number);
  return { cases, waitedOverDeploy, requests: tool.requests.length };
}

/** Describes the state of a conversation whose approval does not appear. */
async function stateOf({ db, temporal }: Stack, conversationId: string): Promise<string> {
  const { rows } = await db.pool.query<{ runs: unknown }>(
    `select (select json_agg(r) from (select state, error, ordinal from runs where conversation_id = $1) r) as runs`,
    [conversationId],
  );
  const handle = temporal.client.workflow.getHandle(conversationWorkflowId(conversationId));
  const { raw } = await handle.describe();
  const pending = raw.pendingActivities?.map(({ attempt, state, lastFailure, lastWorkerIdentity }) => ({
    ...{ attempt, state, lastWorkerIdentity, failure: lastFailure?.message },
  }));
  return JSON.stringify({ runs: rows[0]?.runs, pending, task: raw.pendingWorkflowTask?.attempt });
}

function reportOf(
  { cases, waitedOverDeploy, requests }: Awaited<ReturnType<typeof play>>,
  deaths: Deaths,
): ProofReport {
  const ended: Record<string, number> = {};
  for (const { status } of cases.flatMap((one) => one.ended)) ended[status] = (ended[status] ?? 0) + 1;
  const counts = violations.map((name) => [name, 0] as [Violation, number]);
  const found = Object.fromEntries(counts) as Record<Violation, number>;
  for (const one of cases) for (const name of violationsOf(one)) found[name] += 1;
  const deciders = cases.flatMap((one) => one.deciders);
  return {
    ...{ approvals: cases.length, ended, requests, waitedOverDeploy },
    won: deciders.filter(({ status }) => status === 200).length,
    late: deciders.filter(({ status }) => status === 409).length,
    kills: deaths.count,
    deaths: deaths.byMoment,
    violations: found,
  };
}

/** Fails with the report unless everything held. */
export function demandProof(report: ProofReport): void {
  const none = Object.fromEntries(violations.map((name) => [name, 0]));
  assert.deepEqual(report.violations, none, JSON.stringify(report));
  assert.equal(report.won + report.late, 2 * report.approvals, JSON.stringify(report));
}

function newCases(count: number, random: Random, names: readonly string[]): Played[] {
  const pattern = (Object.keys(kinds) as Kind[]).flatMap((kind) =>
    Array.from({ length: kinds[kind] }, () => kind),
  );
  return Array.from({ length: count }, (_, index) => {
    const kind = pattern[(index * 7) % pattern.length] ?? 'race';
    const isFirstForIt = random.chance(0.5);
    const decider = (name: string, isFirst: boolean): Decider => {
      const isBoth = kind === 'approve' || kind === 'refuse' || kind === 'changed';
      const decision = isBoth ? (kind === 'refuse' ? 'refuse' : 'approve') : isFirst ? 'approve' : 'refuse';
      return { name, decision };
    };
    const [first = '', second = ''] = names;
    return {
      ...{
        number: index + 1,
        amount: random.whole(51, 900),
        kind,
        conversationId: '',
        ended: [],
        requests: [],
      },
      deciders: [decider(first, isFirstForIt), decider(second, !isFirstForIt)],
    };
  });
}

/** @returns milliseconds before a decider's first call */
function pauseOf(kind: Kind, { expires_at }: Approval, random: Random): number {
  const left = Math.max(0, Date.parse(expires_at) - Date.now());
  if (kind === 'expire' || kind === 'expire-approve') return left + random.between(20, 800);
  return kind === 'at-expiry' ? Math.max(0, left + random.between(-60, 60)) : random.between(0, 15);
}

const changeArguments = `update tool_calls t set input = jsonb_set(input, '{amount}', '1000000') from approvals a
  where a.id = $1 and t.run_id = a.run_id and t.step = a.step and t.position = a.position`;

/** Repeats a statement of the proof's own while a loaded machine gives it no connection in time. */
async function whenReached<T>(query: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await query();
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      await delay(100);
    }
  }
}

/** Repeats a call until the API answers it: a killed one leaves it open whether it was carried out. */
async function answered(call: () => Promise<{ status: number; body: unknown }>) {
  for (;;) {
    const answer = await call().catch(() => undefined);
    if (answer !== undefined && answer.status < 500) return answer;
    await delay(100);
  }
}

async function ask(api: ApiClient, agentId: string, { number, amount }: Played): Promise<string> {
  const headers = { 'idempotency-key': `case ${number}` };
  const body = { message: `refund case ${number} amount ${amount}` };
  const answer = await answered(() => api.call('POST', `/chat/${agentId}`, { body, headers }));
  assert.equal(answer.status, 202, JSON.stringify(answer.body));
  return (answer.body as { conversation_id: string }).conversation_id;
}

async function decide(api: ApiClient, { id }: Approval, decider: Decider): Promise<void> {
  decider.sentAt = Date.now();
  const body = { decision: decider.decision };
  decider.status = (await answered(() => api.call('POST', `/approvals/${id}`, { body }))).status;
}

async function approvalsOf(api: ApiClient, { conversationId }: Played): Promise<Approval[]> {
  const { body } = await answered(() => api.call('GET', `/approvals?conversation_id=${conversationId}`));
  return pageOf(approval.strict()).parse(body).data;
}

async function everyApproval(api: ApiClient): Promise<Approval[]> {
  const all: Approval[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const { body } = await answered(() => api.call('GET', `/approvals?limit=100${query}`));
    const page = pageOf(approval.strict()).parse(body);
    all.push(...page.data);
    cursor = page.next_cursor;
  }
  return all;
}

async function newAgents(api: ApiClient, url: string): Promise<Record<AgentName, string>> {
  const tool = await api.call('POST', '/tools/http', {
    body: {
      ...{ name: 'refund', description: 'Refunds an amount.', method: 'POST', url, effect: 'write' },
      ...{ timeout_seconds: 20, parameters: { type: 'object', properties: argumentsOfTool } },
    },
  });
  assert.equal(tool.status, 201, JSON.stringify(tool.body));
  const agent = async (policy: object) => {
    const tool_policies = [{ tool: 'refund', policy: 'ask', unless: 'amount <= 50', ...policy }];
    return (await api.createAgent({ model: 'custom/one', tools: ['refund'], tool_policies })).id;
  };
  return {
    patient: await agent({ expires_after_seconds: 3600 }),
    expiring: await agent({ expires_after_seconds: expirySeconds }),
    approving: await agent({ expires_after_seconds: expirySeconds, on_expiry: 'approve' }),
  };
}

const argumentsOfTool = { case: { type: 'integer' }, amount: { type: 'integer' } };

interface Tool {
  url: string;
  requests: { number: number; at: number; body: string }[];
  /** Called when a request has arrived whose answer takes long enough to kill its worker. */
  onSlow: () => void;
  close: () => Promise<void>;
}

/** A tool that records each request at its arrival; the answer to one of thirty takes 400 ms. */
async function startTool(random: Random): Promise<Tool> {
  const server = createServer((request, response) => {
    const answer = async (value: unknown) => {
      const { case: number } = value as { case: number };
      tool.requests.push({ number, at: Date.now(), body: JSON.stringify(value) });
      if (random.chance(1 / 30)) {
        tool.onSlow();
        await delay(400);
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"refunded":true}');
    };
    // A caller that was killed while it sent is not answered.
    void readJson(request).then(answer, () => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const tool: Tool = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/refunds`,
    requests: [],
    onSlow: () => undefined,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return tool;
}
