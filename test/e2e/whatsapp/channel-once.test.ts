import assert from 'node:assert/strict';
import { join } from 'node:path';
import { freePort } from '../../../src/local/ports.ts';
import { backing } from '../../support/backing.ts';
import { useChannelStand } from '../../support/channel-stand.ts';
import { channelTalk, echoScript } from '../../support/channel-talk.ts';
import { startOwnProcess, type OwnProcess } from '../../support/own-process.ts';
import { until } from '../../support/until.ts';

describe('Repeated WhatsApp messages, and messages that are not a contact’s', () => {
  const stand = useChannelStand();

  const runsOf = async (agentId: string): Promise<number> => {
    const { rows } = await stand().stack.db.pool.query<{ n: number }>(
      `select count(*)::int as n from runs r join conversations c on c.id = r.conversation_id where c.target_id = $1`,
      [agentId],
    );
    return rows[0]!.n;
  };

  describe('with a second API process', () => {
    let second: OwnProcess;
    let port: number;
    before(async () => {
      port = await freePort();
      const { folder } = await backing();
      second = await startOwnProcess(
        'api',
        { ...stand().stack.env, PORT: String(port) },
        join(folder, `second-api-${port}.log`),
      );
    });
    after(() => second.kill());

    it('a message delivered 1,000 times, 50 at a time, through both causes one run and one reply', async () => {
      const { emulator, connected } = stand();
      const talk = channelTalk(stand());
      const { id, webhookUrl } = await connected(echoScript);
      const other = new URL(webhookUrl);
      other.port = String(port);
      emulator.setWebhook({ url: webhookUrl });
      emulator.state.webhooks.push({ ...emulator.state.webhooks[0]!, url: other.href });
      const from = talk.newNumber();
      const { answers } = await emulator.deliverInbound(
        { from, text: 'once' },
        { copies: 500, inFlight: 50 },
      );
      assert.equal(answers.length, 1000);
      for (const url of [webhookUrl, other.href])
        assert.equal(answers.filter((one) => one.url === url && one.status === 200).length, 500);
      assert.equal(answers.filter((one) => one.text === 'OK').length, 1);
      assert.equal(answers.filter((one) => one.text === 'OK - duplicate (ignored)').length, 999);
      const conversation = await until('the conversation', () => talk.conversationOf(id));
      await until(
        'the delivery',
        async () => (await talk.messagesOf(conversation.id))[1]?.delivery?.status === 'delivered',
      );
      assert.deepEqual(talk.sentTo(from), ['You wrote: once']);
      assert.equal(await runsOf(id), 1);
      assert.equal((await talk.messagesOf(conversation.id)).length, 2);
    });
  });

  it('answers none of 200 messages of groups, of broadcasts, of its owner or of its own', async () => {
    const { emulator, connected } = stand();
    const talk = channelTalk(stand());
    const { id, webhookUrl } = await connected(echoScript);
    emulator.setWebhook({ url: webhookUrl, excludeMessages: [] });
    const kinds = [
      { group: true },
      { chatid: 'status@broadcast' },
      { fromMe: true },
      { fromMe: true, wasSentByApi: true },
    ] as const;
    const others: string[] = [];
    for (let round = 0; round < 50; round += 1) {
      for (const kind of kinds) {
        const from = talk.newNumber();
        others.push(from);
        const { answers } = await emulator.deliverInbound({ from, text: 'x', ...kind });
        assert.match(answers[0]!.text, /^OK - .* \(ignored\)$/);
      }
    }
    // If one of them had started a run, it would be in progress before this one's answer.
    const customer = talk.newNumber();
    await emulator.deliverInbound({ from: customer, text: 'real' });
    await until('the reply', () => talk.sentTo(customer).length > 0);
    assert.deepEqual(
      others.flatMap((number) => talk.sentTo(number)),
      [],
    );
    const { rows } = await stand().stack.db.pool.query<{ n: number }>(
      `select count(*)::int as n from deliveries d join conversations c on c.id = d.conversation_id where c.target_id = $1`,
      [id],
    );
    assert.equal(rows[0]!.n, 1);
  });

  it('refuses a message while the database is down, and accepts the gateway’s retry', async () => {
    const { emulator, connected, stack } = stand();
    const talk = channelTalk(stand());
    const { webhookUrl } = await connected(echoScript);
    const from = talk.newNumber();
    emulator.setWebhook({ url: webhookUrl });
    await stack.postgresLine.cut();
    const { messageId, answers } = await emulator.deliverInbound({ from, text: 'later' });
    assert.equal(answers[0]!.status, 503);
    await stack.postgresLine.restore();
    const again = await until('the message to be taken', async () => {
      const delivered = await emulator.deliverInbound({ from, text: 'later', messageId });
      return delivered.answers[0]!.status === 200 && delivered.answers[0]!;
    });
    assert.equal(again.text, 'OK');
    await until('the reply', () => talk.sentTo(from).length > 0);
    assert.deepEqual(talk.sentTo(from), ['You wrote: later']);
  });
});
