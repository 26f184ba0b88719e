import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gatewayEvent } from '../../../src/contract/whatsapp/gateway-event.ts';
import { classifyGatewayEvent } from '../../../src/domain/whatsapp/classify-event.ts';
import { startGatewayEmulator } from './start-gateway-emulator.ts';
import type { GatewayEmulator } from './start-gateway-emulator.ts';

type Received = { path: string; body: { message: { messageid: string; text: string } } };

describe('gateway emulator', () => {
  const received: Received[] = [];
  let failures = 0;
  let hook = '';
  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({
        path: request.url ?? '',
        body: JSON.parse(Buffer.concat(chunks).toString()) as Received['body'],
      });
      response.writeHead(failures > 0 ? 503 : 200).end('OK');
      failures -= 1;
    });
  });
  let emulator: GatewayEmulator;

  before(async () => {
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  });
  after(() => receiver.close());
  beforeEach(async () => {
    received.length = 0;
    failures = 0;
    emulator = await startGatewayEmulator();
    emulator.setWebhook({ url: hook });
  });
  afterEach(() => emulator.stop());

  it('posts events that read as what was written', async () => {
    const receivedAtMs = Date.now();
    const read = (body: unknown) => classifyGatewayEvent(gatewayEvent.parse(body), { receivedAtMs })[0]!;
    await emulator.deliverInbound({ text: 'hello', name: 'Ana' });
    await emulator.deliverInbound({ kind: 'voice' });
    await emulator.deliverInbound({ kind: 'list_reply', text: 'Fones' });
    await emulator.deliverInbound({ text: 'x', lidOnly: true });
    await emulator.typeOnPhone({ text: 'mine' });
    const results = received.map((one) => read(one.body));
    assert.deepEqual(
      results.map((one) => (one.kind === 'message' ? `${one.form}:${one.text}` : one.kind)),
      ['text:hello', 'audio:', 'interactive_reply:Fones', 'text:x', 'takeover'],
    );
    const lidOnly = results[3]!;
    assert.match(lidOnly.kind === 'message' ? lidOnly.contact.replyTo : '', /@lid$/);
  });

  it('filters as its webhook is set, groups and its own echoes among them', async () => {
    assert.deepEqual((await emulator.deliverInbound({ group: true })).answers, []);
    emulator.setWebhook({ url: hook, excludeMessages: [] });
    assert.equal((await emulator.deliverInbound({ group: true })).answers[0]?.status, 200);
    emulator.setWebhook({ url: hook, enabled: false });
    assert.deepEqual((await emulator.deliverInbound({})).answers, []);
    emulator.setWebhook({ url: hook, events: ['connection'] });
    assert.deepEqual((await emulator.deliverInbound({})).answers, []);
  });

  it('appends its switches to the path', async () => {
    emulator.setWebhook({ url: hook, addUrlEvents: true, addUrlTypesMessages: true });
    await emulator.deliverInbound({});
    assert.equal(received[0]?.path, '/hook/messages/ExtendedTextMessage');
  });

  it('delivers the same event many times, several at once', async () => {
    const { messageId, answers } = await emulator.deliverInbound({}, { copies: 40, inFlight: 8 });
    assert.equal(answers.length, 40);
    assert.ok(received.every((one) => one.body.message.messageid === messageId));
  });

  it('delivers in another order than written', async () => {
    await emulator.deliverShuffled([{ text: 'a' }, { text: 'b' }, { text: 'c' }], [2, 0, 1]);
    assert.deepEqual(
      received.map((one) => one.body.message.text),
      ['c', 'a', 'b'],
    );
  });

  it('tries three times, and keeps a log of what failed', async () => {
    failures = 2;
    assert.equal((await emulator.deliverInbound({})).answers[0]?.status, 200);
    assert.equal(received.length, 3);
    failures = 3;
    assert.equal((await emulator.deliverInbound({})).answers[0]?.status, 503);
    assert.equal(emulator.state.webhookErrors[0]?.attempts, 3);
  });

  it('fills placeholders into what is sent, as the real one does', async () => {
    await fetch(`${emulator.url}/send/text`, {
      method: 'POST',
      headers: { token: emulator.instanceToken, 'content-type': 'application/json' },
      body: JSON.stringify({ number: '1', text: 'mail {{lead_email}}' }),
    });
    assert.equal(emulator.sent[0]?.shown, 'mail private@example.test');
  });

  it('lets a person chat as the customer on its page', async () => {
    const page = await (await fetch(`${emulator.url}/`)).text();
    assert.match(page, /<form id="say">/);
    const say = { number: '+55 34 9999-0002', name: 'Ana', text: 'from the page' };
    const options = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(say),
    };
    assert.deepEqual(await (await fetch(`${emulator.url}/emulator/say`, options)).json(), [
      { url: hook, status: 200, text: 'OK' },
    ]);
    const chat = await (await fetch(`${emulator.url}/emulator/chat?number=553499990002`)).json();
    assert.equal((chat as { lines: { text: string }[] }).lines[0]?.text, 'from the page');
  });
});
