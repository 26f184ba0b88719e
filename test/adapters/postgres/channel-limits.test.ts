/** Limits of a WhatsApp channel: each acts, is reported on the channel, and loses no message. */
import assert from 'node:assert/strict';
import { conversationIn, openChannelGround, type ChannelGround } from '../../support/channel-ground.ts';

describe('Limits of a WhatsApp channel', () => {
  let ground: ChannelGround;
  let agent: string;
  let number = 0;
  before(async () => {
    ground = await openChannelGround();
  });
  after(() => ground.close());
  beforeEach(async () => {
    agent = await ground.newAgent();
  });

  const limit = (set: string) => ground.rows(`update channels set ${set} where agent_id = $1`, agent);
  const someone = () => ({ phone: `55114000${10_000 + ++number}` });
  const write = (who: { phone: string }, text = 'hello') =>
    ground.write(agent, who, { text, sentAtMs: Date.now() });
  const unanswered = async (conversation: string) =>
    (
      await ground.rows<{ unanswered: string | null }>(
        `select unanswered from messages where conversation_id = $1 and origin = 'user' order by seq`,
        conversation,
      )
    ).map((one) => one.unanswered);
  const answer = async (conversation: string) => {
    await ground.answer(conversation);
    await ground.rows(`update deliveries set status = 'delivered' where conversation_id = $1`, conversation);
  };
  /** Moves the messages of a conversation into the past. */
  const age = (conversation: string, seconds: number) =>
    ground.rows(
      `update messages set created_at = created_at - make_interval(secs => $2) where conversation_id = $1`,
      conversation,
      seconds,
    );

  it('messages per minute of a contact: those over the limit are stored, and answered together after the minute', async () => {
    await limit('contact_messages_per_minute = 3');
    const who = someone();
    const conversation = conversationIn(await write(who, 'm0'));
    for (let n = 1; n < 8; n++) assert.equal((await write(who, `m${n}`)).outcome, 'accepted');
    const runs = await ground.rows<{ state: string; message_count: number; seconds: number }>(
      `select state, message_count, extract(epoch from closes_at - clock_timestamp())::float8 as seconds from runs
         where conversation_id = $1 order by ordinal`,
      conversation,
    );
    assert.deepEqual(
      runs.map((run) => [run.state, run.message_count]),
      [
        ['ready', 1],
        ['ready', 1],
        ['ready', 1],
        ['collecting', 5],
      ],
    );
    assert.ok(runs[3]!.seconds > 30 && runs[3]!.seconds <= 60, String(runs[3]!.seconds));
    const events = await ground.rows<{ reason: string | null }>(
      'select reason from gateway_events where agent_id = $1 order by id',
      agent,
    );
    assert.deepEqual(
      events.map(({ reason }) => reason),
      [null, null, null, ...Array<string>(5).fill('contact_minute')],
    );
    const other = someone();
    assert.equal((await write(other)).outcome, 'accepted');
  });

  it('messages per minute of the whole channel', async () => {
    await limit('channel_messages_per_minute = 4');
    for (let n = 0; n < 4; n++) await write(someone());
    const conversation = conversationIn(await write(someone()));
    const [run] = await ground.rows<{ state: string }>(
      'select state from runs where conversation_id = $1',
      conversation,
    );
    assert.equal(run!.state, 'collecting');
  });

  it('answers per day of a contact, and of the channel: messages are stored without an answer, with the reason', async () => {
    await limit('contact_answers_per_day = 2, channel_answers_per_day = 3');
    const who = someone();
    let conversation = '';
    for (let n = 0; n < 2; n++) {
      conversation = conversationIn(await write(who));
      await answer(conversation);
    }
    assert.equal((await write(who)).outcome, 'stored');
    assert.deepEqual(await unanswered(conversation), [null, null, 'contact_day']);
    const third = conversationIn(await write(someone()));
    await answer(third);
    const fourth = await write(someone());
    assert.equal(fourth.outcome, 'stored');
    assert.deepEqual(await unanswered(conversationIn(fourth)), ['channel_day']);
    await limit('channel_answers_per_day = null');
    assert.equal((await write(someone())).outcome, 'accepted');
  });

  it('two bots that answer each other: paused after so many quick rounds; a slow customer is not', async () => {
    await limit('loop_rounds = 4, contact_messages_per_minute = null');
    const [bot, customer] = [someone(), someone()];
    let at = '';
    for (let round = 0; round < 4; round++) {
      at = conversationIn(await write(bot, 'thank you for your message'));
      await answer(at);
    }
    const stopped = await write(bot, 'thank you for your message');
    assert.equal(stopped.outcome, 'stored');
    assert.deepEqual((await unanswered(at)).slice(-1), ['loop']);
    const [paused] = await ground.rows<{ paused_by: string }>(
      'select paused_by from conversations where id = $1 and paused_until > now()',
      at,
    );
    assert.equal(paused!.paused_by, 'loop');
    for (let round = 0; round < 8; round++) {
      const outcome = await write(customer);
      assert.equal(outcome.outcome, 'accepted');
      await answer(conversationIn(outcome));
      await age(conversationIn(outcome), 20);
    }
  });
});
