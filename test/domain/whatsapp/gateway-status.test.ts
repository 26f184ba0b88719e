import assert from 'node:assert/strict';
import { connectedNumber, isConnected } from '../../../src/domain/whatsapp/gateway-status.ts';

describe('connected decision', () => {
  for (const [status, connectedFlag, expected] of [
    ['connected', undefined, true],
    [' Connected ', false, true],
    ['disconnected', true, false],
    ['connecting', true, false],
    ['hibernated', true, false],
    ['something new', true, false],
    ['', true, true],
    [undefined, true, true],
    [undefined, false, false],
    [undefined, undefined, false],
  ] as const) {
    it(`is ${expected} for status ${JSON.stringify(status)} and flag ${connectedFlag}`, () => {
      assert.equal(isConnected({ status, connectedFlag }), expected);
    });
  }
});

describe('connected number', () => {
  it('takes the owner, without suffix and device', () => {
    assert.equal(
      connectedNumber({ status: 'connected', owner: '553499990002:57@s.whatsapp.net' }),
      '553499990002',
    );
    assert.equal(connectedNumber({ status: 'connected', owner: '+55 34 9999-0002' }), '553499990002');
  });
  it('falls back to the JID if the owner is no number', () => {
    const jid = '553499990002:57@s.whatsapp.net';
    assert.equal(
      connectedNumber({ status: 'connected', owner: 'user2025@example.com', jid }),
      '553499990002',
    );
    assert.equal(connectedNumber({ status: 'connected', owner: '', jid }), '553499990002');
  });
  it('is null for owners that are no phone number', () => {
    for (const owner of ['', '1234567', '1234567890123456', 'user20251234@example.com']) {
      assert.equal(connectedNumber({ status: 'connected', owner }), null, owner);
    }
  });
  it('shows no number after a logout, although the gateway keeps the owner', () => {
    assert.equal(connectedNumber({ status: 'disconnected', owner: '553499990002' }), null);
  });
});
