/** The test message of a channel: sent at most once, and counted as arrived only on evidence from outside of Parley. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { ChannelHello } from '../../../src/contract/whatsapp/channel-hello.ts';
import { useChannelStand, type ChannelStand } from '../../support/channel-stand.ts';
import { channelTalk, echoScript } from '../../support/channel-talk.ts';
import { until } from '../../support/until.ts';

type Refusal = { code: string; error: string; details?: { path: string; message: string }[] };

describe('The test message of a WhatsApp channel', () => {
  const shared = useChannelStand();
  let stand: ChannelStand;
  let talk: ReturnType<typeof channelTalk>;
  let id: string;
  let webhookUrl: string;
  let name: string;
  before(() => {
    stand = shared();
    talk = channelTalk(stand);
  });
  beforeEach(async () => {
    name = `Front *desk* ${randomUUID().slice(0, 8)}`;
    ({ id, webhookUrl } = await stand.connected(echoScript, { name }));
    receipt('Sent');
  });
  afterEach(() => {
    receipt('Delivered');
  });

  /** The status that the gateway reports for every message that it has sent. */
  const receipt = (status: string, error = '') => {
    stand.emulator.state.receipt = { status, error };
  };
  const send = async <T = ChannelHello>(to: string, request_id: string = randomUUID()) =>
    await stand.call<T>('POST', `/agents/${id}/channel/hello`, { to, request_id });
  const read = async (request_id: string) =>
    (await stand.call<ChannelHello>('GET', `/agents/${id}/channel/hello/${request_id}`)).body;
  const change = async (sql: string, request_id: string) => {
    await stand.stack.db.pool.query(`update channel_hellos set ${sql} where request_id = $1`, [request_id]);
  };
  /** Makes the hello a minute old, and the latest question to the gateway too. */
  const aMinuteLater = (request_id: string) =>
    change(`attempted_at = attempted_at - interval '1 minute', asked_at = null`, request_id);
  const rowCount = async () => {
    const { rows } = await stand.stack.db.pool.query<{ sent: string }>(
      'select count(*) as sent from channel_hellos where agent_id = $1',
      [id],
    );
    return Number(rows[0]?.sent);
  };

  it('is sent with the agent’s name, without marks of WhatsApp, and recorded in the audit log', async () => {
    const to = talk.newNumber();
    const { status, body } = await send(`+${to.slice(0, 2)} ${to.slice(2, 4)} ${to.slice(4)}`);
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual([body.status, body.to, body.problem], ['sent', to, undefined]);
    assert.deepEqual(talk.sentTo(to), [
      `Hello! This is a test message. The agent "${name.replaceAll('*', ' ').replaceAll('  ', ' ')}" answers on this number: reply to try it.`,
    ]);
    const events = await stand.stack.db
      .knex<{ target: string; action: string }>('audit_log')
      .where({ target: id, action: 'channel_hello_sent' });
    assert.equal(events.length, 1);
  });

  it('is sent once by 20 equal calls at once and a later one, and by a call after kill -9 of the API', async () => {
    const to = talk.newNumber();
    const request = randomUUID();
    stand.emulator.state.sendMs = { before: 200, after: 0 };
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(to, request)));
    stand.emulator.state.sendMs = { before: 0, after: 0 };
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    assert.deepEqual([(await send(to, request)).body.status, talk.sentTo(to).length], ['sent', 1]);

    const [killed, other] = [randomUUID(), talk.newNumber()];
    stand.emulator.faults.next('/send/text', 'landed_hang');
    const lost = send(other, killed).catch(() => undefined);
    await until('the message to have left', () => talk.sentTo(other).length === 1);
    await stand.kill('api');
    await lost;
    await change('attempted_at = clock_timestamp()', killed);
    assert.equal((await send(other, killed)).body.status, 'sending');
    await change(`attempted_at = clock_timestamp() - interval '36 seconds'`, killed);
    const after = await send(other, killed);
    assert.deepEqual([after.body.status, after.body.problem?.code], ['unknown', 'uncertain']);
    assert.match(after.body.problem?.message ?? '', /Look at the phone before you send another one/);
    // The gateway has it, so it was sent.
    assert.equal((await read(killed)).status, 'sent');
    assert.equal(talk.sentTo(other).length, 1);
  });

  it('was not sent if the gateway has no such message after its process was killed', async () => {
    const [request, to] = [randomUUID(), talk.newNumber()];
    stand.emulator.faults.next('/send/text', 'hang');
    const asked = stand.emulator.state.requests.length;
    const lost = send(to, request).catch(() => undefined);
    await until('the gateway to be called', () =>
      stand.emulator.state.requests.slice(asked).some(({ path }) => path === '/send/text'),
    );
    await stand.kill('api');
    await lost;
    await change(`attempted_at = clock_timestamp() - interval '36 seconds'`, request);
    // Early, the gateway might still send it.
    assert.equal((await read(request)).status, 'unknown');
    await aMinuteLater(request);
    const { status, problem } = await read(request);
    assert.deepEqual([status, problem?.code], ['failed', 'gateway_unreachable']);
    assert.equal((await send(to, request)).body.status, 'failed');
    assert.deepEqual(talk.sentTo(to), []);
  });

  it('has arrived once the gateway posts its event, which is no takeover by a person', async () => {
    const [request, to] = [randomUUID(), talk.newNumber()];
    stand.emulator.setWebhook({ url: webhookUrl, excludeMessages: [] });
    await send(to, request);
    const hello = await until('its arrival', async () => {
      const now = await read(request);
      return now.status === 'arrived' && now;
    });
    assert.equal(hello.arrived_by, 'event');
    // An older gateway names neither the API nor the track id.
    const [sent] = stand.emulator.sent.filter((one) => one.number === to);
    await stand.emulator.typeOnPhone({ from: to, text: 'x', messageId: sent?.messageId ?? '' });
    const { body } = await stand.call<{ data: unknown[] }>('GET', `/conversations?agent_id=${id}`);
    assert.deepEqual(body.data, []);
  });

  it('has arrived once its number replies, which the agent answers; not once another one writes', async () => {
    const request = randomUUID();
    // Brazilian mobile numbers have two notations.
    const [entered, known] = ['5534998887766', '553498887766'];
    await send(`+${entered}`, request);
    await stand.emulator.deliverInbound({ from: talk.newNumber(), text: 'somebody else' });
    assert.equal((await read(request)).status, 'sent');
    await stand.emulator.deliverInbound({ from: known, text: 'It works' });
    const { status, arrived_by, problem } = await read(request);
    assert.deepEqual([status, arrived_by, problem], ['arrived', 'reply', undefined]);
    await until('the answer', () => talk.sentTo(known).includes('You wrote: It works'));
  });

  it('does not count a message that was written before it', async () => {
    const [request, to] = [randomUUID(), talk.newNumber()];
    await send(to, request);
    await stand.emulator.deliverInbound({ from: to, text: 'earlier', atMs: Date.now() - 3_600_000 });
    assert.equal((await read(request)).status, 'sent');
  });

  it('has arrived once the gateway reports it as delivered, and has failed if the gateway reports that', async () => {
    const [request, failing] = [randomUUID(), randomUUID()];
    await send(talk.newNumber(), request);
    receipt('Delivered');
    const delivered = await read(request);
    assert.deepEqual([delivered.status, delivered.arrived_by], ['arrived', 'gateway']);
    receipt('Sent');
    await send(talk.newNumber(), failing);
    receipt('Failed', 'not on WhatsApp');
    const failed = await read(failing);
    assert.deepEqual([failed.status, failed.problem?.code], ['failed', 'refused']);
    assert.match(failed.problem?.message ?? '', /did not deliver the message: not on WhatsApp\. Check/);
  });

  it('asks the gateway at most once in 3 s, however often it is read', async () => {
    const request = randomUUID();
    await send(talk.newNumber(), request);
    const asked = () => stand.emulator.state.requests.filter(({ path }) => path === '/message/find').length;
    const before = asked();
    const began = performance.now();
    await Promise.all(Array.from({ length: 30 }, () => read(request)));
    const asks = asked() - before;
    // On a busy machine, the reads can take longer than 3 s.
    assert.ok(asks >= 1 && asks <= 1 + Math.floor((performance.now() - began) / 3000), `${asks} questions`);
    await change(`asked_at = asked_at - interval '4 seconds', asks = 40`, request);
    await read(request);
    assert.equal(asked(), before + asks, 'no more than 40 times in all');
  });

  it('shows why nothing confirms it: the phone, the webhook or the session', async () => {
    const request = randomUUID();
    await send(talk.newNumber(), request);
    await aMinuteLater(request);
    assert.equal((await read(request)).problem?.code, 'not_confirmed');
    stand.emulator.state.webhooks = [];
    await until('the channel to show the missing webhook', async () => {
      await stand.call('POST', `/agents/${id}/channel/check`);
      return (await talk.channelOf(id)).last_error?.code === 'webhook_wrong';
    });
    const { status, problem } = await read(request);
    assert.deepEqual([status, problem?.code], ['sent', 'webhook_wrong']);
    assert.match(problem?.message ?? '', /no webhook is set at the gateway/);
  });

  const refusals: [string, Parameters<ChannelStand['emulator']['faults']['next']>[1], string, RegExp][] = [
    ['session is down', 'no_session', 'session_down', /Scan the QR code/],
    ['number may begin no chats', 'timelock', 'timelocked', /until 2030-01-01.*Write to this number/],
    ['gateway refuses it', 'missing_field', 'refused', /\(400\): Missing number or text\. Check/],
    ['gateway is busy', 'rate_limited', 'gateway_busy', /Send again in a minute/],
    ['gateway knows no such instance', 'not_found', 'gateway_unreachable', /Check the base URL/],
    ['token is refused', 'invalid_token', 'invalid_credentials', /Edit the connection/],
  ];
  for (const [when, fault, code, message] of refusals)
    it(`has failed if the ${when}, shows what to do, and is not sent again`, async () => {
      const [request, to] = [randomUUID(), talk.newNumber()];
      stand.emulator.faults.next('/send/text', fault);
      const { status, body } = await send(to, request);
      assert.deepEqual([status, body.status, body.problem?.code], [200, 'failed', code]);
      assert.match(body.problem?.message ?? '', message);
      assert.equal((await send(to, request)).body.status, 'failed');
      assert.deepEqual(talk.sentTo(to), []);
    });

  it('may have been sent if the gateway gives no answer, or fails', async () => {
    for (const fault of ['lost_answer', 'server_error'] as const) {
      const [request, to] = [randomUUID(), talk.newNumber()];
      stand.emulator.faults.next('/send/text', fault);
      const { body } = await send(to, request);
      assert.deepEqual([body.status, body.problem?.code], ['unknown', 'uncertain'], fault);
      const found = await read(request);
      assert.equal(found.status, fault === 'lost_answer' ? 'sent' : 'unknown');
    }
  });

  it('is refused for a number that is none, the channel’s own, or another with the same request', async () => {
    for (const [to, message] of [
      ['not a number', /country code/],
      ['+55 119', /./],
      [`+${stand.emulator.state.owner}`, /channel's own number/],
    ] as const) {
      const { status, body } = await send<Refusal>(to);
      assert.deepEqual([status, body.code, body.details?.[0]?.path], [422, 'validation_failed', 'to'], to);
      assert.match(body.details?.[0]?.message ?? '', message);
    }
    const request = randomUUID();
    await send(talk.newNumber(), request);
    const other = await send<Refusal>(talk.newNumber(), request);
    assert.deepEqual([other.status, other.body.code], [409, 'idempotency_conflict']);
  });

  it('is limited to 10 within an hour, also for calls at once', async () => {
    const calls = await Promise.all(Array.from({ length: 14 }, () => send<Refusal>(talk.newNumber())));
    const statuses = calls.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [...Array<number>(10).fill(200), ...Array<number>(4).fill(429)]);
    assert.equal(await rowCount(), 10);
    const limited = calls.find(({ status }) => status === 429);
    assert.match(limited?.body.error ?? '', /at most 10 test messages within an hour/);
  });

  it('is sent once by equal calls of which each could be the last within an hour', async () => {
    await Promise.all(Array.from({ length: 9 }, () => send(talk.newNumber())));
    const [to, request, lock] = [talk.newNumber(), randomUUID(), await stand.stack.db.pool.connect()];
    let answered = 0;
    const equalCall = async () => {
      const { status } = await send(to, request);
      answered += 1;
      return status;
    };
    try {
      await lock.query('begin');
      await lock.query('select from channels where agent_id = $1 for update', [id]);
      const calls = [equalCall(), equalCall()];
      await until('both calls to wait for the channel, or one to be answered', async () => {
        const { rows } = await stand.stack.db.pool.query(
          `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%channel%'`,
        );
        // A look at the channel may wait for it too.
        return rows.length >= 2 || answered > 0;
      });
      await lock.query('commit');
      assert.deepEqual(await Promise.all(calls), [200, 200]);
    } finally {
      lock.release(true);
    }
    assert.equal(talk.sentTo(to).length, 1);
    assert.equal((await send(talk.newNumber())).status, 429);
  });

  it('needs a connected channel, and is unknown to others', async () => {
    const fresh = await stand.agent(echoScript);
    const call = { to: talk.newNumber(), request_id: randomUUID() };
    assert.equal((await stand.call('POST', `/agents/${fresh}/channel/hello`, call)).status, 409);
    await stand.call('PUT', `/agents/${fresh}/channel`, talk.form());
    assert.equal((await stand.call('POST', `/agents/${fresh}/channel/hello`, call)).status, 409);
    const unknown = await stand.call('GET', `/agents/${fresh}/channel/hello/${call.request_id}`);
    assert.equal(unknown.status, 404);
  });

  it('is erased with its contact', async () => {
    const to = talk.newNumber();
    await send(to);
    await stand.emulator.deliverInbound({ from: to, text: 'hello' });
    const conversation = await until('the conversation', () => talk.conversationOf(id));
    await until('the reply', () => talk.sentTo(to).length > 1);
    assert.equal(await rowCount(), 1);
    const contact = await stand.call<{ contact: { id: string } }>('GET', `/conversations/${conversation.id}`);
    const path = `/contacts/${encodeURIComponent(contact.body.contact.id)}`;
    assert.ok((await stand.call('DELETE', path)).status < 300);
    await until('the hello to be gone', async () => (await rowCount()) === 0);
  });
});
