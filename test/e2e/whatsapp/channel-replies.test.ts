import assert from 'node:assert/strict';
import { useChannelStand, type ChannelStand } from '../../support/channel-stand.ts';
import { channelTalk, echoScript as echo } from '../../support/channel-talk.ts';
import { killDuringReplies, threeParts } from '../../support/reply-kills.ts';
import { until } from '../../support/until.ts';

describe('replies on WhatsApp', () => {
  const shared = useChannelStand();
  let stand: ChannelStand;
  let talk: ReturnType<typeof channelTalk>;
  before(() => {
    stand = shared();
    talk = channelTalk(stand);
  });

  describe('replies', () => {
    const long = threeParts;
    const letters = (number: string) => talk.sentTo(number).map((text) => text[0]);

    it('are sent in parts, in order, with marks and guarded placeholders', async () => {
      await stand.connected([{ when: 'long', reply: long }, { reply: '**{{lead_email}}**' }]);
      const [one, other] = [talk.newNumber(), talk.newNumber()];
      await stand.emulator.deliverInbound({ from: one, text: 'long' });
      await stand.emulator.deliverInbound({ from: other, text: 'x' });
      await until('both', () => talk.sentTo(one).length === 3 && talk.sentTo(other).length === 1);
      assert.deepEqual(letters(one), ['a', 'b', 'c']);
      assert.equal(talk.sentTo(other)[0]!.replaceAll('\u2060', ''), '*{{lead_email}}*');
    });

    for (const fault of ['lost_answer', 'landed_page', 'landed_hang'] as const) {
      it(`are not repeated when the answer is lost after landing (${fault})`, async () => {
        const { id } = await stand.connected([{ reply: long }]);
        const from = talk.newNumber();
        stand.emulator.faults.next('/send/text', fault);
        await stand.emulator.deliverInbound({ from, text: 'x' });
        await until('all parts', () => talk.sentTo(from).length >= 3);
        const conversation = await talk.conversationOf(id);
        await until(
          'the delivery',
          async () => (await talk.messagesOf(conversation.id))[1]?.delivery?.status === 'delivered',
        );
        assert.deepEqual(letters(from), ['a', 'b', 'c']);
      });
    }

    it('never are the scripted model’s note: the run of an agent without a model and a script fails', async () => {
      const { id } = await stand.connected([]);
      const from = talk.newNumber();
      await stand.emulator.deliverInbound({ from, text: 'hello?' });
      const run = await until('the run to fail', async () => {
        const found = await stand.stack.db.knex('runs').where({ agent_id: id, state: 'failed' });
        return (found as { error: string }[])[0];
      });
      assert.match(run.error, /no AI model yet\. Add a model under Models/);
      assert.deepEqual(talk.sentTo(from), []);
    });

    it('are sent again if the gateway clearly has no such message', async () => {
      await stand.connected(echo);
      const from = talk.newNumber();
      stand.emulator.faults.next('/send/text', 'bad_gateway_page');
      await stand.emulator.deliverInbound({ from, text: 'x' });
      await until('the reply', () => talk.sentTo(from).length > 0);
      assert.deepEqual(talk.sentTo(from), ['You wrote: x']);
    });

    it('are `unknown` and not repeated if the gateway cannot be queried', async () => {
      const { id } = await stand.connected(echo);
      const from = talk.newNumber();
      stand.emulator.faults.next('/send/text', 'lost_answer');
      stand.emulator.faults.always('/message/find', 'not_found');
      await stand.emulator.deliverInbound({ from, text: 'x' });
      const conversation = await until('the conversation', () => talk.conversationOf(id));
      await until(
        'the outcome',
        async () => (await talk.messagesOf(conversation.id))[1]?.delivery?.status === 'unknown',
      );
      assert.equal(talk.sentTo(from).length, 1);
    });

    it('fail permanently if the gateway refuses, and show error 463 on the card', async () => {
      const { id } = await stand.connected(echo);
      const from = talk.newNumber();
      stand.emulator.faults.next('/send/text', 'timelock');
      await stand.emulator.deliverInbound({ from, text: 'x' });
      const conversation = await until('the conversation', () => talk.conversationOf(id));
      await until(
        'the outcome',
        async () => (await talk.messagesOf(conversation.id))[1]?.delivery?.status === 'failed',
      );
      assert.equal((await talk.channelOf(id)).last_error!.code, 'timelocked');
      assert.deepEqual(talk.sentTo(from), []);
    });

    it('of a transfer and of a follow-up are sent to the channel too', async () => {
      const second = await stand.agent([{ reply: 'from the second' }]);
      const { body } = await stand.call<{ name: string }>('GET', `/agents/${second}`);
      await stand.connected(
        [
          { when: 'transfer', reply: 'one moment', transfer_to: body.name },
          { on: 'follow_up', reply: 'still there?' },
          { reply: 'ok' },
        ],
        { transfers_to: [second], follow_ups: [{ after_seconds: 1, instructions: 'ask' }] },
      );
      const [one, other] = [talk.newNumber(), talk.newNumber()];
      await stand.emulator.deliverInbound({ from: one, text: 'transfer me' });
      await stand.emulator.deliverInbound({ from: other, text: 'hi' });
      await until('both', () => talk.sentTo(one).length === 2 && talk.sentTo(other).length === 2);
      assert.deepEqual(talk.sentTo(one), ['one moment', 'from the second']);
      assert.deepEqual(talk.sentTo(other), ['ok', 'still there?']);
    });

    it('are sent once, in order and complete, although the worker is killed in the middle', async () => {
      const { twice, outOfOrder, lost, statuses } = await killDuringReplies(stand, {
        kills: 3,
        seed: 20_261_121,
        firstNumber: 5534980000000,
        settleMs: 100_000,
      });
      assert.deepEqual(
        { twice, outOfOrder, lost, statuses },
        {
          twice: 0,
          outOfOrder: 0,
          lost: 0,
          statuses: { delivered: 3 },
        },
      );
    });
  });
});
