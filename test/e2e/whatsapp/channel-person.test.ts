import assert from 'node:assert/strict';
import { useChannelStand } from '../../support/channel-stand.ts';
import { channelTalk, echoScript } from '../../support/channel-talk.ts';
import { signIn } from '../../support/console-person.ts';
import { until } from '../../support/until.ts';

type Written = {
  id: string;
  role: string;
  by_person?: true;
  responding_agent_name?: string;
  delivery?: { status: string };
};

describe('A human agent', () => {
  const stand = useChannelStand();

  async function conversation(script: unknown[] = echoScript, more = {}) {
    const talk = channelTalk(stand());
    const { id } = await stand().connected(script, more);
    const from = talk.newNumber();
    await stand().emulator.deliverInbound({ from, text: 'hello' });
    await until('the reply', () => talk.sentTo(from).length === 1);
    const found = await talk.conversationOf(id);
    return { talk, from, id, conversation: found.id };
  }

  it('writes through the API: sent once, stored, and the agent is paused until it is resumed', async () => {
    const { talk, from, id, conversation: at } = await conversation();
    const written = await stand().call<Written>('POST', `/conversations/${at}/messages`, {
      text: '**Ana** here',
      pause_minutes: 5,
    });
    assert.deepEqual([written.status, written.body.by_person], [201, true]);
    await until('the message', () => talk.sentTo(from).length === 2);
    assert.equal(talk.sentTo(from)[1], '*Ana* here');
    const paused = await talk.conversationOf(id);
    assert.equal(paused.paused_by, 'api');
    assert.ok(Date.parse(paused.paused_until!) < Date.now() + 6 * 60_000);
    await stand().emulator.deliverInbound({ from, text: 'thanks' });
    await stand().call('POST', `/conversations/${at}/resume`);
    await stand().emulator.deliverInbound({ from, text: 'next' });
    await until('the agent', () => talk.sentTo(from).length === 3);
    assert.deepEqual(talk.sentTo(from), ['You wrote: hello', '*Ana* here', 'You wrote: next']);
    const messages = await until('the deliveries', async () => {
      const all = await talk.messagesOf(at);
      return all.filter((one) => one.delivery?.status === 'delivered').length === 3 && all;
    });
    assert.deepEqual(
      messages.map((one) => [one.text, one.by_person ?? false]),
      [
        ['hello', false],
        ['You wrote: hello', false],
        ['**Ana** here', true],
        ['thanks', false],
        ['next', false],
        ['You wrote: next', false],
      ],
    );
  });

  it('pauses the agent for the channel’s pause_minutes; the agent answers again afterwards', async () => {
    const {
      talk,
      from,
      id,
      conversation: at,
    } = await conversation([{ when: 'and now', reply: 'I am back' }, ...echoScript]);
    const edited = await stand().call('PATCH', `/agents/${id}/channel`, { pause_minutes: 30 });
    assert.equal(edited.status, 200);
    await stand().emulator.typeOnPhone({ from, text: 'I take over' });
    const minutes = (Date.parse((await talk.conversationOf(id)).paused_until!) - Date.now()) / 60_000;
    assert.ok(minutes > 28 && minutes <= 30, String(minutes));
    await stand().emulator.deliverInbound({ from, text: 'thank you' });
    await stand().stack.db.pool.query(
      `update conversations set paused_until = clock_timestamp() where id = $1`,
      [at],
    );
    assert.equal((await talk.conversationOf(id)).paused_until, undefined);
    await stand().emulator.deliverInbound({ from, text: 'and now?' });
    await until('the agent', () => talk.sentTo(from).length === 2);
    assert.deepEqual(talk.sentTo(from), ['You wrote: hello', 'I am back']);
  });

  it('takes over in the console, which the conversation shows with their name', async () => {
    const { stack } = stand();
    const { talk, from, id, conversation: at } = await conversation();
    const person = await signIn(stack);
    const inConsole = async (path: string, body: object) => {
      const answer = await person.call('POST', `/conversations/${at}/${path}`, body);
      assert.ok(answer.status < 300, JSON.stringify(answer.body));
      return answer.body as Written;
    };
    const whom = async () => {
      const { paused_by, paused_by_name } = await talk.conversationOf(id);
      return [paused_by, paused_by_name];
    };
    const written = await inConsole('messages', { text: 'Good evening' });
    assert.deepEqual([written.by_person, written.responding_agent_name], [true, 'Administrator']);
    await until('the message', () => talk.sentTo(from).length === 2);
    assert.deepEqual(await whom(), ['console', 'Administrator']);
    await stand().call('POST', `/conversations/${at}/resume`);
    assert.deepEqual(await whom(), [undefined, undefined]);
    await inConsole('pause', {});
    assert.deepEqual(await whom(), ['console', 'Administrator']);
    await stand().emulator.typeOnPhone({ from, text: 'and on the phone' });
    assert.deepEqual(await whom(), ['phone', undefined]);
  });

  it('sends files: a document with its name and the text as its caption, a voice file without', async () => {
    const { from, conversation: at } = await conversation();
    const content = Buffer.from('%PDF-1.4').toString('base64');
    const send = async (body: object) => {
      assert.equal((await stand().call('POST', `/conversations/${at}/messages`, body)).status, 201);
    };
    await send({
      text: 'Your invoice',
      attachments: [{ content_base64: content, filename: 'invoice.pdf', content_type: 'application/pdf' }],
    });
    await send({ attachments: [{ content_base64: content, content_type: 'audio/ogg' }] });
    const media = await until('both files', () => {
      const found = stand().emulator.sent.filter((one) => one.number === from && one.path === '/send/media');
      return found.length === 2 && found;
    });
    const [first, second] = media.map(({ body }) => body);
    assert.deepEqual(
      [first!['type'], first!['docName'], first!['text'], first!['file']],
      ['document', 'invoice.pdf', 'Your invoice', content],
    );
    assert.deepEqual([second!['type'], second!['text']], ['audio', undefined]);
  });

  for (const refusal of ['too_large', 'unsupported_media'] as const) {
    it(`is sent a link instead of a file that the gateway refuses (${refusal})`, async () => {
      const { talk, from, conversation: at } = await conversation();
      const content = Buffer.from('%PDF-1.4 a file that is refused');
      stand().emulator.faults.always('/send/media', refusal);
      const { status } = await stand().call('POST', `/conversations/${at}/messages`, {
        text: 'Your invoice',
        attachments: [
          {
            content_base64: content.toString('base64'),
            filename: 'invoice {{name}}.pdf',
            content_type: 'application/pdf',
          },
        ],
      });
      assert.equal(status, 201);
      await until('the link', () => talk.sentTo(from).length === 2);
      const [caption, line = ''] = talk.sentTo(from)[1]!.split('\n');
      assert.equal(caption, 'Your invoice');
      assert.match(line.replaceAll('\u2060', ''), /^invoice \{\{name\}\}\.pdf: http/);
      const link = line.slice(line.indexOf('http'));
      const answer = await fetch(link);
      assert.deepEqual(Buffer.from(await answer.arrayBuffer()), content);
      assert.equal(answer.headers.get('content-type'), 'application/pdf');
      assert.match(answer.headers.get('content-disposition')!, /^attachment; filename=/);
      assert.match(answer.headers.get('content-security-policy')!, /sandbox/);
      const delivered = await until('the delivery', async () => {
        const last = (await talk.messagesOf(at)).at(-1);
        return last?.delivery?.status === 'delivered' && last;
      });
      assert.equal(delivered.text, 'Your invoice');
    });
  }

  it('gets no follow-up, and neither does a contact whose agent is paused', async () => {
    const script = [{ on: 'follow_up', reply: 'still there?' }, { reply: 'ok' }];
    const followed = { follow_ups: [{ after_seconds: 15, instructions: 'ask' }] };
    const one = await conversation(script, followed);
    await stand().call('POST', `/conversations/${one.conversation}/messages`, { text: 'I am here' });
    const other = await conversation(script, followed);
    const pause = await stand().call('POST', `/conversations/${other.conversation}/pause`, {});
    assert.equal(pause.status, 200);
    const unpaused = await conversation(script, followed);
    await until('the follow-up of a third', () => unpaused.talk.sentTo(unpaused.from).length === 2);
    assert.equal(one.talk.sentTo(one.from).includes('still there?'), false);
    assert.equal(other.talk.sentTo(other.from).includes('still there?'), false);
  });

  it('must write a text, unless there are files', async () => {
    const { conversation: at } = await conversation();
    const empty = await stand().call('POST', `/conversations/${at}/messages`, { text: ' ' });
    assert.equal(empty.status, 422);
  });

  it('is asked for by the agent, whose last text is sent; then nothing of the agent until it is resumed', async () => {
    const reason = 'Wants a human';
    const tool = { action: 'hand_over_to_person', input: { reason } };
    const script = [{ when: 'human', reply: 'One moment.', tool }, ...echoScript];
    const { talk, from, id, conversation: at } = await conversation(script, { may_hand_over: true });
    await stand().emulator.deliverInbound({ from, text: 'a human, please' });
    await until('the last text', () => talk.sentTo(from).length === 2);
    assert.equal((await talk.conversationOf(id)).paused_by, 'agent');
    await stand().emulator.deliverInbound({ from, text: 'hello?' });
    await stand().call('POST', `/conversations/${at}/messages`, { text: 'Ana here' });
    await until('the person', () => talk.sentTo(from).length === 3);
    await stand().call('POST', `/conversations/${at}/resume`);
    await stand().emulator.deliverInbound({ from, text: 'next' });
    await until('the agent', () => talk.sentTo(from).length === 4);
    assert.deepEqual(talk.sentTo(from), ['You wrote: hello', 'One moment.', 'Ana here', 'You wrote: next']);
  });
});
