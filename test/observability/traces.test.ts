import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectDatabase } from '../../src/adapters/postgres/database.ts';
import { projectRoot } from '../../src/local/project-root.ts';
import { channelTalk, echoScript } from '../support/channel-talk.ts';
import { useObservedStack } from '../support/observed-stack.ts';
import { useSharedStack } from '../support/stack.ts';
import { drawTrace, type ReceivedSpan } from '../support/trace-receiver.ts';
import { until } from '../support/until.ts';

const server = 2;
const failed = 2;

describe('Traces', () => {
  const stack = useObservedStack();
  /** The trace that an answered message began, once all of its spans have arrived. */
  const traceOf = async (conversationId: string, run = 'RunWorkflow:conversation'): Promise<ReceivedSpan[]> =>
    await stack().traces.traceWith(
      `${run} of ${conversationId}`,
      ({ name, attributes }) => name === run && attributes['parley.conversation_id'] === conversationId,
    );
  const namesBelow = (trace: readonly ReceivedSpan[], parent: ReceivedSpan) =>
    trace
      .filter(({ parentSpanId }) => parentSpanId === parent.spanId)
      .sort((a, b) => Number(a.startTimeUnixNano - b.startTimeUnixNano))
      .map(({ name }) => name);
  const named = (trace: readonly ReceivedSpan[], name: string): ReceivedSpan => {
    const found = trace.find((one) => one.name === name);
    assert.ok(found, `no span ${name} in\n${drawTrace(trace)}`);
    return found;
  };

  it('one trace shows a message from request to callback: workflow, wait, activities, model, tool, callback', async () => {
    const { api, receiver } = stack();
    const agent = await api.createAgent({
      model: 'scripted/default',
      grouping_window_seconds: 1,
      tools: ['DOCS_FETCH_DATA'],
      script: [
        { when: 'traced', tool: { action: 'DOCS_FETCH_DATA', input: { fetch_type: 'all' } } },
        { on: 'tool_result', reply: 'done' },
      ],
    });
    const sent = await api.send(agent.id, { message: 'traced', webhook_url: receiver.url('/traced') });
    await receiver.waitFor('/traced', 1);
    // The answer can be posted before the signal's response has come back.
    const trace = await until('the span of the signal', async () => {
      const spans = await traceOf(sent.conversation_id);
      return spans.some(({ name }) => name === 'SignalWithStartWorkflow:conversation') && spans;
    });
    const roots = trace.filter(({ parentSpanId = '' }) => parentSpanId === '');
    const [root] = roots;
    assert.ok(root && roots.length === 1, drawTrace(trace));
    assert.deepEqual([root.name, root.service, root.kind], ['POST /v1/chat/{id}', 'parley-api', server]);
    const ids = new Set(trace.map(({ spanId }) => spanId));
    assert.ok(trace.every(({ parentSpanId = '' }) => parentSpanId === '' || ids.has(parentSpanId)));
    const run = named(trace, 'RunWorkflow:conversation');
    assert.equal(run.service, 'parley-worker');
    assert.deepEqual(namesBelow(trace, root).sort(), [
      'RunWorkflow:conversation',
      'SignalWithStartWorkflow:conversation',
      'accept_input',
    ]);
    assert.deepEqual(namesBelow(trace, run), [
      'grouping window',
      'wait for a worker',
      'RunActivity:startRun',
      'RunActivity:runTool',
      'RunActivity:continueRun',
    ]);
    const below = (name: string) => namesBelow(trace, named(trace, name));
    assert.deepEqual(below('RunActivity:startRun'), ['chat scripted/default']);
    assert.deepEqual(below('RunActivity:runTool'), ['execute_tool DOCS_FETCH_DATA']);
    assert.deepEqual(below('RunActivity:continueRun'), ['chat scripted/default', 'POST callback']);
    const callback = named(trace, 'POST callback');
    assert.equal(callback.attributes['parley.outcome'], 'delivered');
    assert.equal(callback.attributes['http.response.status_code'], 200);
    const known = {
      'parley.organization_id': stack().organizationId,
      'parley.conversation_id': sent.conversation_id,
      'parley.run_id': sent.group_id,
    };
    for (const one of [root, run, named(trace, 'RunActivity:startRun')]) {
      for (const [key, value] of Object.entries(known)) assert.equal(one.attributes[key], value, one.name);
    }
    assert.equal(run.attributes['temporal.workflow_id'], `conversation/${sent.conversation_id}`);
    const tree = (text: string) =>
      text
        .split('\n')
        .map((line) => line.replace(/  \+.*$/, ''))
        .sort();
    const page = readFileSync(join(projectRoot, 'docs/observability.md'), 'utf8');
    const shown = /<!-- test: trace -->\n\n```text\n(.*?)\n```/s.exec(page)?.[1] ?? '';
    assert.deepEqual(tree(drawTrace(trace)), tree(shown));
    const seconds = (one: ReceivedSpan) => Number(one.endTimeUnixNano - one.startTimeUnixNano) / 1e9;
    assert.ok(seconds(named(trace, 'grouping window')) > 0.9);
    assert.ok(run.endTimeUnixNano >= callback.endTimeUnixNano - 5_000_000n);
  });

  it('a message that joins a group leads from its own trace to the one that it is answered in, and back', async () => {
    const { api } = stack();
    const agent = await api.createAgent({
      model: 'scripted/default',
      // The second one closes the group, however long a stall between them lasts.
      ...{ grouping_window_seconds: 60, grouping_max_messages: 2 },
      script: [{ reply: 'ok' }],
    });
    const { conversation_id } = await api.send(agent.id, { message: 'first' });
    await api.send(agent.id, { message: 'second', conversation_id });
    const trace = await traceOf(conversation_id);
    const joined = await traceOf(conversation_id, 'answered with an earlier message');
    const run = named(trace, 'RunWorkflow:conversation');
    const root = named(joined, 'POST /v1/chat/{id}');
    const ended = named(joined, 'answered with an earlier message');
    assert.notEqual(run.traceId, root.traceId);
    assert.equal(run.attributes['parley.inputs'], 2);
    const of = ({ traceId, spanId }: { traceId: string; spanId: string }) => ({ traceId, spanId });
    assert.deepEqual(run.links.map(of), [of(root)]);
    assert.deepEqual(ended.links.map(of), [of(run)]);
    assert.equal(ended.parentSpanId, root.spanId);
  });

  it('a slow callback is in the same trace, and the run lasts until its end', async () => {
    const { api, receiver } = stack();
    receiver.behave('/slow-traced', { delayMs: 4000, status: 500 });
    const agent = await api.createAgent({ model: 'scripted/default', script: [{ reply: 'ok' }] });
    const { conversation_id } = await api.send(agent.id, {
      message: 'a',
      webhook_url: receiver.url('/slow-traced'),
    });
    const trace = await traceOf(conversation_id);
    const run = named(trace, 'RunWorkflow:conversation');
    assert.ok(namesBelow(trace, run).includes('RunActivity:deliverCallback'), drawTrace(trace));
    assert.equal(named(trace, 'POST callback').attributes['parley.outcome'], 'failed');
    assert.equal(run.attributes['parley.outcome'], 'failed');
    assert.ok(run.endTimeUnixNano - run.startTimeUnixNano > 3_950_000_000n);
  });

  it('a nudge that Temporal gets late is in the trace of its own message', async () => {
    const { api, temporalLine } = stack();
    const agent = await api.createAgent({ model: 'scripted/default', script: [{ reply: 'ok' }] });
    const sent: string[] = [];
    await temporalLine.cut();
    try {
      sent.push((await api.send(agent.id, { message: 'first' })).conversation_id);
      // Later ones are kept, and sent together once Temporal is back.
      await until('the first nudge to fail', () =>
        readFileSync(stack().logs.api, 'utf8').includes('Temporal cannot be reached'),
      );
      for (const message of ['second', 'third'])
        sent.push((await api.send(agent.id, { message })).conversation_id);
    } finally {
      await temporalLine.restore();
    }
    for (const id of sent) {
      const trace = await until('the span of the signal that arrived', async () => {
        const spans = await traceOf(id);
        const signals = spans.filter(({ name }) => name === 'SignalWithStartWorkflow:conversation');
        return signals.some(({ status }) => status.code !== failed) && spans;
      });
      const workflows = new Set(trace.map(({ attributes }) => attributes['temporal.workflow_id']));
      workflows.delete(undefined);
      assert.deepEqual([...workflows], [`conversation/${id}`], drawTrace(trace));
    }
  });

  it('a failed run shows the call that failed by its kind', async () => {
    const { api, model } = stack();
    model.answer('untold', { kind: 'status', status: 400 });
    const agent = await api.createAgent();
    const { conversation_id } = await api.send(agent.id, { message: 'untold' });
    const trace = await traceOf(conversation_id);
    const call = named(trace, 'chat custom/tested-1');
    assert.deepEqual(call.status, { code: failed, message: 'ModelFault' });
    assert.deepEqual(call.events, []);
    assert.equal(named(trace, 'RunActivity:failRun').status.code ?? 0, 0);
    assert.equal(named(trace, 'RunWorkflow:conversation').attributes['parley.outcome'], 'failed');
  });

  it('a message on WhatsApp is traced from the event of its gateway to the reply', async () => {
    const { stand } = stack();
    const talk = channelTalk(stand);
    const { id, webhookUrl } = await stand.connected(echoScript, { model: 'scripted/default' });
    const from = talk.newNumber();
    await stand.emulator.deliverInbound({ from, text: 'x' });
    await until('the reply', () => talk.sentTo(from).length > 0);
    const trace = await traceOf((await talk.conversationOf(id)).id);
    const root = named(trace, 'POST /v1/webhooks/gateway/{agentId}/{secret}');
    const run = named(trace, 'RunWorkflow:conversation');
    assert.equal(run.parentSpanId, root.spanId);
    assert.deepEqual(namesBelow(trace, run), [
      'wait for a worker',
      'RunActivity:startRun',
      'RunActivity:sendReply',
    ]);
    const reply = named(trace, 'RunActivity:sendReply');
    assert.deepEqual(namesBelow(trace, reply), ['send to gateway']);
    assert.equal(run.attributes['parley.outcome'], 'delivered');
    const secret = webhookUrl.split('/').at(-1) ?? '';
    assert.ok(secret.length > 10 && !stack().traces.raw().includes(secret));
  });

  it('a refused model call has the sentence and the provider’s own message, without the key', async () => {
    const { api, model } = stack();
    const message = 'model "tested-1" not found, says key-of-the-model';
    model.answer('unknown', { kind: 'status', status: 404, body: JSON.stringify({ error: { message } }) });
    const agent = await api.createAgent();
    const { conversation_id } = await api.send(agent.id, { message: 'unknown' });
    const call = named(await traceOf(conversation_id), 'chat custom/tested-1');
    assert.equal(call.status.code, failed);
    assert.equal(
      call.attributes['parley.error'],
      'The model provider does not have the model custom/tested-1 (404).',
    );
    assert.equal(call.attributes['parley.provider_message'], 'model "tested-1" not found, says [key]');
  });

  it("links the caller's trace, and passes none on to receivers and models", async () => {
    const { api, receiver, model } = stack();
    const caller = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };
    const agent = await api.createAgent();
    const headers = { traceparent: `00-${caller.traceId}-${caller.spanId}-01` };
    const body = { message: 'called', webhook_url: receiver.url('/called') };
    const { conversation_id } = await api.send(agent.id, body, headers);
    const [request] = await receiver.waitFor('/called', 1);
    const names = request!.rawHeaders.map(([name]) => name.toLowerCase()).sort();
    assert.deepEqual(names, ['connection', 'content-length', 'content-type', 'host']);
    const trace = await traceOf(conversation_id);
    const root = named(trace, 'POST /v1/chat/{id}');
    assert.notEqual(root.traceId, caller.traceId);
    assert.deepEqual(
      root.links.map(({ traceId, spanId }) => ({ traceId, spanId })),
      [caller],
    );
    assert.equal(model.callsFor('called').length, 1);
  });

  it('a receiver that is away delays neither an answer nor a stop, and the log reports that spans are lost', async () => {
    const { api, worker, logs } = stack();
    await worker.stop();
    await worker.start({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
      OTEL_EXPORTER_OTLP_TIMEOUT: '500',
    });
    const agent = await api.createAgent({ model: 'scripted/default', script: [{ reply: 'ok' }] });
    assert.equal((await api.ask(agent.id, { message: 'a' })).response, 'ok');
    await until('a complaint', () => readFileSync(logs.worker, 'utf8').includes('"msg":"spans are lost"'));
    const end = await worker.stop();
    await worker.start();
    assert.match(end, /\b0\b/);
  });

  it('hold ids and numbers: no text, no URL, no token', async () => {
    const { api, receiver, token, traces } = stack();
    const planted = 'xylophone-7391';
    const agent = await api.createAgent({ name: `name-${planted}`, instructions: `do-${planted}` });
    const { conversation_id } = await api.send(agent.id, {
      message: `say ${planted}`,
      webhook_url: receiver.url(`/hook-${planted}`),
      metadata: { key: planted },
      contact: { id: `contact-${planted}`, name: planted },
    });
    const spans = await traceOf(conversation_id);
    assert.ok(spans.length > 5);
    await api.call('GET', `/conversations?contact_id=contact-${planted}`);
    await traces.traceWith('GET /v1/conversations', ({ name }) => name === 'GET /v1/conversations');
    for (const secret of [planted, token, receiver.host]) assert.ok(!traces.raw().includes(secret), secret);
  });
});

describe('Without tracing', () => {
  const stack = useSharedStack();

  it('nothing is written of traces, and histories carry no headers', async () => {
    const { api, databaseUrl, temporal } = stack();
    const agent = await api.createAgent({ script: [{ reply: 'ok' }] });
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    const { conversation_id } = await api.send(agent.id, { message: 'a' }, { traceparent });
    await api.settled(conversation_id);
    const db = connectDatabase(databaseUrl, 1);
    const { rows } = await db.pool.query('select * from run_traces');
    await db.close();
    assert.deepEqual(rows, []);
    const handle = temporal.client.workflow.getHandle(`conversation/${conversation_id}`);
    const events = await until('the activity in the history', async () => {
      const history = (await handle.fetchHistory()).events ?? [];
      return history.some((one) => one.activityTaskCompletedEventAttributes) && history;
    });
    const headers = events.flatMap((one) => [
      one.workflowExecutionStartedEventAttributes?.header,
      one.workflowExecutionSignaledEventAttributes?.header,
      one.activityTaskScheduledEventAttributes?.header,
    ]);
    const fields = headers.flatMap((header) => Object.keys(header?.fields ?? {}));
    assert.deepEqual(fields, []);
  });
});
