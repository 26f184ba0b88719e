import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { useObservedStack } from '../support/observed-stack.ts';
import { until } from '../support/until.ts';

type Line = Record<string, unknown> & { level: number; msg: string };

const debug = 20;
const warning = 40;

describe('The log', () => {
  const stack = useObservedStack();
  const linesOf = (process: 'api' | 'worker'): Line[] =>
    readFileSync(stack().logs[process], 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Line);
  const find = async (process: 'api' | 'worker', fields: Record<string, unknown>): Promise<Line> =>
    await until(`a line of the ${process} with ${JSON.stringify(fields)}`, () =>
      linesOf(process).find((line) => Object.entries(fields).every(([key, value]) => line[key] === value)),
    );

  it('names organization, conversation, workflow, run and trace on the lines of API and worker', async () => {
    const { api, organizationId: organization_id, receiver } = stack();
    const agent = await api.createAgent({ model: 'scripted/default', script: [{ reply: 'ok' }] });
    const { conversation_id } = await api.send(agent.id, {
      message: 'a',
      webhook_url: receiver.url('/logged'),
    });
    const ids = { organization_id, conversation_id, workflow_id: `conversation/${conversation_id}` };
    const request = await find('api', { msg: 'request ended', ...ids });
    assert.deepEqual(
      [request.level, request['method'], request['route'], request['status']],
      [debug, 'POST', '/v1/chat/{id}', 202],
    );
    const activity = await find('worker', { msg: 'activity ended', activity: 'startRun', ...ids });
    // An activity of its own waits for a callback that a busy machine makes slow.
    const callback =
      activity['callback'] ??
      (await find('worker', { msg: 'activity ended', activity: 'deliverCallback', ...ids }))['outcome'];
    assert.deepEqual([activity.level, activity['outcome'], callback], [debug, 'answer', 'delivered']);
    assert.equal(typeof activity['temporal_run_id'], 'string');
    assert.match(String(activity['trace_id']), /^[\da-f]{32}$/);
    assert.equal(activity['trace_id'], request['trace_id']);
    assert.equal(activity['run_id'], request['run_id']);
    assert.equal(typeof request['message_id'], 'string');
  });

  it('warns of a run that failed and of a callback that was not delivered, with the same ids', async () => {
    const { api, organizationId: organization_id, receiver, model } = stack();
    model.answer('warned', { kind: 'status', status: 400 });
    receiver.behave('/warned', { status: 500 });
    const agent = await api.createAgent();
    const { conversation_id } = await api.send(agent.id, {
      message: 'warned',
      webhook_url: receiver.url('/warned'),
    });
    const ids = { conversation_id, workflow_id: `conversation/${conversation_id}` };
    const run = await find('worker', {
      msg: 'activity ended',
      activity: 'failRun',
      outcome: 'failed',
      ...ids,
    });
    assert.equal(run.level, warning);
    const began = await find('worker', {
      msg: 'activity ended',
      activity: 'startRun',
      outcome: 'thrown',
      ...ids,
    });
    assert.deepEqual([began['organization_id'], began['run_id']], [organization_id, run['run_id']]);
    const callback = await find('worker', { msg: 'activity ended', activity: 'deliverCallback', ...ids });
    assert.deepEqual([callback.level, callback['outcome']], [warning, 'failed']);
    assert.equal(typeof callback['delivery_id'], 'string');
  });

  it('warns of a failed model call with the provider’s own message, without the key', async () => {
    const { api, model } = stack();
    const message = 'request (5021 tokens) exceeds the available context size, says key-of-the-model';
    const body = JSON.stringify({ error: { type: 'exceed_context_size_error', message } });
    model.answer('too long', { kind: 'status', status: 400, body });
    const agent = await api.createAgent();
    const { conversation_id } = await api.send(agent.id, { message: 'too long' });
    const line = await find('worker', { msg: 'a model call failed', conversation_id });
    assert.deepEqual(
      [line.level, line['agent_id'], line['failures'], line['error'], line['provider_message']],
      [
        warning,
        agent.id,
        1,
        "The request is larger than the model's context window (400).",
        'request (5021 tokens) exceeds the available context size, says [key]',
      ],
    );
    assert.equal(typeof line['run_id'], 'string');
  });

  it('names the organization if a request is refused', async () => {
    const { api, organizationId: organization_id, temporalLine } = stack();
    const agent = await api.createAgent({ script: [{ reply: 'ok' }] });
    await temporalLine.cut();
    try {
      const refused = await api.call('POST', `/chat/${agent.id}`, { body: { message: 'a', sync: true } });
      assert.equal(refused.status, 503);
      const line = await find('api', { msg: 'request refused', organization_id });
      assert.equal(typeof line['workflow_id'], 'string');
    } finally {
      await temporalLine.restore();
    }
  });
});
