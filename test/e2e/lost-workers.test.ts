/**
 * Work whose workers are lost ends after a few of them with an error that names the reason; work that fails only
 * because the machinery does is retried.
 */
import assert from 'node:assert/strict';
import type { DocsResult } from '../../src/contract/workspace/actions.ts';
import { messageError } from '../../src/contract/conversations/callback.ts';
import { conversationWorkflowId } from '../../src/contract/workflows.ts';
import { startChannelStand } from '../support/channel-stand.ts';
import { channelTalk, echoScript } from '../support/channel-talk.ts';
import { newDocsCaller, startDocsStack } from '../support/docs-stack.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { modelSettings } from '../support/model-stack.ts';
import { startRawReceiver } from '../support/raw-receiver.ts';
import { startStack, type Stack } from '../support/stack.ts';
import { until } from '../support/until.ts';

/** A missing heartbeat, a new process, and what a busy machine takes; for each worker. */
const perWorkerMs = 60_000;

describe('Lost workers', function () {
  this.timeout(8 * perWorkerMs);
  let model: ModelServer;
  const stacks: { stop: () => Promise<unknown> }[] = [];
  const started = async (env: NodeJS.ProcessEnv, workers?: number): Promise<Stack> => {
    const stack = await startStack({
      ...(workers !== undefined && { workers }),
      env: {
        ...modelSettings,
        ...{ MODEL_BASE_URL: model.baseUrl, MODEL_TIMEOUT_SECONDS: '45', ...env },
      },
    });
    stacks.push(stack);
    return stack;
  };
  before(async () => {
    model = await startModelServer();
  });
  afterEach(async () => {
    await Promise.all(stacks.splice(0).map((stack) => stack.stop()));
  });
  after(() => model.close());

  /** SIGKILL for the worker that is at it, and a new one in its place. */
  async function killWorkerOf({ temporal, workers }: Stack, conversationId: string): Promise<void> {
    const workflow = temporal.client.workflow.getHandle(conversationWorkflowId(conversationId));
    const identity = await until('the worker to be known', async () => {
      const { pendingActivities } = (await workflow.describe()).raw;
      return pendingActivities?.find(({ state }) => Number(state) === 2)?.lastWorkerIdentity;
    });
    const worker = workers.find(({ pid }) => identity === `worker-${pid}`);
    assert.ok(worker, String(identity));
    await worker.kill();
    await worker.start();
  }

  it('three of them end a run as failed, with one message.error, while other conversations are answered', async () => {
    const stack = await started({}, 2);
    const { api, receiver } = stack;
    const agent = await api.createAgent();
    const deadly = 'this takes the worker with it';
    model.answer(deadly, { kind: 'hang' });
    const { conversation_id } = await api.send(agent.id, {
      message: deadly,
      webhook_url: receiver.url('/deadly'),
    });
    for (const lost of [1, 2, 3]) {
      await until('the model to be asked', () => model.callsFor(deadly).length >= lost, perWorkerMs);
      await killWorkerOf(stack, conversation_id);
      assert.match((await api.ask(agent.id, { message: `beside it ${lost}` })).response, /^echo: beside/);
    }
    const [told] = await receiver.waitFor('/deadly', 1, perWorkerMs);
    const why = 'Its worker was lost 3 times while working on this. It is not retried.';
    assert.equal(messageError.parse(JSON.parse(told!.body)).error, why);
    const [message] = await api.settled(conversation_id, 0);
    assert.equal(message!.role === 'user' && message!.status, 'failed');
    const recent = await stack.temporal.client.workflow
      .getHandle(conversationWorkflowId(conversation_id))
      .fetchHistory();
    assert.match(JSON.stringify(results(recent)), /"because":"workers_lost"/);
    // The next message of the same conversation is a run of its own.
    await api.send(agent.id, { message: 'and now?', conversation_id });
    await api.settled(conversation_id, 1);
    assert.equal(model.callsFor(deadly).length, 3);
    assert.equal(receiver.requestsTo('/deadly').length, 1);
    const { rows } = await stack.db.pool.query('select unit from work_attempts');
    assert.deepEqual(rows, []);
  });

  it('end a tool call, an action, a file and a run, each with its own outcome', async () => {
    const docs = await startDocsStack({
      ...{ LOST_WORKERS: '1', DOCS_TIMEOUT_SECONDS: '100', MODEL_TIMEOUT_SECONDS: '100' },
      CALLBACK_ALLOW: '127.0.0.1',
    });
    const { stack, emulator } = docs;
    stacks.push({ stop: () => Promise.all([stack.stop(), emulator.stop(), docs.model.close()]) });
    const { api, run } = await newDocsCaller(docs);
    const read = { action: 'DOCS_RETRIEVE_PAGE', input: { page_id: emulator.ids.home } };
    const scripted = { model: 'scripted/default', tools: [read.action] };
    const toolAgent = await api.createAgent({ ...scripted, script: [{ when: '^go$', tool: read }] });
    emulator.faults.add({ method: 'GET', path: /^\/v1\//, times: 2, fault: { kind: 'hang' } });
    docs.model.answer('hang', { kind: 'hang' });
    const silent = await startRawReceiver(() => undefined);
    stacks.push({ stop: silent.close });

    const action: Promise<DocsResult> = run(read.action, read.input);
    const tool = await api.send(toolAgent.id, { message: 'go' });
    const modelAgent = await api.createAgent();
    const asked = await api.send(modelAgent.id, { message: 'hang' });
    const file = await api.send(modelAgent.id, {
      message: 'see the file',
      attachments: [{ url: `https://127.0.0.1:${silent.port}/file` }],
    });
    await until('all of them to be under way', () =>
      [
        emulator.requests.filter(({ fault }) => fault === 'hang').length === 2,
        docs.model.callsFor('hang').length === 1,
        silent.connections() === 1,
      ].every(Boolean),
    );
    await stack.worker.kill();
    await stack.worker.start();

    const lost = /Its worker was lost once while working on this/;
    const { successful, error } = await action;
    assert.equal(successful, false);
    assert.match(error!, /^INTERNAL: Its worker was lost once .* Its changes may remain\.$/);
    const [failed] = await api.settled(asked.conversation_id, 0, perWorkerMs);
    assert.equal(failed!.role === 'user' && failed!.status, 'failed');
    const [run1] = await stack.db
      .knex<{ conversation_id: string; error: string }>('runs')
      .where({ conversation_id: asked.conversation_id });
    assert.match(run1!.error, lost);
    await api.settled(tool.conversation_id, 1, perWorkerMs);
    const calls = await stack.db.knex<{ status: string; result: string }>('tool_calls');
    assert.deepEqual(
      calls.map(({ status }) => status),
      ['unknown'],
    );
    assert.match(calls[0]!.result, lost);
    await api.settled(file.conversation_id, 1, perWorkerMs);
    const [kept] = await stack.db.knex<{ error: string }>('attachments');
    assert.match(kept!.error, /^not fetched: Its worker was lost once/);
    const open = await stack.db.knex('tool_executions').where({ status: 'pending' });
    assert.deepEqual(open, []);
  });

  it('end a reply on WhatsApp as `unknown`', async () => {
    const stand = await startChannelStand({ LOST_WORKERS: '1', GATEWAY_TIMEOUT_SECONDS: '60' });
    stacks.push(stand);
    const talk = channelTalk(stand);
    const { id } = await stand.connected(echoScript);
    stand.emulator.faults.next('/send/text', 'hang');
    const from = talk.newNumber();
    await stand.emulator.deliverInbound({ from, text: 'hello' });
    const conversation = await talk.conversationOf(id);
    const deliveries = async () =>
      await stand.stack.db
        .knex<{ conversation_id: string; status: string; error: string }>('deliveries')
        .where({ conversation_id: conversation.id });
    await until('the part to be under way', async () => {
      const rows = await stand.stack.db.knex('gateway_sends').where({ status: 'attempting' });
      return rows.length === 1;
    });
    await stand.kill('worker');
    const [ended] = await until(
      'the reply to end',
      async () => {
        const rows = await deliveries();
        return rows[0]?.status !== 'pending' && rows;
      },
      perWorkerMs,
    );
    assert.equal(ended!.status, 'unknown');
    assert.match(ended!.error, /Its worker was lost once/);
    const sends = await stand.stack.db.knex<{ status: string; finished_at: Date | null }>('gateway_sends');
    assert.deepEqual(
      sends.map(({ status, finished_at }) => [status, finished_at !== null]),
      [['unknown', true]],
    );
  });

  // One lost worker would end the run here.
  for (const away of ['Postgres', 'Temporal'] as const) {
    it(`are none if ${away} was away, twice, for longer than a heartbeat may be late`, async () => {
      const stack = await started({ LOST_WORKERS: '1' });
      const { api, postgresLine, temporalLine } = stack;
      const line = away === 'Postgres' ? postgresLine : temporalLine;
      const agent = await api.createAgent();
      const text = `while ${away} is away`;
      let answers = false;
      model.answerWhere((body) =>
        JSON.stringify(body.messages).includes(text) && !answers ? { kind: 'hang' } : undefined,
      );
      const { conversation_id } = await api.send(agent.id, { message: text });
      await until('the model to be asked', () => model.callsFor(text).length > 0);
      for (const _ of [1, 2]) {
        const began = Date.now();
        await line.cut();
        await until('the time to pass', () => Date.now() - began > 20_000, 25_000);
        await line.restore();
        await until('the worker to be seen again', async () => {
          const { rows } = await stack.db.pool.query<{ seen: boolean }>(
            `select bool_or(seen_at > clock_timestamp() - interval '3 s') as seen from worker_processes`,
          );
          return rows[0]!.seen;
        });
      }
      answers = true;
      await api.settled(conversation_id, 1, 3 * perWorkerMs);
      const [message] = await api.messages(conversation_id);
      assert.equal(message!.role === 'user' && message!.status, 'answered');
    });
  }

  it('do not include a worker that is stopped cleanly during its work', async () => {
    const stack = await started({ LOST_WORKERS: '1' });
    const agent = await stack.api.createAgent();
    const text = 'while the worker is stopped';
    model.answer(text, { kind: 'hang' }, { kind: 'stream', text: 'here I am' });
    const { conversation_id } = await stack.api.send(agent.id, { message: text });
    await until('the model to be asked', () => model.callsFor(text).length > 0);
    await stack.worker.stop();
    await stack.worker.start();
    const messages = await stack.api.settled(conversation_id, 1, 2 * perWorkerMs);
    assert.equal(messages[1]!.text, 'here I am');
  });
});

/** The results of the activities in the history. */
function results(history: { events?: unknown }): unknown[] {
  const events = history.events as
    | { activityTaskCompletedEventAttributes?: { result?: { payloads?: { data?: Uint8Array }[] } } }[]
    | undefined;
  return (events ?? []).flatMap((event) =>
    (event.activityTaskCompletedEventAttributes?.result?.payloads ?? []).map(
      ({ data }) => JSON.parse(Buffer.from(data ?? []).toString() || 'null') as unknown,
    ),
  );
}
