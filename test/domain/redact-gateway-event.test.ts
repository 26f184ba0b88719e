import assert from 'node:assert/strict';
import { redactGatewayEvent } from '../../src/domain/whatsapp/redact-event.ts';

describe('event redaction', () => {
  const secret = '0b1e7c2a-1111-4222-8333-444455556666';

  it('leaves no trace of the instance token, wherever it stands', () => {
    const body = {
      token: secret,
      Token: secret,
      instance: { token: secret, adminToken: secret, name: 'x', qrcode: 'data:…' },
      message: [{ text: `my token is ${secret}`, content: { JPEGThumbnail: 'aaaa', openai_apikey: 'k' } }],
    };
    const clean = JSON.stringify(redactGatewayEvent(body, [secret]));
    assert.equal(clean.includes(secret), false);
    assert.deepEqual(JSON.parse(clean), {
      instance: { name: 'x' },
      message: [{ text: 'my token is [removed]', content: {} }],
    });
  });
  it('does not change what it was given', () => {
    const body = Object.freeze({ token: secret, message: Object.freeze({ text: 'hi' }) });
    assert.deepEqual(redactGatewayEvent(body), { message: { text: 'hi' } });
    assert.equal(body.token, secret);
  });
  it('ends on bodies nested without measure', () => {
    let deep: unknown = { token: secret };
    for (let level = 0; level < 5000; level += 1) deep = { deep };
    assert.equal(JSON.stringify(redactGatewayEvent(deep)).includes(secret), false);
  });
});
