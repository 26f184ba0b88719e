import assert from 'node:assert/strict';
import { startChannelStand, type ChannelStand } from '../../support/channel-stand.ts';
import { channelTalk } from '../../support/channel-talk.ts';
import { until } from '../../support/until.ts';

const perMinute = 4;

describe('The pace of replies on WhatsApp', () => {
  let stand: ChannelStand;
  before(async () => {
    stand = await startChannelStand({ GATEWAY_PACE: 'person', GATEWAY_SENDS_PER_MINUTE: String(perMinute) });
  });
  after(() => stand.stop());

  const presencesOf = (number: string) =>
    stand.emulator.state.presences.filter((one) => one.number === number).map(({ kind }) => kind);

  it('shows typing during the model call, until the reply is sent or the model fails', async () => {
    const talk = channelTalk(stand);
    const failing = { when: 'fail', fail: { message: 'no', retryable: false }, delay_ms: 1500 };
    await stand.connected([failing, { reply: 'here you are', delay_ms: 2500 }]);
    const [one, other] = [talk.newNumber(), talk.newNumber()];
    await stand.emulator.deliverInbound({ from: one, text: 'hello' });
    await until('typing', () => presencesOf(one).length > 0);
    assert.deepEqual(talk.sentTo(one), [], 'before the reply');
    await until('the reply', () => talk.sentTo(one).length === 1);
    // The second before the reply is claimed, for as long as a person would type it.
    assert.deepEqual(presencesOf(one), ['composing', 'composing']);
    assert.ok(
      stand.emulator.sent.every(({ body }) => !('delay' in body)),
      'no reply waits at the gateway',
    );
    await stand.emulator.deliverInbound({ from: other, text: 'fail' });
    await until('the end of typing', () => presencesOf(other).includes('paused'));
    assert.deepEqual(presencesOf(other), ['composing', 'paused']);
  });

  it('is limited per minute and instance, whichever agent sends; further sends wait', async () => {
    const talk = channelTalk(stand);
    const { pool } = stand.stack.db;
    const first = await stand.connected([{ reply: 'one' }]);
    const second = await stand.connected([{ reply: 'two' }]);
    await stand.share(first.id);
    // The minute before is nearly over.
    const begun = Date.now();
    await pool.query(
      `update paces set slots = array_fill(now() - interval '57 seconds', array[${perMinute}])`,
    );
    const sentBefore = stand.emulator.sent.length;
    for (const { webhookUrl } of [first, second, first, second, first, second]) {
      stand.emulator.setWebhook({ url: webhookUrl });
      await stand.emulator.deliverInbound({ from: talk.newNumber(), text: 'x' });
    }
    const sent = await until('as many as may leave', () => {
      const found = stand.emulator.sent.slice(sentBefore);
      return found.length === perMinute && found;
    });
    assert.ok(
      sent.every(({ atMs }) => atMs > begun + 2900),
      'none before the minute was over',
    );
    const waiting = await until('the others to wait by their workflows', async () => {
      const { rows } = await pool.query<{ id: string }>(
        `select conversation_id as id from deliveries where status = 'pending'`,
      );
      return rows.length === 2 && rows;
    });
    for (const { id } of waiting) {
      const workflow = stand.stack.temporal.client.workflow.getHandle(`conversation/${id}`);
      await until('its timer', async () => {
        const { events } = await workflow.fetchHistory();
        return events?.some(({ userMetadata: said }) =>
          Buffer.from(said?.summary?.data ?? '')
            .toString()
            .includes('reply waits: sends a minute'),
        );
      });
    }
    assert.equal(stand.emulator.sent.length, sentBefore + perMinute);
  });
});
