/** What the card says of a connected channel: only that messages arrive where they do. */
import assert from 'node:assert/strict';
import { startChannelStand, type ChannelStand } from '../support/channel-stand.ts';
import { channelTalk, echoScript, type Channel } from '../support/channel-talk.ts';
import type { EmulatedWebhook } from '../support/gateway/emulator-state.ts';
import { until } from '../support/until.ts';

describe('The status of a connected WhatsApp channel', function () {
  this.timeout(120_000);
  let stand: ChannelStand;
  let talk: ReturnType<typeof channelTalk>;
  before(async () => {
    // No round of the watch comes by: each look is one that was asked for.
    stand = await startChannelStand({ GATEWAY_WATCH_SECONDS: '300' });
    talk = channelTalk(stand);
  });
  after(() => stand.stop());
  beforeEach(() => {
    stand.emulator.faults.clear();
    stand.emulator.setSession('connected');
    stand.emulator.state.webhooks = [];
  });

  const post = async (id: string, step: string) =>
    (await stand.call<Channel>('POST', `/agents/${id}/channel/${step}`)).body;
  /** As if the last look were a minute ago. */
  const check = async (id: string) => {
    await stand.stack.db.pool.query(
      `update channels set live_checked_at = live_checked_at - interval '1 minute' where agent_id = $1`,
      [id],
    );
    return await post(id, 'check');
  };
  const connect = async () => {
    const id = await stand.agent(echoScript);
    const put = await stand.call<Channel>('PUT', `/agents/${id}/channel`, talk.form());
    assert.equal(put.status, 200);
    return { id, url: put.body.webhook_url!, put: put.body };
  };

  it('stays connected without a webhook, and says that messages do not arrive until it is set', async () => {
    const { id } = await connect();
    const verified = await post(id, 'verify');
    assert.deepEqual([verified.state, verified.last_error?.code], ['connected', 'webhook_wrong']);
    assert.match(verified.last_error!.message, /messages will not arrive: no webhook is set at the gateway/);
    assert.equal(verified.session?.webhook, 'wrong');
    assert.equal((await stand.call('POST', `/agents/${id}/channel/webhook`)).status, 200);
    const set = await talk.channelOf(id);
    assert.deepEqual([set.last_error, set.session?.webhook], [undefined, 'right']);
  });

  type Case = [string, Partial<EmulatedWebhook>, string | undefined, RegExp?];
  const cases: Case[] = [
    ['disabled', { enabled: false }, 'webhook_wrong', /is disabled/],
    ['listening to other events', { events: ['connection'] }, 'webhook_wrong', /does not listen/],
    ['adding to the URL', { addUrlEvents: true }, 'webhook_suffix', /addUrlEvents/],
    ['dropping direct chats', { excludeMessages: ['isGroupNo'] }, 'webhook_wrong', /isGroupNo/],
    ['leading elsewhere', { url: 'https://elsewhere.example.com/hook' }, 'webhook_wrong', /another address/],
    ['letting more through than it must', { excludeMessages: [] }, undefined],
  ];
  for (const [what, webhook, code, message] of cases) {
    it(`with a webhook ${what}: ${code ?? 'no problem'}`, async () => {
      const { id, url } = await connect();
      stand.emulator.setWebhook({ url, ...webhook });
      const { state, last_error } = await post(id, 'verify');
      assert.deepEqual([state, last_error?.code], ['connected', code]);
      if (message !== undefined) assert.match(last_error!.message, message);
    });
  }

  it('reports no problem for an unreadable webhook, nor for one behind a relay', async () => {
    const { id, url } = await connect();
    stand.emulator.faults.always('/webhook', 'not_found');
    const unread = await post(id, 'verify');
    assert.deepEqual([unread.last_error, unread.session?.webhook], [undefined, 'unread']);
    stand.emulator.faults.clear();
    assert.equal((await check(id)).last_error?.code, 'webhook_wrong');
    // A relay posts what the gateway sent to it.
    const message = { messageid: `relayed-${id}`, chatid: talk.newNumber(), text: 'hello' };
    await fetch(url, { method: 'POST', body: JSON.stringify({ EventType: 'messages', message }) });
    assert.equal((await check(id)).last_error, undefined);
    // A webhook that cannot be read is taken to be as it was: still behind the relay once it can be read again.
    stand.emulator.faults.always('/webhook', 'not_found');
    assert.equal((await post(id, 'verify')).session?.webhook, 'unread');
    stand.emulator.faults.clear();
    assert.equal((await check(id)).last_error, undefined);
  });

  it('is checked on request: shows at once that a session is down, since when, and that it is up again', async () => {
    const { id } = await stand.connected(echoScript);
    stand.emulator.setSession('disconnected', '401: logged out from another device');
    const down = await check(id);
    assert.deepEqual([down.state, down.last_error?.code], ['connected', 'session_down']);
    assert.ok(Date.now() - Date.parse(down.session!.down_since!) < 60_000);
    stand.emulator.setSession('connected');
    const back = await check(id);
    assert.deepEqual([back.last_error, back.session?.down_since], [undefined, undefined]);
    const asked = stand.emulator.state.requests.length;
    await Promise.all([post(id, 'check'), post(id, 'check'), post(id, 'check')]);
    assert.equal(stand.emulator.state.requests.length, asked, 'looks that follow at once are one');
  });

  it('checks again on request after refused credentials, and continues if they are accepted', async () => {
    const { id } = await stand.connected(echoScript);
    stand.emulator.faults.next('/instance/status', 'invalid_token');
    assert.equal((await check(id)).last_error?.code, 'invalid_credentials');
    assert.equal((await check(id)).last_error, undefined);
  });

  it('stays unchanged if an edit fails, like the stored values', async () => {
    const { id } = await stand.connected(echoScript);
    const edit = await stand.call('PATCH', `/agents/${id}/channel`, { instance_token: 'wrong-token' });
    assert.equal(edit.status, 422);
    assert.equal((await talk.channelOf(id)).last_error, undefined);
  });

  it('cannot be checked before it is connected', async () => {
    const { id } = await connect();
    assert.equal((await stand.call('POST', `/agents/${id}/channel/check`)).status, 409);
  });

  describe('one number on two agents', () => {
    it('is shown on both cards, and the one without messages says where they go', async () => {
      const first = await stand.connected(echoScript, { name: 'Desk' });
      const second = await connect();
      assert.deepEqual(
        second.put.shared_with?.find(({ agent_id }) => agent_id === first.id)?.agent_name,
        'Desk',
        'known before the webhook is set',
      );
      await stand.call('POST', `/agents/${second.id}/channel/webhook`);
      assert.equal((await post(second.id, 'verify')).last_error, undefined);
      const old = await check(first.id);
      assert.equal(old.state, 'connected');
      assert.match(
        old.last_error!.message,
        /will not arrive: the gateway's webhook leads to the agent "agent \d+"/,
      );
    });

    it('moves to one agent: the others become inactive, and the session continues', async () => {
      const first = await stand.connected(echoScript);
      const second = await stand.connected(echoScript);
      const disconnects = () =>
        stand.emulator.state.requests.filter(({ path }) => path === '/instance/disconnect').length;
      const before = disconnects();
      const moved = await post(second.id, 'move');
      assert.deepEqual([moved.state, moved.shared_with], ['connected', undefined]);
      const old = await talk.channelOf(first.id);
      assert.deepEqual([old.state, old.last_error?.code], ['inactive', 'number_moved']);
      assert.equal(disconnects(), before);
      const from = talk.newNumber();
      await stand.emulator.deliverInbound({ from, text: 'hello' });
      await until('the one reply', () => talk.sentTo(from).length > 0);
    });
  });
});
