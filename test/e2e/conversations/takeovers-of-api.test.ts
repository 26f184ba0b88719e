/** A person takes over a conversation of the API: what its calls return meanwhile, and how the person's reply is posted. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { Conversation, Message } from '../../../src/contract/conversations/conversations.ts';
import { conversationWaiting } from '../../../src/contract/whatsapp/channel-alert.ts';
import type { ApiClient } from '../../support/api-client.ts';
import { signIn } from '../../support/console-person.ts';
import { useStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

describe('A takeover of a conversation of the API', () => {
  const stack = useStack({
    workers: 1,
    env: { GATEWAY_WATCH_SECONDS: '1', ENCRYPTION_KEY: randomBytes(32).toString('base64') },
  });

  async function begun(fields: Record<string, unknown> = {}, agent: Record<string, unknown> = {}) {
    const own = await stack().stranger();
    const { id: target } = await own.api.createAgent({ script: [{ reply: 'of the agent' }], ...agent });
    const { conversation_id: conversation } = await own.api.send(target, { message: 'hello', ...fields });
    await own.api.settled(conversation);
    const person = await signIn({ ...stack(), organizationId: own.organizationId });
    const act = async (path: string, body: object = {}): Promise<unknown> => {
      const answer = await person.call('POST', `/conversations/${conversation}/${path}`, body);
      assert.ok(answer.status < 300, JSON.stringify(answer.body));
      return answer.body;
    };
    return { ...own, target, conversation, act };
  }

  const ended = async (api: ApiClient, conversation_id: string, count: number) =>
    await until('the outcomes', async () => {
      const all = await api.deliveries({ conversation_id });
      return all.length === count && all.every(({ status }) => !/pending|attempting/.test(status)) && all;
    });

  it('is asked for at the endpoint that wants it, signed and once, though the agent has no channel', async () => {
    const { receiver } = stack();
    const own = await stack().stranger();
    const url = receiver.url('/asked-for');
    const { body: made } = await own.api.call('POST', '/webhook-endpoints', { body: { url } });
    const { id: endpoint, secret } = made as { id: string; secret: string };
    const change = async (waiting_alerts: boolean) =>
      (await own.api.call('PATCH', `/webhook-endpoints/${endpoint}`, { body: { waiting_alerts } })).body;
    assert.equal(((await change(true)) as { waiting_alerts?: true }).waiting_alerts, true);
    const tool = { action: 'hand_over_to_person', input: { reason: 'Wants a human' } };
    const script = [{ when: 'human', reply: 'One moment.', tool }, { reply: 'ok' }];
    const agent = await own.api.createAgent({ script, may_hand_over: true });
    const { conversation_id } = await own.api.ask(agent.id, { message: 'a human, please' });
    await own.api.send(agent.id, { message: 'hello?', conversation_id });
    const [request] = await receiver.waitFor('/asked-for', 1);
    assert.ok(request);
    new Webhook(secret).verify(request.body, Object.fromEntries(request.rawHeaders));
    const {
      waiting_since: _since,
      timestamp: _at,
      ...rest
    } = conversationWaiting.strict().parse(JSON.parse(request.body));
    assert.deepEqual(rest, {
      ...{ event: 'conversation.waiting', agent_id: agent.id, conversation_id, channel: 'api' },
      reason: 'hand_over',
    });
    const delivered = await until('its outcome', async () =>
      (await own.api.deliveries({})).find(({ status }) => status === 'delivered'),
    );
    assert.equal(delivered.event, 'conversation.waiting');
    // Off again: the next wait is announced to nobody.
    const off = (await change(false)) as { waiting_alerts?: true };
    assert.equal(off.waiting_alerts, undefined);
    await own.api.ask(agent.id, { message: 'a human, please' });
    const alerts = await own.api.deliveries({});
    assert.equal(alerts.length, 1);
  });

  it('stores messages for the person, posts the reply once to the last webhook_url, and ends when it is handed back', async () => {
    const { receiver } = stack();
    const webhook_url = receiver.url('/first');
    const { api, target, conversation, act } = await begun({ webhook_url });
    await receiver.waitFor('/first', 1);
    await act('pause');
    const message = {
      ...{ conversation_id: conversation, message: 'a person, please', metadata: { order: 18 } },
      ...{ webhook_url: receiver.url('/last') },
    };
    assert.deepEqual(await api.send(target, message), { status: 'paused', conversation_id: conversation });
    const written = (await act('messages', { text: 'I am **here**' })) as Message;
    const [payload] = await receiver.callbacks('/last', 1);
    assert.ok(payload?.event === 'message.completed');
    const { timestamp, ...rest } = payload;
    assert.ok(Date.parse(timestamp) <= Date.now());
    assert.deepEqual(rest, {
      ...{ event: 'message.completed', agent_id: target, success: true, conversation_id: conversation },
      ...{ message_id: written.id, response: 'I am **here**', credits_used: 0, attachments_processed: 0 },
      ...{ responding_agent_name: 'Administrator', metadata: { order: 18 }, by_person: true },
    });
    const [delivery] = await ended(api, conversation, 2);
    assert.deepEqual([delivery?.status, delivery?.message_id], ['delivered', written.id]);
    const all = await api.messages(conversation);
    assert.deepEqual(
      all.map((one) =>
        one.role === 'user' ? [one.text, one.unanswered, one.metadata] : [one.text, one.by_person],
      ),
      [
        ['hello', undefined, undefined],
        ['of the agent', undefined],
        ['a person, please', 'paused', { order: 18 }],
        ['I am **here**', true],
      ],
    );
    await act('resume');
    const next = { message: 'back', conversation_id: conversation };
    assert.deepEqual(await api.send(target, { ...next, webhook_url: receiver.url('/last') }), {
      ...{ status: 'processing', conversation_id: conversation },
    });
    const [, answer] = await receiver.callbacks('/last', 2);
    assert.ok(answer?.event === 'message.completed' && answer.by_person === undefined);
    assert.equal(answer.response, 'of the agent');
    assert.equal(receiver.requestsTo('/first').length, 1);
  });

  it('refuses calls that wait for the answer, with what to do, and stores nothing of them', async () => {
    const { api, target, conversation, act } = await begun();
    await act('pause');
    const before = await api.messages(conversation);
    const metadata = { conversation_id: conversation };
    const messages = [{ role: 'user', content: 'a' }];
    for (const [path, body, headers] of [
      [`/chat/${target}`, { message: 'a', sync: true, conversation_id: conversation }, {}],
      [
        `/chat/${target}`,
        { message: 'a', sync: true, conversation_id: conversation },
        { accept: 'text/event-stream' },
      ],
      [`/conversations/${conversation}/regenerate`, {}, {}],
    ] as const) {
      const refused = await api.refused(409, 'POST', path, { body, headers });
      assert.equal(refused.code, 'invalid_state');
      assert.match(
        refused.error,
        /A person has taken over.* Resume the agent, or send the message with POST/,
      );
    }
    for (const [path, body] of [
      ['/openai/chat/completions', { model: target, messages, metadata }],
      ['/openai/chat/completions', { model: target, messages, metadata, stream: true }],
      ['/openai/responses', { model: target, input: 'a', conversation }],
    ] as const) {
      const answer = await api.call('POST', path, { body });
      assert.equal(answer.status, 409);
      assert.match(JSON.stringify(answer.body), /A person has taken over.*"code":"invalid_state"/);
    }
    assert.deepEqual(await api.messages(conversation), before);
  });

  it('a repeat with the same Idempotency-Key returns the first response and adds nothing, also at once', async () => {
    const { api, target, conversation, act } = await begun();
    await act('pause');
    const body = { message: 'once', conversation_id: conversation };
    const send = () => api.send(target, body, { 'idempotency-key': 'one' });
    const answers = await Promise.all([send(), send(), send()]);
    await act('resume');
    for (const answer of [...answers, await send()])
      assert.deepEqual(answer, { status: 'paused', conversation_id: conversation });
    const texts = (await api.messages(conversation)).map(({ text }) => text);
    assert.deepEqual(texts, ['hello', 'of the agent', 'once']);
    const headers = { 'idempotency-key': 'one' };
    const other = await api.refused(409, 'POST', `/chat/${target}`, {
      body: { ...body, message: 'b' },
      headers,
    });
    assert.equal(other.code, 'idempotency_conflict');
  });

  it('without a webhook_url, the reply is in the history and has no delivery', async () => {
    const { api, conversation, act } = await begun();
    const written = (await act('messages', { text: 'read me' })) as Message;
    const last = (await api.messages(conversation)).at(-1);
    assert.ok(last?.role === 'agent');
    assert.deepEqual(
      [last.id, last.text, last.by_person, last.delivery],
      [written.id, 'read me', true, undefined],
    );
    assert.deepEqual(await api.deliveries({ conversation_id: conversation }), []);
    const { body } = await api.call('GET', `/conversations/${conversation}`);
    assert.equal((body as Conversation).paused_by_name, 'Administrator');
  });

  it('messages that wait are left to the person; an answer in progress is stored, and its callback is blocked', async () => {
    const { receiver } = stack();
    const own = await stack().stranger();
    const { api } = own;
    const { id } = await api.createAgent({ script: [{ reply: 'too late', delay_ms: 10_000 }] });
    const webhook_url = receiver.url('/blocked');
    const { conversation_id } = await api.send(id, { message: 'first', webhook_url });
    await until('the run', async () => {
      const [first] = await api.messages(conversation_id);
      return first?.role === 'user' && first.status === 'processing';
    });
    await api.send(id, { message: 'second', webhook_url, conversation_id });
    await api.call('POST', `/conversations/${conversation_id}/messages`, { body: { text: 'a person' } });
    const deliveries = await ended(api, conversation_id, 2);
    assert.deepEqual(deliveries.map(({ status, error }) => [status, error]).toSorted(), [
      ['blocked', 'a person has taken over this conversation'],
      ['delivered', undefined],
    ]);
    assert.deepEqual(
      (await receiver.callbacks('/blocked', 1)).map((one) => 'response' in one && one.response),
      ['a person'],
    );
    const rows = await stack().db.pool.query<{ state: string }>(
      'select state from runs where conversation_id = $1 order by ordinal',
      [conversation_id],
    );
    assert.deepEqual(
      rows.rows.map(({ state }) => state),
      ['answered', 'handed_over'],
    );
  });

  it('a worker that is killed during the callback of the reply posts it at most once', async () => {
    const { receiver, workers } = stack();
    receiver.behave('/killed', { hang: true });
    const { api, conversation, act } = await begun();
    await stack().db.pool.query('update conversations set webhook_url = $2 where id = $1', [
      conversation,
      receiver.url('/killed'),
    ]);
    await act('messages', { text: 'once' });
    await receiver.waitFor('/killed', 1);
    await workers[0]?.kill();
    await workers[0]?.start();
    const [delivery] = await ended(api, conversation, 1);
    assert.equal(delivery?.status, 'unknown');
    assert.equal(receiver.requestsTo('/killed').length, 1);
  });

  describe('by the agent, which hands over', () => {
    const script = [
      {
        when: 'human',
        reply: 'One moment.',
        tool: { action: 'hand_over_to_person', input: { reason: 'Wants a human' } },
      },
      { when: 'quietly', tool: { action: 'hand_over_to_person', input: { reason: 'x'.repeat(2000) } } },
      { on: 'tool_result', reply: 'not handed over' },
      { reply: 'of the agent' },
    ];
    const handedOver = async (conversation: string) => {
      const { rows } = await stack().db.pool.query<{ reason: string }>(
        `select t.input->>'reason' as reason from tool_calls t join runs r on r.id = t.run_id where r.conversation_id = $1`,
        [conversation],
      );
      return rows.map(({ reason }) => reason);
    };

    it('sends its last text, waits for a person, and answers again once it is resumed', async () => {
      const { receiver } = stack();
      const webhook_url = receiver.url('/handed-over');
      const { api, target, conversation, act } = await begun(
        { webhook_url },
        { script, may_hand_over: true },
      );
      await api.send(target, { message: 'a human', conversation_id: conversation, webhook_url });
      const [, said] = await receiver.callbacks('/handed-over', 2);
      assert.ok(said?.event === 'message.completed' && said.by_person === undefined);
      assert.equal(said.response, 'One moment.');
      assert.deepEqual(await handedOver(conversation), ['Wants a human']);
      const { body } = await api.call('GET', `/conversations/${conversation}`);
      const { paused_by, paused_until } = body as Conversation;
      const days = (Date.parse(paused_until ?? '') - Date.now()) / 86_400_000;
      assert.ok(paused_by === 'agent' && days > 29 && days <= 30, `${paused_by} ${days}`);
      const message = { message: 'hello?', conversation_id: conversation, webhook_url };
      assert.equal((await api.send(target, message)).status, 'paused');
      await api.refused(409, 'POST', `/chat/${target}`, { body: { ...message, sync: true } });
      await act('messages', { text: 'a person' });
      const [, , reply] = await receiver.callbacks('/handed-over', 3);
      assert.ok(reply?.event === 'message.completed' && reply.by_person === true);
      await act('resume');
      assert.equal((await api.send(target, message)).status, 'processing');
      const [, , , again] = await receiver.callbacks('/handed-over', 4);
      assert.ok(again?.event === 'message.completed' && again.response === 'of the agent');
    });

    it('without text sends nothing; a long reason is cut to 500 characters', async () => {
      const { api, target, conversation } = await begun({}, { script, may_hand_over: true });
      const body = { message: 'quietly', sync: true, conversation_id: conversation };
      const { response, messages } = await api.ask(target, body);
      assert.deepEqual([response, messages], ['', []]);
      assert.deepEqual(await handedOver(conversation), ['x'.repeat(500)]);
      const { body: now } = await api.call('GET', `/conversations/${conversation}`);
      assert.equal((now as Conversation).paused_by, 'agent');
    });

    it('an agent that may not has no such tool: its model is asked again', async () => {
      const { api, target, conversation } = await begun({}, { script });
      const { response } = await api.ask(target, { message: 'a human', conversation_id: conversation });
      assert.equal(response, 'not handed over');
      const { body } = await api.call('GET', `/conversations/${conversation}`);
      assert.equal((body as Conversation).paused_by, undefined);
    });
  });
});
