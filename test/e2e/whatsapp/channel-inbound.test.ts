import assert from 'node:assert/strict';
import { startChannelStand, useChannelStand, type ChannelStand } from '../../support/channel-stand.ts';
import { channelTalk, echoScript as echo, type List } from '../../support/channel-talk.ts';
import { lidOf } from '../../support/gateway/emulator-events.ts';
import { until } from '../../support/until.ts';

describe('messages from WhatsApp', () => {
  const shared = useChannelStand();
  let stand: ChannelStand;
  let talk: ReturnType<typeof channelTalk>;
  before(() => {
    stand = shared();
    talk = channelTalk(stand);
  });

  describe('inbound', () => {
    it('answers a contact through the gateway, and keeps one conversation per contact', async () => {
      const { id } = await stand.connected(echo);
      const from = talk.newNumber();
      const { answers } = await stand.emulator.deliverInbound({ from, text: 'hello', name: 'Ana' });
      assert.deepEqual([answers[0]!.status, answers[0]!.text], [200, 'OK']);
      await until('the reply', () => talk.sentTo(from).length === 1);
      assert.deepEqual(talk.sentTo(from), ['You wrote: hello']);
      await stand.emulator.deliverInbound({ from, text: 'again' });
      await until('the second reply', () => talk.sentTo(from).length === 2);
      const conversation = await talk.conversationOf(id);
      const messages = await until('the delivery', async () => {
        const found = await talk.messagesOf(conversation.id);
        return found.length === 4 && found[3]!.delivery?.status === 'delivered' ? found : undefined;
      });
      assert.deepEqual(
        messages.map((one) => [one.role, one.text]),
        [
          ['user', 'hello'],
          ['agent', 'You wrote: hello'],
          ['user', 'again'],
          ['agent', 'You wrote: again'],
        ],
      );
    });

    it('answers the number or LID that each message came from, in the one conversation of that person', async () => {
      const { id } = await stand.connected(echo);
      const [first, second] = [talk.newNumber(), talk.newNumber()];
      const lid = lidOf(first);
      for (const [text, to, told] of [
        ['one', first, {}],
        ['two', lid, { lidOnly: true }],
        ['three', second, { from: second, lid }],
        ['four', second, { from: second, phoneOnly: true }],
      ] as const) {
        await stand.emulator.deliverInbound({ from: first, text, ...told });
        await until(`the reply to ${text}`, () => talk.sentTo(to).includes(`You wrote: ${text}`));
      }
      assert.deepEqual(talk.sentTo(first), ['You wrote: one']);
      // The first number has a new holder, who is somebody else.
      await stand.emulator.deliverInbound({ from: first, lid: '4711@lid', text: 'a stranger' });
      await until('the reply to the stranger', () => talk.sentTo(first).length === 2);
      const { body } = await stand.call<List<{ id: string; contact: { id: string } }>>(
        'GET',
        `/conversations?agent_id=${id}`,
      );
      const texts = await Promise.all(
        body.data.map(async (one) => (await talk.messagesOf(one.id)).filter(({ role }) => role === 'user')),
      );
      assert.deepEqual(
        texts.map((messages) => messages.map(({ text }) => text)),
        [['a stranger'], ['one', 'two', 'three', 'four']],
      );
      assert.deepEqual(
        body.data.map(({ contact }) => contact.id),
        [`whatsapp:${first}`, `whatsapp:${second}`],
      );
    });

    it('orders a contact’s messages as they were written, whatever order the gateway delivers them in', async () => {
      // The last one closes the group, however long a stall between them lasts.
      const { id } = await stand.connected(echo, { grouping_window_seconds: 60, grouping_max_messages: 4 });
      const from = talk.newNumber();
      const first = Math.floor(Date.now() / 1000 - 3) * 1000;
      const written = ['one', 'two', 'three', 'also three'].map((text, index) => ({
        ...{ from, text, atMs: first + Math.min(index, 2) * 1000 },
      }));
      await stand.emulator.deliverShuffled(written, [2, 3, 0, 1]);
      await until('the reply', () => talk.sentTo(from).length > 0);
      assert.deepEqual(talk.sentTo(from), ['You wrote: one\ntwo\nthree\nalso three']);
      const conversation = await talk.conversationOf(id);
      const texts = (await talk.messagesOf(conversation.id)).map(({ text }) => text);
      assert.deepEqual(texts.slice(0, 4), ['one', 'two', 'three', 'also three']);
    });

    it('stores a message older than a day without answering it', async () => {
      const { id } = await stand.connected(echo);
      const from = talk.newNumber();
      const hour = 60 * 60 * 1000;
      const { answers } = await stand.emulator.deliverInbound({
        from,
        text: 'old',
        atMs: Date.now() - 25 * hour,
      });
      assert.equal(answers[0]!.text, 'OK');
      await stand.emulator.deliverInbound({ from, text: 'late', atMs: Date.now() - 23 * hour });
      await until('the reply', () => talk.sentTo(from).length > 0);
      const conversation = await talk.conversationOf(id);
      const texts = (await talk.messagesOf(conversation.id)).map(({ text }) => text);
      assert.deepEqual(texts, ['old', 'late', 'You wrote: late']);
    });

    it('shows the agent which of its messages a contact quotes', async () => {
      const { id } = await stand.connected(echo);
      const from = talk.newNumber();
      await stand.emulator.deliverInbound({ from, text: 'red or blue' });
      const quoted = await until('the reply', () => stand.emulator.sent.find((one) => one.number === from));
      // The gateway may have it before Parley has recorded its id.
      const { id: at } = await talk.conversationOf(id);
      await until(
        'the delivery',
        async () => (await talk.messagesOf(at))[1]?.delivery?.status === 'delivered',
      );
      await stand.emulator.deliverInbound({ from, text: 'the second', quoted: quoted.messageId });
      await stand.emulator.deliverInbound({ from, text: 'a third', quoted: 'never-seen' });
      await until('the replies', () => talk.sentTo(from).length === 3);
      assert.deepEqual(talk.sentTo(from).slice(1), [
        'You wrote: [In reply to: You wrote: red or blue]\nthe second',
        'You wrote: a third',
      ]);
    });

    it('accepts events of another instance, and warns on the card', async () => {
      const { id, webhookUrl } = await stand.connected(echo);
      const event = (fields: object) =>
        fetch(webhookUrl, { method: 'POST', body: JSON.stringify({ EventType: 'messages', ...fields }) });
      const cardAfter = async (fields: object) => {
        assert.equal((await event(fields)).status, 200);
        return (await talk.channelOf(id)).last_error;
      };
      const owner = '5511999990001';
      assert.equal(await cardAfter({ token: stand.emulator.instanceToken, owner }), undefined);
      const other = await cardAfter({
        token: stand.emulator.instanceToken,
        owner: '5511888880000@s.whatsapp.net',
      });
      assert.equal(other!.code, 'other_number');
      assert.match(other!.message, /5511888880000/);
      const stranger = await cardAfter({ token: 'of-another-instance', owner });
      assert.equal(stranger!.code, 'other_token');
      assert.equal(JSON.stringify(stranger).includes('of-another-instance'), false);
      // The looks at the session, which is well, leave it there.
      const seenAt = (await talk.channelOf(id)).session?.checked_at;
      await until('another look', async () => {
        await stand.stack.db.pool.query(`update channels set next_check_at = now() where agent_id = $1`, [
          id,
        ]);
        return (await talk.channelOf(id)).session?.checked_at !== seenAt;
      });
      assert.equal((await talk.channelOf(id)).last_error?.code, 'other_token');
    });

    it('refuses a wrong secret, another method, and a body that is not an object', async () => {
      const { webhookUrl } = await stand.connected(echo);
      const post = (url: string, body: string, method = 'POST') =>
        fetch(url, {
          method,
          headers: { 'content-type': 'application/json' },
          ...(method === 'POST' ? { body } : {}),
        });
      const unknown = webhookUrl.replace(/gateway\/[^/]+/, 'gateway/01890000-0000-7000-8000-000000000000');
      const wrong = await post(`${webhookUrl}x`, '{}');
      const none = await post(unknown, '{}');
      assert.deepEqual([wrong.status, none.status], [401, 401]);
      assert.equal(await wrong.text(), await none.text());
      assert.equal((await post(webhookUrl, '', 'GET')).status, 405);
      for (const body of ['[]', '"x"', 'null', '{', ''])
        assert.equal((await post(webhookUrl, body)).status, 400, body);
      const bare = webhookUrl.replace(/\/[^/]+$/, '');
      const secret = webhookUrl.split('/').at(-1)!;
      const byHeader = await fetch(bare, {
        method: 'POST',
        headers: { 'x-webhook-secret': secret },
        body: '{}',
      });
      assert.equal(await byHeader.text(), 'OK - other event (ignored)');
    });

    it('ignores any other event, whatever its size or shape within the byte limit', async () => {
      const { id, webhookUrl } = await stand.connected(echo);
      const post = async (body: string) => {
        const answer = await fetch(webhookUrl, { method: 'POST', body });
        return [answer.status, await answer.text()];
      };
      const deep = `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`;
      const lists = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
      const fields = Array.from({ length: 60_000 }, (_, n) => `"f${n}":${n}`).join();
      const named = (rest: string) => `{"EventType":"messages_update"${rest}}`;
      const bodies = {
        'no field': '{}',
        'no name': '{"message":{"messageid":"a"}}',
        'a name that is an object': '{"event":{"name":"messages"},"message":{"messageid":"a"}}',
        'a name that is a number': '{"EventType":1}',
        '5,000 levels': named(`,"data":${deep}`),
        '100,000 levels of lists': named(`,"data":${lists}`),
        '60,000 fields': named(`,${fields}`),
        'a list of 60,000 messages': named(`,"message":[${Array(60_000).fill('{}').join()}]`),
        'a mebibyte less a little': named(`,"data":"${'x'.repeat(1024 * 1024 - 100)}"`),
        'keys of prototypes': named(',"__proto__":{"a":1},"constructor":{"prototype":{"a":1}}'),
        'odd Unicode': named(',"data":"\\ud800\\u0000"'),
      };
      for (const [name, body] of Object.entries(bodies))
        assert.deepEqual(await post(body), [200, 'OK - other event (ignored)'], name);
      assert.deepEqual((await post(named(`,"data":"${'x'.repeat(1024 * 1024)}"`)))[0], 413);
      assert.equal((await post(`{"EventType":"messages","message":${deep}}`))[0], 400);
      const { body } = await stand.call<List<{ reason?: string }>>('GET', `/agents/${id}/channel/events`);
      assert.deepEqual([...new Set(body.data.map(({ reason }) => reason))], ['other_event']);
    });

    it('ignores groups, broadcasts, its own echoes and reactions, with the reason in the event log', async () => {
      const { id, webhookUrl } = await stand.connected(echo);
      stand.emulator.setWebhook({ url: webhookUrl, excludeMessages: [] });
      const from = talk.newNumber();
      for (const inbound of [
        { group: true },
        { chatid: 'status@broadcast' },
        { chatid: '12@newsletter' },
        { fromMe: true, wasSentByApi: true },
        { kind: 'reaction', text: '❤️' },
      ] as const) {
        const { answers } = await stand.emulator.deliverInbound({ from, text: 'x', ...inbound });
        assert.match(answers[0]!.text, /ignored/);
      }
      assert.equal(await talk.conversationOf(id), undefined);
      await stand.emulator.deliverInbound({ from, text: 'real' });
      await until('the reply', () => talk.sentTo(from).length > 0);
      const { body } = await stand.call<List<{ outcome: string; reason?: string }>>(
        'GET',
        `/agents/${id}/channel/events`,
      );
      const reasons = body.data.map((one) => one.reason ?? one.outcome);
      for (const reason of ['group', 'broadcast', 'newsletter', 'sent_by_api', 'reaction', 'accepted']) {
        assert.ok(reasons.includes(reason), reason);
      }
      assert.deepEqual(talk.sentTo(from), ['You wrote: real']);
    });

    it('ignores everything while the channel is disconnected', async () => {
      const { id } = await stand.connected(echo);
      await stand.call('POST', `/agents/${id}/channel/disconnect`);
      stand.emulator.setSession('connected');
      const { answers } = await stand.emulator.deliverInbound({ from: talk.newNumber(), text: 'x' });
      assert.equal(answers[0]!.text, 'OK - channel inactive (ignored)');
    });

    it('fetches a received file through the gateway', async () => {
      const { id } = await stand.connected([{ reply: 'seen' }]);
      const from = talk.newNumber();
      await stand.emulator.deliverInbound({ from, kind: 'image', text: 'look' });
      await until('the reply', () => talk.sentTo(from).length > 0);
      const [message] = await talk.messagesOf((await talk.conversationOf(id)).id);
      const { attachments } = message!;
      assert.equal(attachments[0]!.content_type, 'image/jpeg');
      assert.ok(attachments[0]!.size > 10);
    });

    it('fetches no file from an address that only gateways may use, if another gateway names it', async () => {
      const { id } = await stand.connected([{ reply: 'seen' }]);
      const from = talk.newNumber();
      const inside = '/inside-the-network';
      const { state } = stand.emulator;
      state.fileUrl = stand.stack.receiver.url(inside);
      await stand.emulator.deliverInbound({ from, kind: 'image', text: 'look' });
      await until('the reply', () => talk.sentTo(from).length > 0);
      state.fileUrl = undefined;
      const [message] = await talk.messagesOf((await talk.conversationOf(id)).id);
      assert.equal(message!.attachments[0]!.url, undefined);
      assert.deepEqual(stand.stack.receiver.requestsTo(inside), []);
    });

    it('stores what a human agent sends from the phone and what arrives meanwhile, however late the gateway delivers it', async () => {
      const { id } = await stand.connected(echo);
      const from = talk.newNumber();
      stand.emulator.faults.next('/message/download', 'server_error', 2);
      const sent = [
        await stand.emulator.typeOnPhone({ from, kind: 'document', text: 'our offer' }),
        await stand.emulator.deliverInbound({ from, kind: 'voice' }),
      ];
      const conversation = await talk.conversationOf(id);
      const files = await until('both files', async () => {
        const found = (await talk.messagesOf(conversation.id)).map((one) => one.attachments[0]);
        return found.length === 2 && found.every((one) => one?.url !== undefined) && found;
      });
      assert.deepEqual(
        files.map((one) => one!.content_type),
        ['application/pdf', 'audio/ogg'],
      );
      for (const [index, { messageId }] of sent.entries()) {
        const file = await fetch(files[index]!.url!);
        assert.equal(await file.text(), `bytes of ${messageId}`);
      }
      assert.deepEqual(talk.sentTo(from), []);
    });

    it('answers without a file that the gateway does not deliver, and stores it once it does', async () => {
      const { id } = await stand.connected([{ reply: 'seen' }]);
      const from = talk.newNumber();
      stand.emulator.faults.always('/message/download', 'not_found');
      await stand.emulator.deliverInbound({ from, kind: 'image', text: 'gone' });
      await until('the reply', () => talk.sentTo(from).length === 1);
      stand.emulator.faults.clear();
      stand.emulator.faults.next('/message/download', 'rate_limited');
      await stand.emulator.deliverInbound({ from, kind: 'image', text: 'later' });
      await until('the other reply', () => talk.sentTo(from).length === 2);
      const messages = await talk.messagesOf((await talk.conversationOf(id)).id);
      const kept = messages.filter(({ role }) => role === 'user').map((one) => one.attachments[0]!.url);
      assert.deepEqual(
        kept.map((url) => url !== undefined),
        [false, true],
      );
    });

    it('uses the new text of an edited message that waits in its group', async () => {
      const { id } = await stand.connected(echo, { grouping_window_seconds: 60 });
      const from = talk.newNumber();
      const { messageId } = await stand.emulator.deliverInbound({ from, text: 'tomorow' });
      await stand.emulator.deliverInbound({ from, text: 'tomorrow', edited: messageId });
      assert.deepEqual(talk.sentTo(from), []);
      // The window passes.
      await stand.stack.db.pool.query(
        `update runs set closes_at = closes_at - interval '2 minutes' where state = 'collecting'
           and conversation_id in (select id from conversations where target_id = $1)`,
        [id],
      );
      await until('the reply', () => talk.sentTo(from).length > 0);
      assert.deepEqual(talk.sentTo(from), ['You wrote: tomorrow']);
    });
  });

  describe('human takeover', () => {
    it('pauses the agent for the contact when a human agent writes on the phone, and resumes on request', async () => {
      const { id } = await stand.connected(echo);
      const from = talk.newNumber();
      await stand.emulator.deliverInbound({ from, text: 'hello' });
      await until('the reply', () => talk.sentTo(from).length === 1);
      await stand.emulator.typeOnPhone({ from, text: 'I take over' });
      const paused = await talk.conversationOf(id);
      assert.equal(paused.paused_by, 'phone');
      assert.ok(Date.parse(paused.paused_until!) > Date.now() + 11 * 3_600_000);
      const { answers } = await stand.emulator.deliverInbound({ from, text: 'thanks' });
      assert.equal(answers[0]!.text, 'OK');
      const resumed = await stand.call<{ paused_until?: string }>(
        'POST',
        `/conversations/${paused.id}/resume`,
      );
      assert.equal(resumed.body.paused_until, undefined);
      await stand.emulator.deliverInbound({ from, text: 'are you there' });
      await until('the reply after the pause', () => talk.sentTo(from).length === 2);
      assert.deepEqual(talk.sentTo(from), ['You wrote: hello', 'You wrote: are you there']);
      const messages = await talk.messagesOf(paused.id);
      assert.deepEqual(
        messages.map((one) => [one.text, one.by_person]),
        [
          ['hello', undefined],
          ['You wrote: hello', undefined],
          ['I take over', true],
          ['thanks', undefined],
          ['are you there', undefined],
          ['You wrote: are you there', undefined],
        ],
      );
    });

    it('stops a reply in progress', async () => {
      const { id } = await stand.connected([{ reply: 'too late', delay_ms: 8000 }]);
      const from = talk.newNumber();
      await stand.emulator.deliverInbound({ from, text: 'hello' });
      await until('the run', async () => {
        const [first] = await talk.messagesOf((await talk.conversationOf(id)).id);
        return first?.status === 'processing';
      });
      await stand.call('POST', `/conversations/${(await talk.conversationOf(id)).id}/pause`, { minutes: 5 });
      const conversation = await talk.conversationOf(id);
      await until(
        'the outcome',
        async () => (await talk.messagesOf(conversation.id))[1]?.delivery?.status === 'blocked',
      );
      assert.deepEqual(talk.sentTo(from), []);
    });
  });

  it('accepts the event of older gateways only if the setting allows it', async () => {
    const older = { event: 'message', data: { messageid: 'OLD1', chatid: '553499990009', text: 'hello' } };
    const post = async (url: string) =>
      (await fetch(url, { method: 'POST', body: JSON.stringify(older) })).text();
    assert.equal(await post((await stand.connected(echo)).webhookUrl), 'OK - other event (ignored)');
    const other = await startChannelStand({ GATEWAY_MESSAGE_EVENT: 'true' });
    try {
      assert.equal(await post((await other.connected(echo)).webhookUrl), 'OK');
      await until('the reply', () => other.emulator.sent.some(({ number }) => number === '553499990009'));
    } finally {
      await other.stop();
    }
  });
});
