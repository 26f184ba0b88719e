import assert from 'node:assert/strict';
import { useChannelStand } from '../../support/channel-stand.ts';
import { channelTalk, echoScript, type List } from '../../support/channel-talk.ts';
import { until } from '../../support/until.ts';

type Kept = { role: string; text: string; status?: string; unanswered?: string };
type Limits = { limited?: { limit: string; messages: number }[]; loop_rounds: number | null };

describe('Limits of a channel, through the API', () => {
  const stand = useChannelStand();

  it('take effect, and are visible in the channel, its events and the history', async () => {
    const { call, emulator, stack } = stand();
    const talk = channelTalk(stand());
    const { id } = await stand().connected(echoScript);
    const path = `/agents/${id}/channel`;
    const set = await call<Limits>('PATCH', path, { contact_answers_per_day: 1, loop_rounds: null });
    assert.deepEqual([set.status, set.body.loop_rounds, set.body.limited], [200, null, undefined]);
    for (const wrong of [{ contact_messages_per_minute: 0 }, { loop_rounds: 2 }, { loop_seconds: null }])
      assert.equal((await call('PATCH', path, wrong)).status, 422, JSON.stringify(wrong));
    const from = talk.newNumber();
    await emulator.deliverInbound({ from, text: 'one' });
    await until('the answer', () => talk.sentTo(from).length === 1);
    const { answers } = await emulator.deliverInbound({ from, text: 'two' });
    assert.equal(answers[0]!.text, 'OK');
    const conversation = await talk.conversationOf(id);
    const messages = (await call<List<Kept>>('GET', `/conversations/${conversation.id}/messages`)).body.data;
    assert.deepEqual(
      messages.map(({ text, unanswered }) => [text, unanswered]),
      [
        ['one', undefined],
        ['You wrote: one', undefined],
        ['two', 'contact_day'],
      ],
    );
    const { limited } = (await call<Limits>('GET', path)).body;
    assert.deepEqual(
      limited!.map(({ limit, messages: n }) => [limit, n]),
      [['contact_day', 1]],
    );
    const [event] = (await call<List<{ reason?: string }>>('GET', `${path}/events`)).body.data;
    assert.equal(event!.reason, 'contact_day');

    await call('PATCH', path, { contact_answers_per_day: null, contact_messages_per_minute: 1 });
    const other = talk.newNumber();
    for (const text of ['a', 'b', 'c']) await emulator.deliverInbound({ from: other, text });
    await until('the first answer', () => talk.sentTo(other).length === 1);
    assert.deepEqual(talk.sentTo(other), ['You wrote: a']);
    // A minute passes.
    await stack.db.pool.query(
      `update runs set closes_at = clock_timestamp(), cap_at = clock_timestamp() where state = 'collecting'
         and conversation_id in (select id from conversations where target_id = $1)`,
      [id],
    );
    await until('the answer to the others', () => talk.sentTo(other).length === 2);
    assert.equal(talk.sentTo(other)[1], 'You wrote: b\nc');
  });
});
