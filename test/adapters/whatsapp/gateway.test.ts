import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gatewayBaseUrl } from '../../../src/adapters/whatsapp/gateway-call.ts';
import { createGateway } from '../../../src/adapters/whatsapp/gateway.ts';
import type { GatewaySend } from '../../../src/adapters/whatsapp/gateway.ts';
import { createPublicHttp } from '../../../src/adapters/http/public-http.ts';
import { namesBy } from '../../support/names.ts';
import { expectedWebhook, webhookDifferences } from '../../../src/domain/whatsapp/webhook-settings.ts';
import type { GatewayFault } from '../../support/gateway/emulator-faults.ts';
import { startGatewayEmulator } from '../../support/gateway/start-gateway-emulator.ts';
import type { GatewayEmulator } from '../../support/gateway/start-gateway-emulator.ts';

describe('gateway client', () => {
  const gateway = createGateway(createPublicHttp({ allow: ['127.0.0.1/32'] }));
  let emulator: GatewayEmulator;
  let access: { baseUrl: string; token: string };
  const part = (more: Partial<GatewaySend> = {}) => ({
    number: '553499990002',
    trackId: 'm1:0',
    readChat: false,
    ...more,
  });

  beforeEach(async () => {
    emulator = await startGatewayEmulator();
    access = { baseUrl: emulator.url, token: emulator.instanceToken };
  });
  afterEach(() => emulator.stop());

  describe('status', () => {
    for (const build of ['2.1', '2.0', 'older'] as const) {
      it(`reads build ${build}: live session and number`, async () => {
        emulator.state.build = build;
        const status = await gateway.status(access);
        assert.deepEqual(status, {
          outcome: 'ok',
          connected: true,
          status: 'connected',
          number: '5511999990001',
          lastDisconnectReason: null,
        });
      });
      it(`reads build ${build}: logged out, with the reason and without the number that is kept`, async () => {
        emulator.state.build = build;
        emulator.setSession('disconnected', '401: logged out from another device');
        const status = await gateway.status(access);
        assert.equal(status.outcome === 'ok' && status.connected, false);
        assert.equal(status.outcome === 'ok' && status.number, null);
        if (build !== 'older') {
          assert.equal(
            status.outcome === 'ok' && status.lastDisconnectReason,
            '401: logged out from another device',
          );
        }
      });
    }
    for (const [fault, outcome] of [
      ['invalid_token', 'invalid_credentials'],
      ['forbidden', 'invalid_credentials'],
      ['rate_limited', 'rate_limited'],
      ['not_found', 'not_a_gateway'],
      ['html', 'not_a_gateway'],
      ['redirect', 'not_a_gateway'],
      ['empty', 'not_a_gateway'],
      ['huge', 'not_a_gateway'],
      ['bad_gateway_page', 'not_reachable'],
      ['server_error', 'not_reachable'],
      ['reset', 'not_reachable'],
    ] as [GatewayFault, string][]) {
      it(`returns ${outcome} on ${fault}`, async () => {
        emulator.faults.next('/instance/status', fault);
        assert.equal((await gateway.status(access)).outcome, outcome);
      });
    }
    it('returns invalid credentials for a wrong token', async () => {
      assert.equal((await gateway.status({ ...access, token: 'wrong' })).outcome, 'invalid_credentials');
    });
    it("distinguishes a JSON answer of something else from a gateway's", async () => {
      const other = createServer((_request, response) => response.end('{"hello":"world"}'));
      await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
      const baseUrl = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
      assert.equal((await gateway.status({ ...access, baseUrl })).outcome, 'not_a_gateway');
      other.close();
    });
    it('never passes on the token or the whole answer', async () => {
      assert.equal(JSON.stringify(await gateway.status(access)).includes(emulator.instanceToken), false);
    });
  });

  describe('its addresses', () => {
    it('refuses private addresses and plain http that the operator has not opened', async () => {
      const closed = createGateway(createPublicHttp({ allow: [] }));
      assert.equal((await closed.status(access)).outcome, 'blocked');
    });
    for (const [baseUrl, allow, lookedUp] of [
      ['http://gateway.example.com', [], false],
      ['http://gateway.example.com', ['127.0.0.1/32', '10.0.0.0/8'], false],
      ['http://gateway.example.com:81', ['gateway.example.com:80'], false],
      ['http://93.184.215.14', ['127.0.0.1/32'], false],
      ['http://gateway', ['other-gateway'], false],
      ['http://gateway', ['172.16.0.0/12'], true],
      ['http://gateway.example.com', ['gateway.example.com'], true],
      ['https://gateway.example.com', [], true],
    ] as const) {
      it(`${lookedUp ? 'looks up' : 'refuses without a look-up'} ${baseUrl} if ${allow.join(' and ') || 'nothing'} is opened`, async () => {
        const names: string[] = [];
        const resolve = (name: string) => {
          names.push(name);
          return Promise.reject(new Error('no name server'));
        };
        const open = createGateway(createPublicHttp({ allow, names: namesBy(resolve) }));
        const { outcome } = await open.status({ ...access, baseUrl });
        assert.equal(names.length, lookedUp ? 1 : 0);
        if (!lookedUp) assert.equal(outcome, 'blocked');
        assert.equal('url' in open.baseUrl(baseUrl), lookedUp);
      });
    }
    it('never follows a redirect with the token', async () => {
      emulator.faults.next('/send/text', 'redirect');
      assert.equal((await gateway.sendText(access, { ...part(), text: 'x' })).outcome, 'refused');
    });
    it('reports a closed port as not reachable', async () => {
      await emulator.stop();
      assert.equal((await gateway.status(access)).outcome, 'not_reachable');
      assert.equal((await gateway.sendText(access, { ...part(), text: 'x' })).outcome, 'not_reachable');
    });
    for (const [text, url] of [
      ['https://x.uazapi.test/', 'https://x.uazapi.test'],
      [' https://x.test//// ', 'https://x.test'],
      ['https://x.test/base/', 'https://x.test/base'],
      ['HTTPS://X.test:443', 'https://x.test'],
      ['ftp://x.test', null],
      ['x.test', null],
      ['https://user:pass@x.test', null],
      ['https://x.test?token=1', null],
      ['https://x.test/#a', null],
      ['', null],
    ] as const) {
      it(`reads the base URL ${JSON.stringify(text)} as ${url ?? 'none'}`, () => {
        const read = gatewayBaseUrl(createPublicHttp({ allow: [] }), text);
        assert.equal('url' in read ? read.url : null, url);
      });
    }
  });

  describe('sending', () => {
    it('sends a text with its mark, and the token in the header alone', async () => {
      const outcome = await gateway.sendText(access, {
        ...part({ readChat: true }),
        text: 'hello',
      });
      assert.deepEqual(outcome, { outcome: 'sent', messageId: emulator.sent[0]!.messageId });
      assert.deepEqual(emulator.sent[0]!.body, {
        number: '553499990002',
        text: 'hello',
        readchat: true,
        track_source: 'parley',
        track_id: 'm1:0',
      });
      assert.equal(emulator.state.requests[0]!.headers['token'], emulator.instanceToken);
    });
    for (const build of ['2.1', '2.0', 'older'] as const) {
      it(`finds the message id in the answer of build ${build}`, async () => {
        emulator.state.build = build;
        const outcome = await gateway.sendText(access, { ...part(), text: 'x' });
        assert.equal(outcome.outcome === 'sent' && outcome.messageId, emulator.sent[0]!.messageId);
      });
    }
    it('sends a document with its name and caption', async () => {
      const media = {
        mediaType: 'document',
        file: 'aGk=',
        filename: 'a.pdf',
        contentType: 'application/pdf',
      } as const;
      assert.equal(
        (await gateway.sendMedia(access, { ...part(), ...media, caption: 'see' })).outcome,
        'sent',
      );
      const { type, docName, text, file } = emulator.sent[0]!.body;
      assert.deepEqual([type, docName, text, file], ['document', 'a.pdf', 'see', 'aGk=']);
    });
    for (const [fault, expected] of [
      ['invalid_token', { outcome: 'invalid_credentials', detail: 'Invalid token' }],
      ['forbidden', { outcome: 'invalid_credentials', detail: 'Forbidden: missing token' }],
      ['no_session', { outcome: 'session_down', detail: 'No session' }],
      ['session_closed', { outcome: 'session_down', detail: 'WhatsApp client is not connected' }],
      [
        'timelock',
        {
          outcome: 'timelocked',
          untilMs: Date.parse('2030-01-01T12:00:00Z'),
          detail: 'O WhatsApp bloqueou novas conversas',
        },
      ],
      ['rate_limited', { outcome: 'rate_limited', retryAfterMs: 7000 }],
      ['missing_field', { outcome: 'refused', status: 400, detail: 'Missing number or text' }],
      ['too_large', { outcome: 'refused', status: 413, detail: 'File size exceeds limit' }],
      ['unsupported_media', { outcome: 'refused', status: 415, detail: 'Unsupported media format' }],
      ['not_found', { outcome: 'no_instance', detail: 'Instance not found' }],
      ['resetting', { outcome: 'busy', detail: 'Instance is resetting' }],
      ['server_error', { outcome: 'failed', status: 500, detail: 'Failed to send message' }],
      ['html', { outcome: 'unknown', reason: 'unreadable_200' }],
      ['bad_gateway_page', { outcome: 'unknown', reason: 'unreadable_502' }],
      ['cut_json', { outcome: 'unknown', reason: 'unreadable_200' }],
    ] as [GatewayFault, object][]) {
      it(`returns ${JSON.stringify(expected)} on ${fault}`, async () => {
        emulator.faults.next('/send/text', fault);
        assert.deepEqual(await gateway.sendText(access, { ...part(), text: 'x' }), expected);
        assert.equal(emulator.sent.length, 0);
      });
    }
    it('returns session down if the session is really down', async () => {
      emulator.setSession('disconnected');
      assert.equal((await gateway.sendText(access, { ...part(), text: 'x' })).outcome, 'session_down');
    });
    for (const fault of ['lost_answer', 'landed_page'] as const) {
      it(`returns unknown on ${fault}, and the mark finds the message that arrived`, async () => {
        emulator.faults.next('/send/text', fault);
        assert.equal((await gateway.sendText(access, { ...part(), text: 'x' })).outcome, 'unknown');
        assert.deepEqual(await gateway.findByTrackId(access, 'm1:0'), {
          outcome: 'found',
          messageId: emulator.sent[0]!.messageId,
          ...{ status: 'Delivered', error: null },
        });
      });
    }
    it('sends nothing once its claim has used up the time, and waits no longer than the time that is left', async () => {
      const late = { ...part({ spentMs: 20_001 }), text: 'hello' };
      assert.notEqual((await gateway.sendText(access, late)).outcome, 'sent');
      assert.equal(emulator.sent.length, 0);
      emulator.faults.next('/send/text', 'landed_hang');
      const begun = performance.now();
      const { outcome } = await gateway.sendText(access, { ...part({ spentMs: 17_000 }), text: 'hello' });
      assert.equal(outcome, 'unknown');
      assert.ok(performance.now() - begun < 15_000);
    });

    it('gives up on a hanging gateway when it is aborted, and returns unknown', async () => {
      emulator.faults.next('/send/text', 'landed_hang');
      const stop = new AbortController();
      const outcome = gateway.sendText(access, { ...part({ signal: stop.signal }), text: 'x' });
      while (emulator.sent.length === 0) await new Promise(setImmediate);
      stop.abort();
      assert.equal((await outcome).outcome, 'unknown');
    });
  });

  describe('finding by mark', () => {
    it('is sure that nothing was sent if the gateway finds no message', async () => {
      assert.deepEqual(await gateway.findByTrackId(access, 'never'), { outcome: 'not_found' });
    });
    it('proves nothing when the gateway fails, or does not obey the filter', async () => {
      emulator.faults.next('/message/find', 'server_error');
      assert.deepEqual(await gateway.findByTrackId(access, 'm1:0'), { outcome: 'unavailable' });
      emulator.faults.next('/message/find', 'html');
      assert.deepEqual(await gateway.findByTrackId(access, 'm1:0'), { outcome: 'unavailable' });
      await gateway.sendText(access, { ...part({ trackId: 'other' }), text: 'x' });
      // A build without the filter gives back whatever it has.
      emulator.state.ignoresFindFilter = true;
      assert.deepEqual(await gateway.findByTrackId(access, 'm1:0'), { outcome: 'unavailable' });
      assert.deepEqual(await gateway.findByTrackId(access, 'other'), {
        outcome: 'found',
        messageId: emulator.sent[0]!.messageId,
        ...{ status: 'Delivered', error: null },
      });
    });
  });

  describe('webhook', () => {
    for (const build of ['2.1', '2.0'] as const) {
      it(`sets all seven settings on build ${build} and reads them back as they must be`, async () => {
        emulator.state.build = build;
        const settings = expectedWebhook('https://parley.test/v1/webhooks/gateway/a/b');
        const before = await gateway.readWebhook(access);
        assert.deepEqual(before, { outcome: 'ok', webhooks: [] });
        await gateway.setWebhook(access, settings);
        const after = await gateway.readWebhook(access);
        assert.deepEqual(after.outcome === 'ok' && webhookDifferences(settings, after.webhooks), []);
        assert.equal(emulator.state.webhooks[0]!.enabled, true);
      });
      it(`shows what a person set otherwise on build ${build}`, async () => {
        emulator.state.build = build;
        const settings = expectedWebhook('https://parley.test/hook');
        emulator.setWebhook({ url: settings.url, addUrlTypesMessages: true, excludeMessages: ['isGroupNo'] });
        const found = await gateway.readWebhook(access);
        assert.deepEqual(
          found.outcome === 'ok' && webhookDifferences(settings, found.webhooks).map((one) => one.setting),
          ['addUrlTypesMessages', 'excludeMessages'],
        );
      });
    }
  });

  describe('disconnect and files', () => {
    it('is done also when it was done before', async () => {
      assert.deepEqual(await gateway.disconnect(access), { outcome: 'ok' });
      assert.deepEqual(await gateway.disconnect(access), { outcome: 'ok' });
      emulator.faults.next('/instance/disconnect', 'empty');
      assert.deepEqual(await gateway.disconnect(access), { outcome: 'ok' });
      emulator.faults.next('/instance/disconnect', 'invalid_token');
      assert.deepEqual(await gateway.disconnect(access), { outcome: 'invalid_credentials' });
    });
    it('gets a link to a received file, and recognizes that one is gone', async () => {
      const { messageId } = await emulator.deliverInbound({ kind: 'voice' });
      const link = await gateway.downloadLink(access, messageId);
      assert.deepEqual(link, {
        outcome: 'ok',
        url: `${emulator.url}/files/${messageId}`,
        contentType: 'audio/mpeg',
      });
      assert.deepEqual(await gateway.downloadLink(access, 'other'), { outcome: 'gone' });
    });
  });
});
