/** The card of a connected channel: it shows that messages arrive only if they do. */
import assert from 'node:assert/strict';
import { startChannelStand, type ChannelStand } from '../../support/channel-stand.ts';
import { channelTalk, echoScript, type Channel } from '../../support/channel-talk.ts';
import { startGatewayEmulator } from '../../support/gateway/start-gateway-emulator.ts';
import type { EmulatedWebhook } from '../../support/gateway/emulator-state.ts';
import { until } from '../../support/until.ts';

describe('The status of a connected WhatsApp channel', () => {
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
  /** Checks again, as if the last check were a minute ago. */
  const check = async (id: string) => {
    await stand.stack.db.pool.query(
      `update channels set check_claimed_at = check_claimed_at - interval '1 minute' where agent_id = $1`,
      [id],
    );
    return await post(id, 'check');
  };
  const statusRequests = () =>
    stand.emulator.state.requests.filter(({ path }) => path === '/instance/status').length;
  /** How many looks there may be: one in 5 s. On a busy machine calls at once can take longer than that. */
  const looksSince = (began: number) => 1 + Math.floor((performance.now() - began) / 5000);
  const connect = async () => {
    const id = await stand.agent(echoScript);
    const put = await stand.call<Channel>('PUT', `/agents/${id}/channel`, talk.form());
    assert.equal(put.status, 200);
    return { id, url: put.body.webhook_url!, put: put.body };
  };

  it('stays connected without a webhook, and shows that messages do not arrive until it is set', async () => {
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

  it('with a webhook of this agent whose secret was renewed: says that the secret is outdated', async () => {
    const { id, url } = await connect();
    stand.emulator.setWebhook({ url: url.replace(/[^/]+$/, (secret) => secret.replace(/./g, 'a')) });
    const { last_error } = await post(id, 'verify');
    assert.equal(last_error?.code, 'webhook_wrong');
    assert.match(
      last_error.message,
      /will not arrive: the secret in the URL of the gateway's webhook is outdated/,
    );
  });

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
    const began = performance.now();
    const back = await check(id);
    assert.deepEqual([back.last_error, back.session?.down_since], [undefined, undefined]);
    const asked = statusRequests();
    await Promise.all([post(id, 'check'), post(id, 'check'), post(id, 'check')]);
    assert.ok(statusRequests() - asked < looksSince(began), 'looks that follow at once are one');
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

  it('is asked for at most once in 5 s, by any number of callers, also after refused credentials', async () => {
    const { id } = await stand.connected(echoScript);
    stand.emulator.faults.always('/instance/status', 'invalid_token');
    const asked = statusRequests();
    const began = performance.now();
    const checks = await Promise.all(Array.from({ length: 20 }, () => post(id, 'check')));
    assert.ok(checks.some(({ last_error }) => last_error?.code === 'invalid_credentials'));
    await post(id, 'check');
    const looks = statusRequests() - asked;
    assert.ok(looks >= 1 && looks <= looksSince(began), `${looks} looks`);
    stand.emulator.faults.clear();
    await stand.stack.db.pool.query(
      `update channels set check_claimed_at = check_claimed_at - interval '6 seconds' where agent_id = $1`,
      [id],
    );
    assert.equal((await post(id, 'check')).last_error, undefined);
  });

  describe('one number on two agents', () => {
    const form = () => ({ base_url: stand.emulator.url, instance_token: stand.emulator.instanceToken });
    const put = async (id: string, body: object) =>
      await stand.call<Channel & { code: string; error: string }>('PUT', `/agents/${id}/channel`, body);
    const events = async (target: string) =>
      (
        await stand.stack.db
          .knex<{ target: string; action: string }>('audit_log')
          .where({ target, action: 'channel_moved' })
      ).length;

    it('is refused, names the agent that has it, and changes nothing', async () => {
      const first = await stand.connected(echoScript, { name: 'Reception' });
      const second = await stand.agent(echoScript);
      const { status, body } = await put(second, form());
      assert.deepEqual([status, body.code], [409, 'number_in_use']);
      assert.match(body.error, /^"Reception" answers on this number, and a number belongs to one agent\./);
      assert.deepEqual(await talk.channelOf(second), { state: 'not_connected' });
      assert.equal((await talk.channelOf(first.id)).state, 'connected');
    });

    it('moves with take_over: the other becomes inactive, and the session continues', async () => {
      const first = await stand.connected(echoScript);
      const second = await stand.agent(echoScript);
      const disconnects = () =>
        stand.emulator.state.requests.filter(({ path }) => path === '/instance/disconnect').length;
      const before = disconnects();
      const moved = await put(second, { ...form(), take_over: true });
      assert.deepEqual(
        [moved.status, moved.body.state, moved.body.shared_with],
        [200, 'awaiting_webhook', undefined],
      );
      const old = await talk.channelOf(first.id);
      assert.deepEqual([old.state, old.last_error?.code], ['inactive', 'number_moved']);
      assert.equal(await events(`${first.id} to ${second}`), 1);
      assert.equal(disconnects(), before);
      await stand.call('POST', `/agents/${second}/channel/webhook`);
      await post(second, 'verify');
      const from = talk.newNumber();
      await stand.emulator.deliverInbound({ from, text: 'hello' });
      await until('the one reply', () => talk.sentTo(from).length > 0);
    });

    it('is refused for another instance with the same number, when it is connected, edited or verified', async () => {
      const first = await stand.connected(echoScript);
      const other = await startGatewayEmulator();
      try {
        const instance = { base_url: other.url, instance_token: other.instanceToken };
        const second = await stand.agent(echoScript);
        assert.equal((await put(second, instance)).body.code, 'number_in_use');
        // While the session is down, the gateway names no number.
        other.setSession('disconnected');
        assert.equal((await put(second, instance)).status, 200);
        other.setSession('connected');
        const verify = (query: string) =>
          stand.call<Channel & { code: string }>('POST', `/agents/${second}/channel/verify${query}`);
        assert.equal((await verify('')).body.code, 'number_in_use');
        assert.equal((await talk.channelOf(second)).state, 'awaiting_webhook');
        assert.equal((await verify('?take_over=false')).body.code, 'number_in_use');
        const edited = await stand.call<{ code: string }>('PATCH', `/agents/${second}/channel`, form());
        assert.equal(edited.body.code, 'number_in_use');
        assert.equal((await verify('?take_over=true')).body.state, 'connected');
        assert.equal((await talk.channelOf(first.id)).state, 'inactive');
      } finally {
        await other.stop();
      }
    });

    it('goes to one of two agents that connect it at once', async () => {
      const holder = await stand.connected(echoScript);
      await stand.call('POST', `/agents/${holder.id}/channel/disconnect`);
      stand.emulator.setSession('connected');
      const agents = [await stand.agent(echoScript), await stand.agent(echoScript)];
      const answers = await Promise.all(agents.map((id) => put(id, form())));
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
    });

    it('is shown on both cards if it was connected twice before, and moves on request', async () => {
      const first = await stand.connected(echoScript, { name: 'Desk' });
      const second = await stand.connected(echoScript);
      await stand.share(first.id);
      assert.deepEqual((await talk.channelOf(second.id)).shared_with, [
        { agent_id: first.id, agent_name: 'Desk' },
      ]);
      const old = await check(first.id);
      assert.equal(old.state, 'connected');
      assert.match(
        old.last_error!.message,
        /will not arrive: the gateway's webhook leads to the agent "agent \d+"/,
      );
      const moved = await post(second.id, 'move');
      assert.deepEqual([moved.state, moved.shared_with], ['connected', undefined]);
      assert.equal((await talk.channelOf(first.id)).last_error?.code, 'number_moved');
    });
  });
});
