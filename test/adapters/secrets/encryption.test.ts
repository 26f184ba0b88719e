import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createEncryption, type SecretPlace } from '../../../src/adapters/secrets/encryption.ts';

const key = () => randomBytes(32).toString('base64');
const place: SecretPlace = { organizationId: 'o', table: 'channels', rowId: 'r', column: 'instance_token' };
const secret = 'a secret — with ünïcode';

describe('Secrets at rest', () => {
  it('open again in the place they were sealed for, and hold nothing of the secret in clear', () => {
    const encryption = createEncryption(key());
    const sealed = encryption.seal(secret, place);
    assert.match(sealed, /^v1:[0-9a-f]{8}:[\w-]{16}:[\w-]+:[\w-]{22}$/);
    assert.equal(encryption.open(sealed, place), secret);
    assert.equal(Buffer.from(sealed.split(':')[3]!, 'base64url').includes('secret'), false);
  });

  it('are another ciphertext each time', () => {
    const encryption = createEncryption(key());
    const all = Array.from({ length: 100 }, () => encryption.seal(secret, place));
    assert.equal(new Set(all).size, 100);
  });

  for (const part of ['organizationId', 'table', 'rowId', 'column'] as const) {
    it(`do not open in another ${part}`, () => {
      const encryption = createEncryption(key());
      const sealed = encryption.seal(secret, place);
      assert.throws(() => encryption.open(sealed, { ...place, [part]: 'another' }));
    });
  }

  it('do not open if the borders between the parts of a place have moved', () => {
    const encryption = createEncryption(key());
    const sealed = encryption.seal(secret, { ...place, table: 'a|b', rowId: 'c' });
    assert.throws(() => encryption.open(sealed, { ...place, table: 'a', rowId: 'b|c' }));
  });

  it('do not open when a byte of any part was changed', () => {
    const encryption = createEncryption(key());
    const pieces = encryption.seal(secret, place).split(':');
    for (const index of [2, 3, 4]) {
      const bytes = Buffer.from(pieces[index]!, 'base64url');
      bytes[0]! ^= 1;
      const changed = pieces.with(index, bytes.toString('base64url')).join(':');
      assert.throws(() => encryption.open(changed, place), `part ${index}`);
    }
    for (const text of ['', 'v1', 'v2:a:b:c:d', secret]) assert.throws(() => encryption.open(text, place));
  });

  it('name another key if they were encrypted with one', () => {
    const sealed = createEncryption(key()).seal(secret, place);
    assert.throws(() => createEncryption(key()).open(sealed, place), /another ENCRYPTION_KEY/);
  });

  it('need a key of 32 bytes, at the start; none at all is named at the first use', () => {
    assert.throws(() => createEncryption('c2hvcnQ='), /32 bytes/);
    const none = createEncryption(undefined);
    assert.throws(() => none.seal(secret, place), /ENCRYPTION_KEY/);
  });
});
