import assert from 'node:assert/strict';
import { useChannelStand, type ChannelStand } from '../../support/channel-stand.ts';
import { channelTalk, echoScript as echo, type Channel } from '../../support/channel-talk.ts';
import { until } from '../../support/until.ts';

/** The latest error stays on the card; it is no part of the state. */
const errorOf = ({ last_error }: Channel) => (last_error === undefined ? {} : { last_error });

describe('connection of the WhatsApp channel', () => {
  const shared = useChannelStand();
  let stand: ChannelStand;
  let talk: ReturnType<typeof channelTalk>;
  before(() => {
    stand = shared();
    talk = channelTalk(stand);
  });

  describe('connection, through a kill of worker and API between the steps', () => {
    let id: string;
    let url: string | undefined;
    before(async () => {
      id = await stand.agent(echo);
    });

    it('starts as not connected, and allows only connecting', async () => {
      assert.deepEqual(await talk.channelOf(id), { state: 'not_connected' });
      for (const step of ['verify', 'disconnect']) {
        assert.equal((await stand.call('POST', `/agents/${id}/channel/${step}`)).status, 409);
      }
      assert.equal((await stand.call('PATCH', `/agents/${id}/channel`, talk.form())).status, 409);
    });

    it('reports invalid credentials on the gateway’s 401 and 403, and changes nothing', async () => {
      for (const fault of ['invalid_token', 'forbidden'] as const) {
        // Until cleared: the watch over the channels of other tests asks the same, and would meet it in our place.
        stand.emulator.faults.always('/instance/status', fault);
        const answer = await stand.call<{ code: string }>('PUT', `/agents/${id}/channel`, talk.form());
        stand.emulator.faults.clear();
        assert.deepEqual([answer.status, answer.body.code], [422, 'invalid_credentials']);
      }
      await stand.kill('api', 'worker');
      assert.deepEqual(await talk.channelOf(id), {
        state: 'not_connected',
        ...errorOf(await talk.channelOf(id)),
      });
    });

    it('reports a refused address by its field, and distinguishes an unreachable gateway from wrong credentials', async () => {
      for (const base_url of [
        'http://10.0.0.1',
        'http://gateway.example.com',
        'http://93.184.215.14/base',
        'https://127.0.0.2.nip.io.invalid:1/?a',
        'ftp://x.test',
        'https://a:b@x.test',
      ]) {
        const { status, body } = await stand.call<{ code: string; details: { path: string }[] }>(
          'PUT',
          `/agents/${id}/channel`,
          { ...talk.form(), base_url },
        );
        assert.deepEqual(
          [status, body.code, body.details[0]?.path],
          [422, 'validation_failed', 'base_url'],
          base_url,
        );
      }
      stand.emulator.faults.always('/instance/status', 'server_error');
      const answer = await stand.call<{ code: string }>('PUT', `/agents/${id}/channel`, talk.form());
      assert.deepEqual([answer.status, answer.body.code], [502, 'gateway_unreachable']);
    });

    it('continues with the webhook step if the status call succeeds, whether the session is live or not', async () => {
      stand.emulator.setSession('disconnected');
      const { status, body } = await stand.call<Channel>('PUT', `/agents/${id}/channel`, {
        ...talk.form(),
        base_url: `${stand.emulator.url}//`,
      });
      assert.equal(status, 200);
      assert.equal(body.state, 'awaiting_webhook');
      assert.equal(body.base_url, stand.emulator.url);
      assert.match(body.webhook_url!, new RegExp(`/v1/webhooks/gateway/${id}/[\\w-]{43}$`));
      assert.equal(body.setup!.settings['url'], body.webhook_url);
      url = body.webhook_url;
      await stand.kill('api', 'worker');
    });

    it('stays awaiting_webhook while the session is not connected, and gives the reason', async () => {
      stand.emulator.setSession('disconnected', '401: logged out from another device');
      const { status, body } = await stand.call<Channel>('POST', `/agents/${id}/channel/verify`);
      assert.deepEqual(
        [status, body.state, body.last_error!.code],
        [200, 'awaiting_webhook', 'not_connected'],
      );
      assert.match(body.last_error!.message, /logged out from another device/);
      await stand.kill('api', 'worker');
      assert.equal((await talk.channelOf(id)).state, 'awaiting_webhook');
    });

    it('becomes connected on Check again once the session is, and shows the number', async () => {
      const { body } = await stand.call<Channel>('POST', `/agents/${id}/channel/verify`);
      assert.deepEqual(
        [body.state, body.connected_number, body.last_error?.code],
        ['connected', '5511999990001', 'webhook_wrong'],
      );
      await stand.kill('api', 'worker');
      const kept = await talk.channelOf(id);
      assert.deepEqual([kept.state, kept.connected_number], ['connected', '5511999990001']);
      assert.equal((await stand.call('POST', `/agents/${id}/channel/webhook`)).status, 200);
      // A verification that changes no state has no event.
      assert.equal((await stand.call('POST', `/agents/${id}/channel/verify`)).status, 200);
      const events = await stand.stack.db
        .knex<{ target: string; action: string }>('audit_log')
        .where({ target: id })
        .orderBy('id')
        .pluck('action');
      assert.deepEqual(events, ['channel_connected', 'channel_verified', 'webhook_set']);
    });

    it('keeps the previous values when an edit fails', async () => {
      const before = await talk.channelOf(id);
      const wrong = { instance_token: 'wrong-token' };
      const answer = await stand.call<{ code: string }>('PATCH', `/agents/${id}/channel`, wrong);
      assert.deepEqual([answer.status, answer.body.code], [422, 'invalid_credentials']);
      stand.emulator.faults.always('/instance/status', 'server_error');
      const other = { ...talk.form(), base_url: stand.emulator.url.replace('127.0.0.1', 'localhost') };
      assert.equal((await stand.call('PATCH', `/agents/${id}/channel`, other)).status, 502);
      stand.emulator.faults.clear();
      await stand.kill('api', 'worker');
      const after = await talk.channelOf(id);
      assert.deepEqual([after.state, after.base_url], ['connected', before.base_url]);
      assert.equal(
        (await stand.call<Channel>('POST', `/agents/${id}/channel/verify`)).body.state,
        'connected',
      );
    });

    it('requires the token again if the address changes, and saves a successful edit', async () => {
      const other = stand.emulator.url.replace('127.0.0.1', 'localhost');
      const alone = await stand.call<{ details: { path: string }[] }>('PATCH', `/agents/${id}/channel`, {
        base_url: other,
      });
      assert.deepEqual([alone.status, alone.body.details[0]!.path], [422, 'instance_token']);
      const both = await stand.call<Channel>('PATCH', `/agents/${id}/channel`, {
        ...talk.form(),
        base_url: other,
      });
      assert.deepEqual([both.status, both.body.base_url, both.body.state], [200, other, 'connected']);
      assert.equal(both.body.webhook_url, url, 'the webhook URL does not change');
      await stand.kill('api', 'worker');
      assert.equal((await talk.channelOf(id)).base_url, other);
    });

    it('deletes the findings about the webhook of the earlier instance, even if the new one has no session', async () => {
      await stand.stack.db.pool.query(
        "update channels set webhook_state = 'wrong', webhook_wrong_since = now() where agent_id = $1",
        [id],
      );
      stand.emulator.state.session = 'disconnected';
      const edited = await stand.call<Channel>('PATCH', `/agents/${id}/channel`, talk.form());
      stand.emulator.state.session = 'connected';
      assert.deepEqual([edited.status, edited.body.state], [200, 'connected']);
      const { rows } = await stand.stack.db.pool.query(
        'select webhook_state, webhook_wrong_since from channels where agent_id = $1',
        [id],
      );
      assert.deepEqual(rows, [{ webhook_state: null, webhook_wrong_since: null }]);
    });

    it('is inactive after a disconnect, even if the gateway refuses, and connects again with the same webhook URL', async () => {
      stand.emulator.faults.next('/instance/disconnect', 'invalid_token');
      const { body } = await stand.call<Channel>('POST', `/agents/${id}/channel/disconnect`);
      assert.deepEqual([body.state, body.last_error!.code], ['inactive', 'invalid_credentials']);
      assert.equal(body.connected_number, undefined);
      await stand.kill('api', 'worker');
      assert.equal((await talk.channelOf(id)).state, 'inactive');
      const again = await stand.call<Channel>('PUT', `/agents/${id}/channel`, talk.form());
      assert.deepEqual([again.body.state, again.body.webhook_url], ['awaiting_webhook', url]);
    });

    it('never shows the instance token', async () => {
      const shown = JSON.stringify([
        await talk.channelOf(id),
        await stand.call('GET', `/agents/${id}/channel/events`),
      ]);
      assert.equal(shown.includes(stand.emulator.instanceToken), false);
    });

    it('is visible to its own organization only', async () => {
      const foreign = '01890000-0000-7000-8000-000000000000';
      assert.equal((await stand.call('GET', `/agents/${foreign}/channel`)).status, 404);
      assert.equal((await stand.call('PUT', `/agents/${foreign}/channel`, talk.form())).status, 404);
    });
  });

  it('completes a step whose worker is killed during the call to the gateway', async () => {
    // Whatever the tests before have killed: from here on a worker polls.
    await stand.connected(echo);
    const id = await stand.agent(echo);
    stand.emulator.faults.always('/instance/status', 'hang');
    const asked = stand.emulator.state.requests.length;
    const connecting = stand.call<Channel>('PUT', `/agents/${id}/channel`, talk.form());
    await until('the gateway to be asked', () =>
      stand.emulator.state.requests.slice(asked).some(({ path }) => path === '/instance/status'),
    );
    stand.emulator.faults.clear();
    await stand.kill('worker');
    const { status, body } = await connecting;
    assert.deepEqual([status, body.state], [200, 'awaiting_webhook']);
  });

  describe('renewal of the webhook secret', () => {
    type Renewed = { webhook_url: string; previous_until: string; is_set: boolean };
    const post = async (url: string) =>
      (await fetch(url, { method: 'POST', body: '{"EventType":"x"}' })).status;

    it('sets the new URL at the gateway, and accepts the previous one for an hour', async () => {
      const { id, webhookUrl } = await stand.connected(echo);
      const path = `/agents/${id}/channel/webhook`;
      const { status, body } = await stand.call<Renewed>('POST', `${path}/renew`);
      assert.deepEqual([status, body.is_set], [200, true]);
      assert.notEqual(body.webhook_url, webhookUrl);
      const minutes = (Date.parse(body.previous_until) - Date.now()) / 60_000;
      assert.ok(minutes > 58 && minutes < 61, body.previous_until);
      assert.equal((await talk.channelOf(id)).webhook_url, body.webhook_url);
      assert.deepEqual((await stand.call('GET', path)).body, { matches: true, differences: [] });
      const from = talk.newNumber();
      await stand.emulator.deliverInbound({ from, text: 'by the new URL' });
      await until('the reply', () => talk.sentTo(from).length === 1);
      const urls = [webhookUrl, body.webhook_url, `${body.webhook_url}x`];
      assert.deepEqual(await Promise.all(urls.map(post)), [200, 200, 401]);
      const again = await stand.call<{ code: string }>('POST', `${path}/renew`);
      assert.deepEqual([again.status, again.body.code], [409, 'invalid_state']);

      const { knex } = stand.stack.db;
      await knex('channels').where({ agent_id: id }).update({ previous_webhook_until: new Date() });
      assert.deepEqual(await Promise.all(urls.map(post)), [401, 200, 401]);
      const second = await stand.call<Renewed>('POST', `${path}/renew`);
      assert.equal(second.status, 200);
      assert.deepEqual(await Promise.all([...urls, second.body.webhook_url].map(post)), [401, 200, 401, 200]);
    });

    it('renews without the gateway, and the card shows that the webhook leads elsewhere', async () => {
      const { id, webhookUrl } = await stand.connected(echo);
      stand.emulator.faults.always('/webhook', 'server_error');
      const { body } = await stand.call<Renewed>('POST', `/agents/${id}/channel/webhook/renew`);
      stand.emulator.faults.clear();
      assert.equal(body.is_set, false);
      assert.deepEqual(await Promise.all([webhookUrl, body.webhook_url].map(post)), [200, 200]);
      await until('the card to say it', async () => {
        await stand.call('POST', `/agents/${id}/channel/check`);
        return (await talk.channelOf(id)).last_error?.code === 'webhook_wrong';
      });
    });
  });

  describe('webhook settings', () => {
    it('are set with one call, compared, and the differences listed', async () => {
      const { id, webhookUrl } = await stand.connected(echo);
      const path = `/agents/${id}/channel/webhook`;
      assert.deepEqual((await stand.call('GET', path)).body, { matches: true, differences: [] });
      stand.emulator.setWebhook({ url: webhookUrl, addUrlEvents: true });
      assert.deepEqual((await stand.call('GET', path)).body, {
        matches: false,
        differences: [{ setting: 'addUrlEvents', expected: 'off', actual: 'on' }],
      });
      const { answers } = await stand.emulator.deliverInbound({ text: 'with a suffix' });
      assert.equal(answers[0]!.status, 404);
      assert.equal((await talk.channelOf(id)).last_error!.code, 'webhook_suffix');
    });
  });
});
