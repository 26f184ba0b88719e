import assert from 'node:assert/strict';
import fc from 'fast-check';
import { recordedText } from '../../../src/app/conversations/post-callback.ts';

const bytes = (text: string): Buffer => Buffer.from(text, 'utf8');

describe('recorded text', () => {
  it('keeps at most 5,000 characters', () => {
    assert.equal(recordedText(bytes('x'.repeat(5_000))), 'x'.repeat(5_000));
    assert.equal(recordedText(bytes('x'.repeat(5_001))), 'x'.repeat(5_000));
    assert.equal(recordedText(bytes('é'.repeat(6_000))), 'é'.repeat(5_000));
  });

  it('drops a pair whole that the cut would halve', () => {
    assert.equal(recordedText(bytes(`${'x'.repeat(4_999)}😀`)), 'x'.repeat(4_999));
    assert.equal(recordedText(bytes(`${'x'.repeat(4_998)}😀y`)), `${'x'.repeat(4_998)}😀`);
  });

  it('replaces what is no UTF-8, lone surrogates too', () => {
    assert.equal(recordedText(Buffer.from([0x61, 0xff, 0x62])), 'a\ufffdb');
    assert.equal(recordedText(Buffer.from([0xed, 0xa0, 0x80, 0x61])), '\ufffd\ufffd\ufffda');
    assert.equal(recordedText(bytes('é').subarray(0, 1)), '\ufffd');
  });

  it('strips NUL, which Postgres refuses', () => {
    assert.equal(recordedText(bytes('a\0b\0')), 'ab');
    assert.equal(recordedText(bytes(`${'\0'.repeat(10)}${'x'.repeat(5_000)}`)), 'x'.repeat(5_000));
  });

  it('gives text that the database takes, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.integer({ min: 1, max: 60 }), (body, maxChars) => {
        const text = recordedText(body, maxChars);
        assert.ok(text.length <= maxChars && text.isWellFormed() && !text.includes('\0'));
      }),
    );
  });
});
