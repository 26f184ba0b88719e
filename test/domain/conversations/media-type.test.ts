import assert from 'node:assert/strict';
import { mediaKindOf } from '../../../src/domain/conversations/media-type.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');

describe('What an attachment is', () => {
  for (const [title, content, label, kind] of [
    ['PNG', '\x89PNG\r\n\x1a\n…', null, { kind: 'image', type: 'image/png' }],
    ['JPEG with a wrong label', '\xff\xd8\xff\xe0', 'text/plain', { kind: 'image', type: 'image/jpeg' }],
    ['GIF', 'GIF89a', 'image/gif', { kind: 'image', type: 'image/gif' }],
    ['WebP', 'RIFF\x01\x00\x00\x00WEBPVP8 ', null, { kind: 'image', type: 'image/webp' }],
    ['PDF', '%PDF-1.7', 'application/octet-stream', { kind: 'document', type: 'application/pdf' }],
    ['text without a label', 'hello', null, { kind: 'text' }],
    ['text of any kind', '<a/>', 'application/atom+xml; charset=utf-8', { kind: 'text' }],
    ['text that is called an image', 'hello', 'image/png', { kind: 'other' }],
    ['text in another encoding', 'na\xefve', 'text/plain', { kind: 'other' }],
    ['bytes', 'a\x00b', null, { kind: 'other' }],
    ['nothing', '', 'image/png', { kind: 'other' }],
  ] as const) {
    it(`is recognized by its bytes: ${title}`, () => {
      assert.deepEqual(mediaKindOf(bytes(content), label), kind);
    });
  }
});
