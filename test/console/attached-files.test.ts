import assert from 'node:assert/strict';
import { fileSize } from '../../src/console/components/format.ts';
import { attach, attachmentsOf } from '../../src/console/pages/conversations/attached-files.ts';
import { chatRequest } from '../../src/contract/conversations/chat.ts';
import {
  maxAttachments,
  maxFilesBytes,
  maxMebibytesWithFiles,
} from '../../src/contract/conversations/limits.ts';

const file = (name: string, size = 1) => new File([new Uint8Array(size)], name);
const names = (files: readonly File[]) => files.map(({ name }) => name).join(' ');

describe('The files of a message in the console', () => {
  it('are those that the API takes: not empty, at most ten, and small enough together', () => {
    const few = attach(
      [file('kept', maxFilesBytes - 2)],
      [file('a'), file('empty', 0), file('b'), file('c')],
    );
    assert.equal(names(few.files), 'kept a b');
    assert.deepEqual(few.refused, { empty: ['empty'], tooLarge: ['c'], tooMany: [] });
    const many = Array.from({ length: maxAttachments + 2 }, (_, index) => file(String(index)));
    const ten = attach([], many);
    assert.equal(names(ten.files), '0 1 2 3 4 5 6 7 8 9');
    assert.deepEqual(ten.refused, { empty: [], tooLarge: [], tooMany: ['10', '11'] });
    assert.deepEqual(attach(ten.files, []).refused, { empty: [], tooLarge: [], tooMany: [] });
  });

  it('fit into a request together with the longest text and the longest names', () => {
    const bytes = maxFilesBytes / maxAttachments;
    const body = {
      message: '\u0001'.repeat(32_000),
      sync: true,
      attachments: Array.from({ length: maxAttachments }, () => ({
        content_base64: Buffer.alloc(bytes + 1).toString('base64'),
        filename: '\u0001'.repeat(255),
        content_type: `text/plain;${'"'.repeat(244)}`,
      })),
    };
    assert.ok(chatRequest.safeParse({ ...body, attachments: body.attachments.slice(0, 1) }).success);
    assert.ok(JSON.stringify(body).length < maxMebibytesWithFiles * 1024 * 1024);
  });

  it('are sent as base64 with their names, and with their types if the API takes them', async () => {
    const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, index) => index % 256));
    const [image, other] = await attachmentsOf([
      new File([bytes], 'a.png', { type: 'image/png' }),
      new File(['x'], 'b', { type: 'of/no kind' }),
    ]);
    const content_base64 = bytes.toString('base64');
    assert.deepEqual(image, { content_base64, filename: 'a.png', content_type: 'image/png' });
    assert.deepEqual(other, { content_base64: 'eA==', filename: 'b' });
    const moved = new File(['x'], 'moved.txt');
    moved.arrayBuffer = () => Promise.reject(new Error('NotReadableError'));
    await assert.rejects(attachmentsOf([moved]), /cannot read moved\.txt/);
  });

  it('show their sizes in the largest unit that fits', () => {
    const shown = [1, 999, 1000, 20_400, 999_949, 999_950, 12_000_000].map(fileSize);
    assert.deepEqual(shown, ['1 byte', '999 bytes', '1 kB', '20.4 kB', '999.9 kB', '1 MB', '12 MB']);
  });
});
