/**
 * Recorded conversations of two agents, rehearsed: with the same version, with planted changes, and while the worker
 * and the API are killed. Everything that could be reached from outside counts its requests.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { pageOf } from '../../src/contract/page.ts';
import {
  rehearsal,
  rehearsalTurn,
  type Rehearsal,
  type RehearsalTurn,
} from '../../src/contract/rehearsals/rehearsals.ts';
import { inParallel } from '../../src/app/in-parallel.ts';
import { randomOf } from '../chaos/random.ts';
import type { ApiClient } from '../support/api-client.ts';
import { connect } from '../support/docs-stack.ts';
import { startGatewayEmulator, type GatewayEmulator } from '../support/gateway/start-gateway-emulator.ts';
import { startModelServer, userText } from '../support/model-server.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { startStack, type Stack } from '../support/stack.ts';
import { until } from '../support/until.ts';
import { startWorkspaceEmulator, type WorkspaceEmulator } from '../support/workspace/emulator.ts';
import { createPage, plantedChanges, topics, topicOf, type Planted, type Rule } from './planted.ts';

export interface ProofOptions {
  seed: number;
  conversations: number;
  /** How often a process is killed during a rehearsal. */
  kills: number;
}

export interface ProofReport {
  /** Turns of the same version, and how many are the same. */
  turns: number;
  same: number;
  /** Planted changes; those found in their class in every turn; turns that are reported changed without a change. */
  planted: number;
  found: number;
  falseAlarms: number;
  missed: string[];
  /** Requests while the conversations were recorded: each trap must have had some. */
  recorded: Requests;
  /** Requests during all rehearsals. */
  escaped: Requests;
  kills: number;
  /** True if the report of the killed rehearsal has the same bytes as the undisturbed one. */
  isSameReport: boolean;
}

/** Requests at everything that can be reached from outside, except models. */
type Requests = Record<'callbacks' | 'httpTools' | 'gateway' | 'workspace', number>;

/** Counts the requests that leave, and answers as the real services do, so that a call that escapes succeeds. */
interface Traps {
  outside: Receiver;
  gateway: GatewayEmulator;
  workspace: WorkspaceEmulator;
}

function requestsAt({ outside, gateway, workspace }: Traps): Requests {
  const callbacks = outside.requestsTo('/callback').length;
  return {
    callbacks,
    httpTools: outside.count() - callbacks,
    // Parley reads the state of the session at any time.
    gateway: gateway.state.requests.filter(({ method }) => method !== 'GET').length,
    workspace: workspace.requests.length,
  };
}

/** Runs the proof of one seed on a stack of its own. */
export async function runProof(options: ProofOptions, say: (line: string) => void): Promise<ProofReport> {
  const [outside, gateway, workspace, model] = await Promise.all([
    startReceiver(),
    startGatewayEmulator(),
    startWorkspaceEmulator(),
    startModelServer(),
  ]);
  model.answerWhere((body) => {
    const system = body.messages.find(({ role }) => role === 'system')?.content;
    return { kind: 'stream', text: `${body.model}, ${JSON.stringify(system)}: ${userText(body)}` };
  });
  const stack = await startStack({
    env: {
      ...{ ENCRYPTION_KEY: randomBytes(32).toString('base64'), ORGANIZATION_RATE_LIMIT: 'off' },
      ...{
        TOOL_ALLOW: '127.0.0.1',
        DOCS_API_URL: workspace.url,
        ...{ GATEWAY_ALLOW: '127.0.0.1/32', GATEWAY_PACE: 'none', GATEWAY_SENDS_PER_MINUTE: 'off' },
        CALLBACK_ALLOW: `${outside.host},127.0.0.1`,
      },
      ...{ MODEL_BASE_URL: model.baseUrl, MODEL_API_KEY: 'key', MODEL_NAME: 'one' },
    },
  });
  try {
    return await prove(stack, { outside, gateway, workspace }, options, say);
  } finally {
    await stack.stop();
    await Promise.all([outside.close(), gateway.stop(), workspace.stop(), model.close()]);
  }
}

async function prove(
  stack: Stack,
  traps: Traps,
  { seed, conversations, kills }: ProofOptions,
  say: (line: string) => void,
): Promise<ProofReport> {
  const { api } = stack;
  const { outside, gateway } = traps;
  const agents = await newAgents(api, traps);
  const cases = Array.from({ length: conversations }, (_, index) => index);
  // A tenth is answered by a language model, whose answers depend on its instructions and its name.
  const worded = cases.filter((index) => index % 10 === 9);
  await inParallel(cases, 8, async (index) => {
    const isWorded = index % 10 === 9;
    if (index < overWhatsApp) {
      const from = `55349999${1000 + index}`;
      await gateway.deliverInbound({ from, text: `${topicOf(index)} of case ${index}` });
      await until('the reply', () => gateway.sent.some(({ number }) => number === from));
      return;
    }
    const message = isWorded ? `words ${index}` : `${topicOf(index)} of case ${index}`;
    const { conversation_id } = await api.send(isWorded ? agents.worded : agents.scripted, {
      message,
      webhook_url: outside.url('/callback'),
    });
    await api.settled(conversation_id);
  });
  await until('every callback to be posted', async () => {
    const { rows } = await stack.db.pool.query(
      "select from deliveries where status in ('pending', 'attempting')",
    );
    return rows.length === 0;
  });
  const before = requestsAt(traps);
  say(`recorded: ${conversations} conversations, ${JSON.stringify(before)}`);
  const half = { max_turns: 1000 };
  const first = await rehearse(api, agents.scripted, half);
  const words = await rehearse(api, agents.worded, half);
  const turns = first.turns.length + words.turns.length;
  const same = first.rehearsal.outcomes.same + words.rehearsal.outcomes.same;
  say(`same version: ${same} of ${turns} the same`);

  const missed: string[] = [];
  const planted = plantedChanges();
  await draft(api, agents.scripted, agents.draftWith(planted));
  const changed = await rehearse(api, agents.scripted, { ...half, version: 'draft' });
  const expected = new Map(planted.map((change) => [change.topic, change]));
  let falseAlarms = 0;
  for (const turn of changed.turns) {
    const change = expected.get(turn.input.split(' of case ')[0] ?? '');
    if (change === undefined) falseAlarms += turn.outcome === 'same' ? 0 : 1;
    else if (turn.outcome !== change.outcome || turn.diverged !== change.diverged)
      missed.push(`${change.topic}: ${turn.outcome ?? 'not asked'} instead of ${change.outcome}`);
  }
  for (const { topic } of planted)
    if (!changed.turns.some(({ input }) => input.startsWith(`${topic} of case`)))
      missed.push(`${topic}: no turn`);
  const wordChanges: [string, object, object | undefined][] = [
    ['instructions', { version: 'draft' }, { instructions: 'Be rude.' }],
    ['model', { model: 'custom/two' }, undefined],
  ];
  for (const [name, body, content] of wordChanges) {
    if (content !== undefined) await draft(api, agents.worded, content);
    const { rehearsal: report } = await rehearse(api, agents.worded, { ...half, ...body });
    if (report.outcomes.other_text !== worded.length)
      missed.push(`${name}: ${JSON.stringify(report.outcomes)}`);
  }
  const total = planted.length + wordChanges.length;
  const unfound = new Set(missed.map((one) => one.split(':')[0])).size;
  say(`planted: ${total - unfound} of ${total} found in their class, ${falseAlarms} false`);

  const disturbed = await rehearse(api, agents.scripted, { ...half, version: 'draft' }, (progress) =>
    kill(stack, { seed, kills, progress, turns: changed.turns.length }),
  );
  const isSameReport = bytesOf(disturbed) === bytesOf(changed);
  say(`killed ${kills} times: the report is ${isSameReport ? 'the same' : 'another one'}`);
  return {
    ...{ turns, same, planted: total, found: total - unfound, falseAlarms, missed: missed.slice(0, 20) },
    ...{ recorded: before, escaped: differenceOf(requestsAt(traps), before), kills, isSameReport },
  };
}

function differenceOf(after: Requests, before: Requests): Requests {
  return {
    callbacks: after.callbacks - before.callbacks,
    httpTools: after.httpTools - before.httpTools,
    gateway: after.gateway - before.gateway,
    workspace: after.workspace - before.workspace,
  };
}

/** Number of conversations over WhatsApp. Fewer than 10, so that none of them is of the language model. Chosen. */
const overWhatsApp = 9;
const none: Requests = { callbacks: 0, httpTools: 0, gateway: 0, workspace: 0 };

/** Fails with the report unless everything held. */
export function demandProof(report: ProofReport): void {
  const { turns, same, planted, found, falseAlarms, recorded, escaped, isSameReport } = report;
  const held = { same: turns, found: planted, falseAlarms: 0, escaped: none, isSameReport: true };
  for (const [trap, count] of Object.entries(recorded))
    assert.ok(count > 0, `${trap}: no request while the conversations were recorded`);
  assert.deepEqual({ same, found, falseAlarms, escaped, isSameReport }, held, JSON.stringify(report));
}

/**
 * Returns what must be the same in two rehearsals of the same turns: everything but identifiers, moments and durations.
 */
function bytesOf({ rehearsal: report, turns }: Report): string {
  const { id: _, created_at: _created, finished_at: _finished, model_ms: _ms, ...rest } = report;
  const timeless = turns.map((turn) => ({
    ...turn,
    rehearsed: turn.rehearsed && { ...turn.rehearsed, model_ms: 0 },
  }));
  return JSON.stringify({ ...rest, turns: timeless });
}

interface Report {
  rehearsal: Rehearsal;
  turns: RehearsalTurn[];
}

async function draft(api: ApiClient, agentId: string, body: object): Promise<void> {
  const answer = await api.call('PUT', `/agents/${agentId}/draft`, { body });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
}

/** @param disturb called with the turns that are done, until it returns true */
async function rehearse(
  api: ApiClient,
  agentId: string,
  body: object,
  disturb: (progress: () => Promise<number>) => Promise<void> = () => Promise.resolve(),
): Promise<Report> {
  const path = `/agents/${agentId}/rehearsals`;
  const begun = await api.call('POST', path, { body });
  assert.equal(begun.status, 202, JSON.stringify(begun.body));
  const { id } = rehearsal.parse(begun.body);
  const read = async () => rehearsal.strict().parse((await api.call('GET', `${path}/${id}`)).body);
  await disturb(async () => (await read()).done);
  const report = await until(
    'the rehearsal to end',
    async () => {
      const now = await read();
      return now.status !== 'running' && now;
    },
    600_000,
  );
  const turns: RehearsalTurn[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const answer = await api.call('GET', `${path}/${id}/turns?limit=100${query}`);
    const page = pageOf(rehearsalTurn.strict()).parse(answer.body);
    turns.push(...page.data);
    cursor = page.next_cursor;
  }
  return { rehearsal: report, turns };
}

interface Killing {
  seed: number;
  kills: number;
  turns: number;
  progress: () => Promise<number>;
}

/** Kills a worker or the API at seeded moments of the rehearsal, and starts it again. */
async function kill(stack: Stack, { seed, kills, turns, progress }: Killing): Promise<void> {
  const { next: random } = randomOf(seed, 'rehearsals');
  const moments = Array.from({ length: kills }, () => Math.floor(random() * turns * 0.8)).toSorted(
    (a, b) => a - b,
  );
  for (const [index, moment] of moments.entries()) {
    await until(`${moment} turns to be done`, async () => (await progress()) >= moment, 300_000);
    const victim = index % 3 === 1 ? stack.apiProcess : stack.worker;
    await victim.kill();
    await victim.start();
  }
}

export interface Agents {
  scripted: string;
  worded: string;
  tools: Record<'find' | 'pay' | 'refused', string>;
  colleagues: { sales: string; billing: string; gone: string };
  draftWith: (planted: readonly Planted[]) => object;
}

async function newAgents(api: ApiClient, { outside, gateway, workspace }: Traps): Promise<Agents> {
  await connect(api, workspace.tokens.main);
  const tools = { find: 'find_order', pay: 'pay_order', refused: 'close_order' };
  for (const name of Object.values(tools)) {
    const isRead = name === tools.find;
    const body = {
      ...{ name, description: 'A tool.', method: isRead ? 'GET' : 'POST', effect: isRead ? 'read' : 'write' },
      url: outside.url(`/${name}${isRead ? '?id={id}' : ''}`),
      parameters: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
    };
    const answer = await api.call('POST', '/tools/http', { body });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
  }
  const colleague = async (name: string) =>
    await api.createAgent({ name, model: 'scripted/default', script: [{ reply: `${name} here.` }] });
  const [sales, billing, gone] = [
    await colleague('Sales'),
    await colleague('Billing'),
    await colleague('Gone'),
  ];
  const result = { on: 'tool_result', reply: 'It is done.' };
  const withParent = ({ tool, ...rule }: Rule): Rule => ({
    ...rule,
    ...(tool && {
      tool:
        tool.action === createPage
          ? { ...tool, input: { ...tool.input, parent_id: workspace.ids.home } }
          : tool,
    }),
  });
  const rules = topics.map(({ topic, rule }) => ({ when: `^${topic} of case`, ...withParent(rule) }));
  const settings = {
    model: 'scripted/default',
    tools: [...Object.values(tools), createPage],
    transfers_to: [sales.id, billing.id, gone.id],
    script: [result, ...rules],
  };
  const scripted = await api.createAgent({ name: 'Scripted', ...settings });
  const channel = `/agents/${scripted.id}/channel`;
  const form = { base_url: gateway.url, instance_token: gateway.instanceToken };
  for (const [method, path, body] of [
    ['PUT', channel, form],
    ['POST', `${channel}/webhook`, undefined],
    ['POST', `${channel}/verify`, undefined],
  ] as const) {
    const answer = await api.call(method, path, { body });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
  }
  const worded = await api.createAgent({ name: 'Worded', model: 'custom/one', instructions: 'Be kind.' });
  return {
    ...{ scripted: scripted.id, worded: worded.id, tools },
    colleagues: { sales: sales.name, billing: billing.name, gone: gone.name },
    draftWith: (planted) => {
      const changed = new Map(planted.map(({ topic, rule }) => [topic, rule]));
      return {
        script: [
          result,
          ...topics.map(({ topic, rule }) => ({
            when: `^${topic} of case`,
            ...withParent(changed.get(topic) ?? rule),
          })),
        ],
        tool_policies: [{ tool: tools.refused, policy: 'never' }],
        transfers_to: [sales.id, billing.id],
      };
    },
  };
}
