import assert from 'node:assert/strict';
import { useChannelStand } from '../support/channel-stand.ts';
import { channelTalk, echoScript } from '../support/channel-talk.ts';
import { until } from '../support/until.ts';

type Written = { id: string; role: string; by_person?: true; delivery?: { status: string } };

describe('A person in the agent’s place', function () {
  this.timeout(120_000);
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

  it('writes through the API: sent once, kept, and the agent is silent until it is resumed', async () => {
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

  it('is followed up by no agent, and neither is a contact whose agent is paused', async () => {
    const script = [{ on: 'follow_up', reply: 'still there?' }, { reply: 'ok' }];
    const followed = { follow_ups: [{ after_seconds: 5, instructions: 'ask' }] };
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

  it('can be there only where a channel is', async () => {
    const { api } = stand().stack;
    const agent = await api.createAgent({ script: [{ reply: 'x' }] });
    const { conversation_id: at } = await api.send(agent.id, { message: 'a' });
    for (const path of ['pause', 'messages']) {
      const body = path === 'pause' ? {} : { text: 'x' };
      assert.equal((await stand().call('POST', `/conversations/${at}/${path}`, body)).status, 409);
    }
    const empty = await stand().call('POST', `/conversations/${at}/messages`, { text: ' ' });
    assert.equal(empty.status, 422);
  });
});
