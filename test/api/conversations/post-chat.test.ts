import assert from 'node:assert/strict';
import { until } from '../../support/until.ts';
import { useSharedStack } from '../../support/stack.ts';

describe('POST /chat/{id}', () => {
  const stack = useSharedStack();

  describe('202', () => {
    it('processing without a group, at the agent and at its inbox, with the answer in the history', async () => {
      const { api } = stack();
      const agent = await api.createAgent({ script: [{ when: 'my name is (\\w+)', reply: 'Hello $1' }] });
      for (const target of [agent.id, agent.inbox_id, agent.id.toUpperCase()]) {
        const { conversation_id, ...rest } = await api.send(target, { message: 'my name is Ada' });
        assert.deepEqual(rest, { status: 'processing' });
        const [input, answer] = await api.settled(conversation_id);
        assert.ok(input?.role === 'user' && answer?.role === 'agent');
        const { id, created_at } = input;
        assert.deepEqual(input, {
          ...{ id, conversation_id, role: 'user', text: 'my name is Ada', attachments: [] },
          ...{ created_at, status: 'answered' },
        });
        assert.deepEqual(answer, {
          ...{ id: answer.id, conversation_id, role: 'agent', text: 'Hello Ada', attachments: [] },
          ...{ created_at: answer.created_at, agent_id: agent.id, responding_agent_name: agent.name },
          ...{ agent_version: 1, model: 'scripted/default', credits_used: 0, in_reply_to: [id] },
        });
      }
    });

    it('says that no rule matched, and repeats the text', async () => {
      const { api } = stack();
      const agent = await api.createAgent();
      const { response } = await api.ask(agent.id, { message: 'anything' });
      assert.equal(response, '[scripted model: no rule matched] anything');
    });

    it('continues a conversation by its identifier or contact, otherwise starts one', async () => {
      const { api } = stack();
      const agent = await api.createAgent();
      const first = await api.send(agent.id, { message: '1', contact: { id: 'Ada', name: 'Ada L' } });
      const { conversation_id } = first;
      const same = [
        await api.send(agent.id, { message: '2', conversation_id }),
        await api.send(agent.id, { message: '3', contact: { id: 'Ada' } }),
      ];
      assert.deepEqual(
        same.map((one) => one.conversation_id),
        [conversation_id, conversation_id],
      );
      const others = [
        await api.send(agent.id, { message: '4' }),
        await api.send(agent.id, { message: '5', contact: { id: 'ada' } }),
        await api.send(agent.inbox_id, { message: '6', contact: { id: 'Ada' } }),
      ];
      assert.equal(new Set([conversation_id, ...others.map((one) => one.conversation_id)]).size, 4);
      const texts = (await api.settled(conversation_id, 3))
        .filter(({ role }) => role === 'user')
        .map(({ text }) => text);
      assert.deepEqual(texts, ['1', '2', '3']);
      const { body } = await api.call('GET', `/conversations/${conversation_id}`);
      assert.deepEqual((body as { contact: unknown }).contact, { id: 'Ada', name: 'Ada L' });
    });

    it('one conversation for a contact that writes ten times at once', async () => {
      const { api } = stack();
      const agent = await api.createAgent({ script: [{ reply: 'ok' }] });
      const body = { message: 'hi', contact: { id: 'crowd' } };
      const sent = await Promise.all(Array.from({ length: 10 }, () => api.send(agent.id, body)));
      const ids = new Set(sent.map(({ conversation_id }) => conversation_id));
      assert.equal(ids.size, 1);
      assert.equal((await api.settled([...ids][0] ?? '', 10)).length, 20);
    });

    it('answers a conversation’s messages in the order in which they were accepted', async () => {
      const { api } = stack();
      const agent = await api.createAgent({ script: [{ when: '(\\d+)', reply: 're $1', delay_ms: 20 }] });
      const { conversation_id } = await api.send(agent.id, { message: '0' });
      for (let n = 1; n < 8; n++) await api.send(agent.id, { message: String(n), conversation_id });
      const messages = await api.settled(conversation_id, 8);
      const answers = messages.filter(({ role }) => role === 'agent').map(({ text }) => text);
      assert.deepEqual(
        answers,
        Array.from({ length: 8 }, (_, n) => `re ${n}`),
      );
    });

    it('an unusual webhook_url that can be parsed is accepted, and blocked when its callback is due', async () => {
      const { api } = stack();
      const agent = await api.createAgent();
      for (const webhook_url of [
        'http://127.0.0.1:9/x',
        'https://user:word@example.com',
        'http://2130706433/',
        'HTTP:\\\\intranet',
      ]) {
        const { conversation_id } = await api.send(agent.id, { message: 'a', webhook_url });
        const [delivery, ...more] = await until('its end', async () => {
          const found = await api.deliveries({ conversation_id });
          return found.some(({ status }) => status !== 'pending' && status !== 'attempting') && found;
        });
        assert.deepEqual([delivery?.status, delivery?.url, more], ['blocked', webhook_url, []]);
      }
    });
  });

  describe('422 names the path', () => {
    const deep = (levels: number): unknown => (levels === 1 ? {} : { a: deep(levels - 1) });
    const sized = (bytes: number) => ({ text: 'x'.repeat(bytes - '{"text":""}'.length) });
    const file = { content_base64: 'aGk=' };
    const cases: [title: string, body: Record<string, unknown>, path: string][] = [
      ['no message', {}, 'message'],
      ['an empty message', { message: '' }, 'message'],
      ['an empty message with no attachment', { message: '', attachments: [] }, 'message'],
      ['32,001 characters', { message: 'x'.repeat(32_001) }, 'message'],
      ['a message that is no text', { message: 7 }, 'message'],
      ['a NUL character', { message: 'a\u0000b' }, 'message'],
      ['half of a surrogate pair', { message: 'a\udc00b' }, 'message'],
      ['sync that is no boolean', { message: 'a', sync: 'true' }, 'sync'],
      ['a webhook_url without a scheme', { message: 'a', webhook_url: 'example.com/x' }, 'webhook_url'],
      ['a webhook_url that is not http', { message: 'a', webhook_url: 'ftp://example.com' }, 'webhook_url'],
      [
        'a webhook_url over 2,048 characters',
        { message: 'a', webhook_url: `https://example.com/${'x'.repeat(2029)}` },
        'webhook_url',
      ],
      ['metadata over 16 KiB', { message: 'a', metadata: sized(16 * 1024 + 1) }, 'metadata'],
      [
        'metadata over 16 KiB in bytes, not in characters',
        { message: 'a', metadata: { a: 'ü'.repeat(8192) } },
        'metadata',
      ],
      ['metadata of 11 levels', { message: 'a', metadata: deep(11) }, 'metadata'],
      ['metadata that is a list', { message: 'a', metadata: [] }, 'metadata'],
      ['a conversation_id that is no UUID', { message: 'a', conversation_id: 'x' }, 'conversation_id'],
      ['an empty contact id', { message: 'a', contact: { id: '' } }, 'contact.id'],
      ['a contact id over 255 characters', { message: 'a', contact: { id: 'x'.repeat(256) } }, 'contact.id'],
      ['an unknown field of a contact', { message: 'a', contact: { id: 'x', phone: '1' } }, 'contact.phone'],
      ['11 attachments', { message: 'a', attachments: Array(11).fill(file) }, 'attachments'],
      [
        'an attachment by plain http',
        { message: 'a', attachments: [file, { url: 'http://example.com' }] },
        'attachments.1.url',
      ],
      ['an attachment that is no URL', { message: 'a', attachments: [{ url: 'x' }] }, 'attachments.0.url'],
      [
        'an attachment that is no base64',
        { message: 'a', attachments: [{ content_base64: '%' }] },
        'attachments.0.content_base64',
      ],
      [
        'a content type that is none',
        { message: 'a', attachments: [{ ...file, content_type: 'png' }] },
        'attachments.0.content_type',
      ],
      [
        'an unknown field of an attachment',
        { message: 'a', attachments: [{ ...file, name: 'x' }] },
        'attachments.0.name',
      ],
    ];
    for (const [title, body, path] of cases) {
      it(title, async () => {
        const { id } = await stack().api.createAgent();
        const { code, details = [] } = await stack().api.refused(422, 'POST', `/chat/${id}`, { body });
        assert.deepEqual([code, details.map((one) => one.path)], ['validation_failed', [path]]);
        const { body: list } = await stack().api.call('GET', `/conversations?agent_id=${id}`);
        assert.deepEqual(list, { data: [], next_cursor: null });
      });
    }

    it('accepts values exactly at the limits', async () => {
      const { api } = stack();
      const { id } = await api.createAgent({ script: [{ reply: 'ok' }] });
      for (const body of [
        { message: 'x'.repeat(32_000) },
        { message: 'a', metadata: sized(16 * 1024) },
        { message: 'a', metadata: deep(10) },
        { message: 'a', webhook_url: `https://127.0.0.1/${'x'.repeat(2030)}` },
        { message: 'a', contact: { id: 'x'.repeat(255), name: '' } },
        { attachments: Array(10).fill(file) as unknown[] },
      ]) {
        const answer = await api.ask(id, body);
        assert.equal(answer.response, 'ok');
      }
    });
  });

  describe('413', () => {
    const content = (mebibytes: number) => Buffer.alloc(mebibytes * 1024 * 1024, 7).toString('base64');

    it('at most 16 MiB with attachments by content', async () => {
      // A body of this size is most of what a caller may send within two seconds: each call has its own organization.
      const [taken, tooLarge] = [(await stack().stranger()).api, (await stack().stranger()).api];
      const { id: taking } = await taken.createAgent({ script: [{ reply: 'ok' }] });
      const answer = await taken.ask(taking, {
        message: 'a',
        attachments: [{ content_base64: content(11) }],
      });
      assert.equal(answer.attachments_processed, 1);
      const { id } = await tooLarge.createAgent();
      const { code } = await tooLarge.refused(413, 'POST', `/chat/${id}`, {
        body: { message: 'a', attachments: [{ content_base64: content(12) }] },
      });
      assert.equal(code, 'payload_too_large');
    });

    it('1 MiB for an attachment by URL', async () => {
      const { api } = await stack().stranger();
      const { id } = await api.createAgent();
      const body = { message: 'a'.repeat(1024 * 1024), attachments: [{ url: 'https://example.com' }] };
      await api.refused(413, 'POST', `/chat/${id}`, { body });
    });
  });

  it('404: a conversation of another agent, of the same agent’s inbox, of another organization', async () => {
    const { api } = stack();
    const [agent, other] = [await api.createAgent(), await api.createAgent()];
    const theirs = (await stack().stranger()).api;
    const foreign = await theirs.createAgent();
    const ids = [
      (await api.send(other.id, { message: 'a' })).conversation_id,
      (await api.send(agent.inbox_id, { message: 'a' })).conversation_id,
      (await theirs.send(foreign.id, { message: 'a' })).conversation_id,
      '01890000-0000-7000-8000-000000000000',
    ];
    for (const conversation_id of ids) {
      const body = await api.refused(404, 'POST', `/chat/${agent.id}`, {
        body: { message: 'b', conversation_id },
      });
      assert.deepEqual(body, { error: 'There is no such resource.', code: 'not_found' });
    }
  });

  it('409 agent_inactive, and nothing is stored', async () => {
    const { api } = stack();
    const { id, inbox_id } = await api.createAgent({ active: false });
    for (const target of [id, inbox_id]) {
      const body = await api.refused(409, 'POST', `/chat/${target}`, { body: { message: 'a' } });
      assert.deepEqual(body, { error: 'The agent is inactive.', code: 'agent_inactive' });
    }
    const { body } = await api.call('GET', `/conversations?agent_id=${id}`);
    assert.deepEqual(body, { data: [], next_cursor: null });
  });
});
