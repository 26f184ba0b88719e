/** Callbacks as a receiver gets them, and their entries in the delivery log. */
import assert from 'node:assert/strict';
import type { Callback } from '../../../src/contract/conversations/callback.ts';
import { useStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

const completed = (callback: Callback | undefined) => {
  assert.ok(callback?.event === 'message.completed');
  return callback;
};
const utc = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('Callbacks', () => {
  // Two tests wait for it; in all others a receiver that is only slow must answer within it.
  const stack = useStack({ env: { CALLBACK_TIMEOUT_SECONDS: '5' } });

  it('message.completed: one POST with exactly the seed’s fields and the contract’s headers', async () => {
    const { api, receiver } = stack();
    const agent = await api.createAgent({ script: [{ reply: 'Grüße \u{1f642}' }] });
    const metadata = { order: 17, nested: { list: [1, null, 'ü', true, 0.1, 1e21], empty: {} } };
    const webhook_url = receiver.url('/completed/%7Bx%7D?a=1&b=%20');
    const attachments = [{ content_base64: 'aGk=' }];
    const { conversation_id } = await api.send(agent.id, {
      message: 'a',
      webhook_url,
      metadata,
      attachments,
    });
    const [, answer] = await api.settled(conversation_id);
    const [request, ...more] = await receiver.waitFor('/completed/%7Bx%7D?a=1&b=%20', 1);
    assert.ok(request !== undefined && answer?.role === 'agent');
    assert.deepEqual(more, []);
    assert.equal(request.method, 'POST');
    assert.deepEqual(
      request.rawHeaders.toSorted(([a], [b]) => a.localeCompare(b)),
      [
        ['Connection', 'close'],
        ['Content-Length', String(Buffer.byteLength(request.body))],
        ['Content-Type', 'application/json'],
        ['Host', receiver.host],
      ],
    );
    const payload = JSON.parse(request.body) as { timestamp: string };
    assert.match(payload.timestamp, utc);
    assert.deepEqual(payload, {
      event: 'message.completed',
      agent_id: agent.id,
      success: true,
      conversation_id,
      message_id: answer.id,
      response: 'Grüße \u{1f642}',
      model: 'scripted/default',
      credits_used: 0,
      attachments_processed: 1,
      responding_agent_name: agent.name,
      metadata,
      timestamp: payload.timestamp,
    });
    const [delivery, ...others] = await until('the outcome', async () => {
      const found = await api.deliveries({ conversation_id, status: 'delivered' });
      return found.length > 0 && found;
    });
    assert.deepEqual(others, []);
    assert.match(delivery?.attempted_at ?? '', utc);
    assert.deepEqual(delivery, {
      ...{ id: delivery?.id, event: 'message.completed', url: webhook_url, status: 'delivered' },
      ...{ http_status: 200, response_body: '', conversation_id, message_id: answer.id },
      ...{ attempted_at: delivery?.attempted_at, duration_ms: delivery?.duration_ms, agent_version: 1 },
    });
    const [, told] = await api.messages(conversation_id);
    assert.ok(told?.role === 'agent');
    assert.deepEqual(told.delivery, { status: 'delivered', attempted_at: delivery.attempted_at });
  });

  it('message.error: exactly its fields, and no metadata if none was given', async () => {
    const { api, receiver } = stack();
    const fail = { message: 'The shop is closed.', retryable: false };
    const agent = await api.createAgent({ script: [{ fail }] });
    const webhook_url = receiver.url('/error');
    const { conversation_id } = await api.send(agent.id, { message: 'a', webhook_url });
    const [request] = await receiver.waitFor('/error', 1);
    const payload = JSON.parse(request?.body ?? '') as { timestamp: string };
    assert.deepEqual(payload, {
      ...{ event: 'message.error', agent_id: agent.id, conversation_id, error: 'The shop is closed.' },
      timestamp: payload.timestamp,
    });
    const [delivery] = await api.deliveries({ conversation_id });
    assert.deepEqual([delivery?.event, delivery?.message_id], ['message.error', undefined]);
  });

  it('a transfer: the source’s with pre_transfer, and the destination’s once the first has ended, whatever its outcome', async () => {
    const { api, receiver } = stack();
    const expert = await api.createAgent({ script: [{ reply: 'I know' }] });
    const script = [{ transfer_to: expert.name, reply: 'One moment' }];
    const desk = await api.createAgent({ script, transfers_to: [expert.id] });
    for (const [path, behaviour] of [
      ['/transfer-slow', { delayMs: 700 }],
      ['/transfer-failed', { status: 500, delayMs: 700 }],
      ['/transfer-silent', { hang: true }],
    ] as const) {
      receiver.behave(path, behaviour);
      const body = { message: 'a', webhook_url: receiver.url(path), metadata: { path } };
      const { conversation_id } = await api.send(desk.id, body);
      const [first, second, ...more] = await receiver.callbacks(path, 2);
      assert.deepEqual(more, []);
      const [source, destination] = [completed(first), completed(second)];
      assert.deepEqual(
        [source, destination].map((one) => [one.response, one.agent_id, one.responding_agent_name]),
        [
          ['One moment', desk.id, desk.name],
          ['I know', expert.id, expert.name],
        ],
      );
      assert.deepEqual([source.pre_transfer, 'pre_transfer' in destination], [true, false]);
      assert.deepEqual([source.metadata, destination.metadata], [{ path }, { path }]);
      const [one, two] = receiver.requestsTo(path);
      assert.ok(two !== undefined && one !== undefined && two.at - one.at >= 690, path);
      const messages = (await api.settled(conversation_id, 2)).filter((m) => m.role === 'agent');
      assert.deepEqual(
        messages.map(({ id }) => id),
        [source.message_id, destination.message_id],
      );
    }
  });

  it('a transfer without a message before it sends one callback', async () => {
    const { api, receiver } = stack();
    const expert = await api.createAgent({ script: [{ reply: 'I know' }] });
    const desk = await api.createAgent({
      script: [{ transfer_to: expert.name }],
      transfers_to: [expert.id],
    });
    const webhook_url = receiver.url('/wordless');
    const { conversation_id } = await api.send(desk.id, { message: 'a', webhook_url });
    await api.settled(conversation_id);
    const [callback, ...more] = await receiver.callbacks('/wordless', 1);
    assert.deepEqual([completed(callback).agent_id, more], [expert.id, []]);
  });

  it('an empty answer sends no callback', async () => {
    const { api, receiver } = stack();
    const agent = await api.createAgent({ script: [{ when: 'a', reply: '' }, { reply: 'b' }] });
    const webhook_url = receiver.url('/empty');
    const { conversation_id } = await api.send(agent.id, { message: 'a', webhook_url });
    await api.send(agent.id, { message: 'x', conversation_id, webhook_url });
    const [callback] = await receiver.callbacks('/empty', 1);
    assert.equal(completed(callback).response, 'b');
    assert.equal((await api.deliveries({ conversation_id })).length, 1);
  });

  it('merged inputs: one callback to the last URL given, with the first metadata', async () => {
    const { api, receiver } = stack();
    const agent = await api.createAgent({
      ...{ grouping_window_seconds: 60, grouping_max_messages: 3 },
      script: [{ when: '(.*)', reply: '<$1>' }],
    });
    const first = { message: '1', webhook_url: receiver.url('/merged-1') };
    const { conversation_id } = await api.send(agent.id, first);
    const second = { message: '2', metadata: { n: 2 }, webhook_url: receiver.url('/merged-2') };
    await api.send(agent.id, { ...second, conversation_id });
    await api.send(agent.id, { message: '3', metadata: { n: 3 }, conversation_id });
    const [callback] = await receiver.callbacks('/merged-2', 1);
    assert.deepEqual([completed(callback).response, callback?.metadata], ['<1\n2\n3>', { n: 2 }]);
    assert.equal((await api.deliveries({ conversation_id })).length, 1);
    assert.deepEqual(receiver.requestsTo('/merged-1'), []);
  });

  it('a follow-up: with its attempt, to the stored URL, with the metadata of the last answered input', async () => {
    const { api, receiver } = stack();
    const agent = await api.createAgent({
      script: [{ on: 'follow_up', when: '(.*)', reply: 'still there? $1' }, { reply: 'hello' }],
      follow_ups: [
        { after_seconds: 1, instructions: 'one' },
        { after_seconds: 1, instructions: 'two' },
      ],
    });
    const body = { message: 'a', webhook_url: receiver.url('/follow-up'), metadata: { n: 1 } };
    const { conversation_id } = await api.send(agent.id, body);
    const callbacks = (await receiver.callbacks('/follow-up', 3)).map(completed);
    assert.deepEqual(
      callbacks.map((one) => [one.response, one.followup, one.followup_attempt, one.metadata]),
      [
        ['hello', undefined, undefined, { n: 1 }],
        ['still there? one', true, 1, { n: 1 }],
        ['still there? two', true, 2, { n: 1 }],
      ],
    );
    const messages = (await api.messages(conversation_id)).filter((one) => one.role === 'agent');
    assert.deepEqual(
      messages.map((one) => [one.id, one.followup, one.followup_attempt]),
      callbacks.map((one) => [one.message_id, one.followup, one.followup_attempt]),
    );
  });

  it('of one conversation arrive in the order of their messages, even if the first is slow', async () => {
    const { api, receiver } = stack();
    const agent = await api.createAgent({ script: [{ when: '(.*)', reply: 're $1' }] });
    const path = '/in-order';
    receiver.behave(path, { delayMs: 400 });
    const webhook_url = receiver.url(path);
    const { conversation_id } = await api.send(agent.id, { message: '1', webhook_url });
    for (const message of ['2', '3']) await api.send(agent.id, { message, webhook_url, conversation_id });
    const callbacks = (await receiver.callbacks(path, 3)).map(completed);
    assert.deepEqual(
      callbacks.map(({ response }) => response),
      ['re 1', 're 2', 're 3'],
    );
  });

  describe('outcomes', () => {
    const cases = [
      ['201', { status: 201, body: 'ok' }, { status: 'delivered', http_status: 201, response_body: 'ok' }],
      ['404', { status: 404, body: 'no' }, { status: 'failed', http_status: 404, response_body: 'no' }],
      ['500', { status: 500 }, { status: 'failed', http_status: 500, response_body: '' }],
      [
        'a redirect, not followed',
        { status: 307, headers: { location: '/elsewhere' } },
        { status: 'failed', http_status: 307, response_body: '' },
      ],
      ['a reset', { reset: true }, { status: 'failed', error: 'the connection was lost' }],
      ['no answer in time', { hang: true }, { status: 'failed', error: 'no answer in time' }],
      [
        'a long answer, of which 5,000 characters are kept',
        { status: 200, body: `\0${'é'.repeat(6000)}` },
        { status: 'delivered', http_status: 200, response_body: 'é'.repeat(5000) },
      ],
    ] as const;
    for (const [title, behaviour, outcome] of cases) {
      it(`is recorded, once attempted and never again: ${title}`, async () => {
        const { api, receiver } = stack();
        const agent = await api.createAgent({ script: [{ reply: 'ok' }] });
        const path = `/outcome/${encodeURIComponent(title)}`;
        receiver.behave(path, behaviour);
        const body = { message: 'a', webhook_url: receiver.url(path) };
        const { conversation_id } = await api.send(agent.id, body);
        const delivery = await until('a final status', async () => {
          const [one] = await api.deliveries({ conversation_id });
          return one !== undefined && !/pending|attempting/.test(one.status) && one;
        });
        for (const [field, value] of Object.entries(outcome)) {
          assert.equal(delivery[field as 'status'], value, field);
        }
        assert.equal('http_status' in delivery, 'http_status' in outcome);
        // The next run of the conversation would come after any second attempt.
        await api.ask(agent.id, { message: 'b', conversation_id });
        assert.equal(receiver.requestsTo(path).length, 1);
        assert.deepEqual(receiver.requestsTo('/elsewhere'), []);
        const [, answer] = await api.messages(conversation_id);
        assert.ok(answer?.role === 'agent' && answer.delivery?.status === outcome.status);
      });
    }

    it('a blocked URL is recorded and never called, and its error reveals nothing about the network', async () => {
      const { api, receiver } = stack();
      const agent = await api.createAgent({ script: [{ reply: 'ok' }] });
      const port = receiver.host.split(':')[1] ?? '';
      for (const webhook_url of [
        `http://localhost:${port}/blocked`,
        `http://[::ffff:127.0.0.1]:${port}/blocked`,
        'http://169.254.169.254/latest/meta-data',
        'http://10.0.0.1/',
        'http://no-such-name.invalid/',
      ]) {
        const { conversation_id } = await api.send(agent.id, { message: 'a', webhook_url });
        const [delivery] = await until('it to be blocked', async () => {
          const found = await api.deliveries({ conversation_id, status: 'blocked' });
          return found.length > 0 && found;
        });
        assert.match(delivery?.error ?? '', /^blocked: /);
        assert.doesNotMatch(delivery?.error ?? '', /\d+\.\d+/);
        assert.equal('http_status' in (delivery ?? {}), false);
      }
      assert.deepEqual(receiver.requestsTo('/blocked'), []);
    });

    it('a worker killed during a callback leaves the delivery `unknown`, and it is never posted again', async () => {
      const { api, receiver, worker } = stack();
      const agent = await api.createAgent({ script: [{ reply: 'ok' }] });
      receiver.behave('/killed', { hang: true });
      const body = { message: 'a', webhook_url: receiver.url('/killed') };
      const { conversation_id } = await api.send(agent.id, body);
      await receiver.waitFor('/killed', 1);
      await worker.kill();
      await worker.start();
      const [delivery] = await until('the outcome to be unknown', async () => {
        const found = await api.deliveries({ conversation_id, status: 'unknown' });
        return found.length > 0 && found;
      });
      assert.ok(delivery?.attempted_at !== undefined && delivery.http_status === undefined);
      await api.ask(agent.id, { message: 'b', conversation_id });
      assert.equal(receiver.requestsTo('/killed').length, 1);
      const [input] = await api.messages(conversation_id);
      assert.ok(input?.role === 'user' && input.status === 'answered');
    });
  });
});
