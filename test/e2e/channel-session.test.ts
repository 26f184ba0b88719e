import assert from 'node:assert/strict';
import { useChannelStand } from '../support/channel-stand.ts';
import { channelTalk, echoScript } from '../support/channel-talk.ts';
import { until } from '../support/until.ts';

describe('The watch over WhatsApp sessions', function () {
  this.timeout(120_000);
  const stand = useChannelStand();

  /** What minutes would bring. */
  const advance = async (agentId: string, set: string) => {
    await stand().stack.db.pool.query(`update channels set ${set} where agent_id = $1`, [agentId]);
  };

  it('shows the session with its reason, tells of a long absence once, and of nothing once it is back', async () => {
    const { emulator, call, stack } = stand();
    const talk = channelTalk(stand());
    const { id } = await stand().connected(echoScript);
    const alerts = `/alert-${id}`;
    const url = stack.receiver.url(alerts);
    const edited = await call('PATCH', `/agents/${id}/channel`, { alert_url: url, alert_after_minutes: 10 });
    assert.equal(edited.status, 200);
    assert.equal((await talk.channelOf(id)).session!.status, 'connected');

    emulator.setSession('disconnected', '401: logged out from another device');
    const down = await until('the session to be seen down', async () => {
      // Again and again: a look that began before the session went sets the next one minutes away.
      await advance(id, 'next_check_at = now()');
      const channel = await talk.channelOf(id);
      return channel.session?.down_since !== undefined && channel;
    });
    assert.equal(down.state, 'connected', 'the connection itself has no such transition');
    assert.equal(down.session!.status, 'disconnected');
    assert.equal(down.session!.reason, '401: logged out from another device');
    assert.equal(down.last_error!.code, 'session_down');
    assert.match(down.last_error!.message, /Scan the QR code/);

    await advance(id, `down_since = now() - interval '11 minutes'`);
    const [alert] = await stack.receiver.waitFor(alerts, 1);
    const said = JSON.parse(alert!.body) as Record<string, string>;
    assert.deepEqual(
      [said['event'], said['agent_id'], said['status'], said['reason']],
      ['channel.session_down', id, 'disconnected', '401: logged out from another device'],
    );
    await advance(id, 'next_check_at = now(), live_checked_at = null');
    await until('another look', async () => (await talk.channelOf(id)).session?.down_since !== undefined);
    assert.equal(stack.receiver.requestsTo(alerts).length, 1);

    emulator.setSession('connected');
    const back = await until('the session to be seen back', async () => {
      await advance(id, 'next_check_at = now()');
      const channel = await talk.channelOf(id);
      return channel.session?.status === 'connected' && channel;
    });
    assert.deepEqual([back.session!.down_since, back.last_error], [undefined, undefined]);
  });

  it('holds replies while the session is down, and sends them in order when it is back', async () => {
    const { emulator } = stand();
    const talk = channelTalk(stand());
    const { id } = await stand().connected(echoScript);
    const from = talk.newNumber();
    emulator.faults.next('/send/text', 'no_session');
    await emulator.deliverInbound({ from, text: 'one' });
    const conversation = await until('the conversation', () => talk.conversationOf(id));
    await until('the reply to be held', async () => {
      const { rows } = await stand().stack.db.pool.query<{ status: string }>(
        'select status from gateway_sends where agent_id = $1',
        [id],
      );
      return rows[0]?.status === 'retry';
    });
    assert.equal((await talk.messagesOf(conversation.id))[1]!.delivery!.status, 'pending');
    assert.deepEqual(talk.sentTo(from), []);
    assert.equal(
      (await talk.channelOf(id)).last_error,
      undefined,
      'a session that is down is no wrong token',
    );
    await until('the reply', () => talk.sentTo(from).length === 1, 60_000);
    assert.deepEqual(talk.sentTo(from), ['You wrote: one']);
  });

  it('asks nobody any more once the token is refused, says so on the card, and sends after an edit', async () => {
    const { emulator, call } = stand();
    const talk = channelTalk(stand());
    const { id } = await stand().connected(echoScript);
    const from = talk.newNumber();
    emulator.faults.next('/send/text', 'invalid_token');
    await emulator.deliverInbound({ from, text: 'one' });
    await until('the card', async () => {
      return (await talk.channelOf(id)).last_error?.code === 'invalid_credentials';
    });
    const asked = () => emulator.state.requests.filter((one) => one.path === '/send/text').length;
    const before = asked();
    const edited = await call('PATCH', `/agents/${id}/channel`, talk.form());
    assert.equal(edited.status, 200);
    await until('the reply', () => talk.sentTo(from).length === 1, 60_000);
    assert.equal(asked(), before + 1);
  });
});
