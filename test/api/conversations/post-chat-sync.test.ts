import assert from 'node:assert/strict';
import { request } from 'node:http';
import { useSharedStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

describe('POST /chat/{id} with sync', () => {
  const stack = useSharedStack();

  describe('200', () => {
    it('the answer with every field of it, and no callback', async () => {
      const { api, receiver } = stack();
      const agent = await api.createAgent({ script: [{ reply: 'yes' }] });
      const metadata = { order: 17, nested: { list: [1, null, 'ü', true, 0.1], empty: {} } };
      const answer = await api.ask(agent.id, {
        message: 'a',
        metadata,
        webhook_url: receiver.url('/sync'),
        attachments: [{ content_base64: 'aGk=', content_type: 'text/plain' }],
      });
      const { conversation_id, message_id, timestamp } = answer;
      const author = { agent_id: agent.id, responding_agent_name: agent.name, response: 'yes' };
      assert.deepEqual(answer, {
        ...{ success: true, conversation_id, message_id, ...author, model: 'scripted/default' },
        ...{ credits_used: 0, attachments_processed: 1, metadata, timestamp },
        messages: [{ message_id, ...author }],
      });
      assert.match(timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      assert.equal((await api.messages(conversation_id))[1]?.id, message_id);
      assert.deepEqual(await api.deliveries({ conversation_id }), []);
      assert.deepEqual(stack().receiver.requestsTo('/sync'), []);
    });

    it('an empty answer: no message, and no message_id', async () => {
      const { api } = stack();
      const agent = await api.createAgent({ script: [{ reply: '' }] });
      const answer = await api.ask(agent.id, { message: 'a' });
      assert.deepEqual([answer.response, 'message_id' in answer, answer.messages], ['', false, []]);
      assert.deepEqual(
        (await api.messages(answer.conversation_id)).map(({ role }) => role),
        ['user'],
      );
    });

    it('a transfer: both messages in order, the last one on top', async () => {
      const { api } = stack();
      const expert = await api.createAgent({ script: [{ reply: 'I know' }] });
      const desk = await api.createAgent({
        script: [{ transfer_to: expert.name, reply: 'One moment' }],
        transfers_to: [expert.id],
      });
      const answer = await api.ask(desk.id, { message: 'a' });
      assert.deepEqual(
        [answer.response, answer.agent_id, answer.responding_agent_name],
        ['I know', expert.id, expert.name],
      );
      assert.deepEqual(
        answer.messages.map(({ message_id: _, ...rest }) => rest),
        [
          { agent_id: desk.id, responding_agent_name: desk.name, response: 'One moment', pre_transfer: true },
          { agent_id: expert.id, responding_agent_name: expert.name, response: 'I know' },
        ],
      );
    });

    it('closes an open group, which runs first, and runs alone', async () => {
      const { api, receiver } = stack();
      const agent = await api.createAgent({
        grouping_window_seconds: 60,
        script: [{ when: '(?s)(.+)', reply: '<$1>' }],
      });
      const webhook_url = receiver.url('/closed-group');
      const { conversation_id, status, group_id } = await api.send(agent.id, { message: '1', webhook_url });
      await api.send(agent.id, { message: '2', conversation_id });
      const answer = await api.ask(agent.id, { message: '3', conversation_id });
      assert.deepEqual([status, typeof group_id, answer.response], ['debounced', 'string', '<3>']);
      const messages = await api.settled(conversation_id, 2);
      assert.deepEqual(
        messages.filter(({ role }) => role === 'agent').map(({ text }) => text),
        ['<1\n2>', '<3>'],
      );
      const [callback, ...more] = await receiver.callbacks('/closed-group', 1);
      assert.ok(callback?.event === 'message.completed' && callback.response === '<1\n2>');
      assert.deepEqual(more, []);
    });

    it('continues when the client disconnects', async () => {
      const { api, apiUrl, token } = stack();
      const agent = await api.createAgent({ script: [{ reply: 'done', delay_ms: 500 }] });
      const call = request(`${apiUrl}/chat/${agent.id}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      });
      call.on('error', () => undefined);
      call.end(JSON.stringify({ message: 'a', sync: true }));
      const conversation = await until('the input to be accepted', async () => {
        const { body } = await api.call('GET', `/conversations?agent_id=${agent.id}`);
        return (body as { data: { id: string }[] }).data[0];
      });
      call.destroy();
      assert.deepEqual(
        (await api.settled(conversation.id)).map(({ text }) => text),
        ['a', 'done'],
      );
    });
  });

  it('502 agent_failed with a readable sentence, and the failure in the history', async () => {
    const { api } = stack();
    const fail = { message: 'The shop is closed.', retryable: false };
    const agent = await api.createAgent({ script: [{ fail }] });
    const body = await api.refused(502, 'POST', `/chat/${agent.id}`, { body: { message: 'a', sync: true } });
    const { conversation_id = '' } = body;
    assert.deepEqual(body, { error: 'The shop is closed.', code: 'agent_failed', conversation_id });
    const messages = await api.messages(conversation_id);
    assert.deepEqual(
      messages.map((one) => one.role === 'user' && one.status),
      ['failed'],
    );
  });
});
