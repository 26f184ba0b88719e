import assert from 'node:assert/strict';
import { v7 as newId } from 'uuid';
import { useChannelStand } from '../../support/channel-stand.ts';
import { channelTalk, echoScript, type List } from '../../support/channel-talk.ts';
import { until } from '../../support/until.ts';

type Alert = {
  event: string;
  url: string;
  status: string;
  http_status?: number;
  agent_id?: string;
  conversation_id?: string;
};

describe('Checks of WhatsApp sessions', () => {
  const stand = useChannelStand();

  /** Moves time forward by minutes. */
  const advance = async (agentId: string, set: string) => {
    await stand().stack.db.pool.query(`update channels set ${set} where agent_id = $1`, [agentId]);
  };

  it('show a session that is down with its reason, and alert once if it stays down', async () => {
    const { emulator, call, stack } = stand();
    const talk = channelTalk(stand());
    const { id } = await stand().connected(echoScript);
    const alerts = `/alert-${id}`;
    const url = stack.receiver.url(alerts);
    const edited = await call('PATCH', `/agents/${id}/channel`, { alert_url: url, alert_after_minutes: 10 });
    assert.equal(edited.status, 200);
    assert.equal((await talk.channelOf(id)).session!.status, 'connected');
    assert.equal((await talk.channelOf(id)).last_inbound_at, undefined);
    await emulator.deliverInbound({ from: talk.newNumber(), text: 'x' });
    const inbound = Date.parse((await talk.channelOf(id)).last_inbound_at!);
    assert.ok(Math.abs(Date.now() - inbound) < 60_000);

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
    const logged = await alertsOf(id);
    assert.deepEqual(
      logged.map(({ event, url: to, status, http_status, conversation_id }) => [
        event,
        to,
        status,
        http_status,
        conversation_id,
      ]),
      [['channel.session_down', url, 'delivered', 200, undefined]],
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

  it('alert although the token of another channel cannot be decrypted', async () => {
    const { emulator, call, stack } = stand();
    const talk = channelTalk(stand());
    const broken = await stand().connected(echoScript);
    const whole = await stand().connected(echoScript);
    await stand().share(broken.id);
    const alerts = `/alert-${whole.id}`;
    const alerting = { alert_url: stack.receiver.url(alerts), alert_after_minutes: 10 };
    assert.equal((await call('PATCH', `/agents/${whole.id}/channel`, alerting)).status, 200);
    // Stays due, because no check of it succeeds.
    await advance(broken.id, `instance_token = webhook_secret, next_check_at = now() - interval '1 hour'`);
    emulator.setSession('disconnected', 'phone is off');
    await until('the session to be seen down', async () => {
      await advance(whole.id, 'next_check_at = now()');
      return (await talk.channelOf(whole.id)).session?.down_since !== undefined;
    });
    await advance(whole.id, `down_since = now() - interval '11 minutes'`);
    await stack.receiver.waitFor(alerts, 1);
    emulator.setSession('connected');
    await advance(broken.id, 'next_check_at = null');
  });

  /** Returns the delivery log of this agent's channel, once each delivery has its outcome. */
  const alertsOf = async (agentId: string) =>
    await until('the outcome of each alert', async () => {
      const { body } = await stand().call<List<Alert>>('GET', '/deliveries?limit=100');
      const found = body.data.filter((one) => one.agent_id === agentId);
      return found.length > 0 && found.every(({ status }) => !/pending|attempting/.test(status)) && found;
    });

  it('alert once for a number that may start no new chats, and log the outcome of the alert', async () => {
    const { emulator, call, stack } = stand();
    const talk = channelTalk(stand());
    const { id } = await stand().connected(echoScript);
    const alerts = `/alert-${id}`;
    stack.receiver.behave(alerts, { status: 500 });
    const url = stack.receiver.url(alerts);
    assert.equal((await call('PATCH', `/agents/${id}/channel`, { alert_url: url })).status, 200);
    emulator.faults.always('/send/text', 'timelock');
    for (let round = 0; round < 3; round += 1)
      await emulator.deliverInbound({ from: talk.newNumber(), text: 'x' });
    await until('every reply to have failed', async () => {
      const { body } = await call<List<Alert>>('GET', '/deliveries?status=failed&limit=100');
      const { body: mine } = await call<List<{ id: string }>>('GET', `/conversations?agent_id=${id}`);
      const ids = mine.data.map((one) => one.id);
      return body.data.filter(({ conversation_id: at = '' }) => ids.includes(at)).length === 3;
    });
    const logged = await alertsOf(id);
    assert.deepEqual(
      logged.map(({ event, status, http_status }) => [event, status, http_status]),
      [['channel.timelocked', 'failed', 500]],
    );
    const requests = stack.receiver.requestsTo(alerts);
    assert.equal(requests.length, 1);
    const said = JSON.parse(requests[0]!.body) as Record<string, string>;
    assert.deepEqual(
      [said['event'], said['agent_id'], said['until']],
      ['channel.timelocked', id, '2030-01-01T12:00:00.000Z'],
    );
    assert.match(said['reason']!, /463/);
    const channel = await talk.channelOf(id);
    assert.deepEqual(
      [channel.last_error!.code, channel.timelocked_until],
      ['timelocked', '2030-01-01T12:00:00.000Z'],
    );
    // A look at the session, which is well, does not wipe it from the card.
    const { body: seen } = await call<{ session: { checked_at: string } }>('GET', `/agents/${id}/channel`);
    await until('another look', async () => {
      await advance(id, 'next_check_at = now()');
      const { body } = await call<{ session: { checked_at: string } }>('GET', `/agents/${id}/channel`);
      return body.session.checked_at > seen.session.checked_at;
    });
    assert.equal((await talk.channelOf(id)).last_error!.code, 'timelocked');
    assert.equal(stack.receiver.requestsTo(alerts).length, 1);
  });

  it('never post an alert again whose process died while posting it', async () => {
    const { stack } = stand();
    const { id } = await stand().connected(echoScript);
    const alerts = `/alert-${id}`;
    // Inserts the alert as that process left it: claimed a minute ago.
    await stack.db.pool.query(
      `insert into deliveries (id, organization_id, agent_id, of_agent_id, event, kind, url, request_body, status, attempted_at)
         values ($4, $1, $2, $2, 'channel.session_down', 'alert', $3, '{}', 'attempting', now() - interval '1 minute')`,
      [stack.organizationId, id, stack.receiver.url(alerts), newId()],
    );
    assert.deepEqual(
      (await alertsOf(id)).map(({ status }) => status),
      ['unknown'],
    );
    assert.equal(stack.receiver.requestsTo(alerts).length, 0);
  });

  it('hold replies while the session is down; they are sent in order once it is up', async () => {
    const { emulator } = stand();
    const talk = channelTalk(stand());
    const { id } = await stand().connected(echoScript);
    const from = talk.newNumber();
    emulator.faults.always('/send/text', 'no_session');
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
    // The state after many checks of the session: the gateway's first failure is retried nevertheless.
    await stand().stack.db.pool.query(
      `update gateway_sends set attempts = attempts + 20 where agent_id = $1`,
      [id],
    );
    emulator.faults.clear();
    emulator.faults.next('/send/text', 'server_error');
    await until('the reply', () => talk.sentTo(from).length === 1);
    assert.deepEqual(talk.sentTo(from), ['You wrote: one']);
  });

  it('stop calling the gateway once it refuses the token, show that on the card, and send replies after an edit', async () => {
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
    await until('the reply', () => talk.sentTo(from).length === 1);
    assert.equal(asked(), before + 1);
  });
});
