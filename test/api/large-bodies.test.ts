/** The cost of a body with a large file for the process that reads it. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type express from 'express';
import { chatRequest } from '../../src/contract/conversations/chat.ts';
import { FileBytes } from '../../src/contract/file-bytes.ts';
import { PublicError } from '../../src/contract/errors.ts';
import { givenFiles } from '../../src/adapters/postgres/conversations/given-files.ts';
import { readBody } from '../../src/api/read-body.ts';

const mebibyte = 1024 * 1024;
const sixteen = 16 * mebibyte;

function read(text: string): unknown {
  const request = { body: Buffer.from(text), is: () => 'application/json' } as unknown as express.Request;
  return readBody(request, { maxBodyBytes: sixteen, takesFiles: true }).value;
}

const withFile = (json: string) =>
  `{"message": "a", "attachments": [{"filename": "f", "content_base64": ${json}}]}`;
const large = randomBytes(100_001);
const base64 = large.toString('base64');

/** Reads a body, and returns the bytes to store of its only file. */
function storedOf(text: string): Uint8Array {
  return givenFiles(chatRequest.parse(read(text)).attachments ?? []).bytes;
}

describe('A large file in a body', () => {
  for (const [name, json] of [
    ['as JSON.stringify writes it', JSON.stringify(base64)],
    ['with each slash escaped', JSON.stringify(base64).replaceAll('/', '\\/')],
    ['with other signs escaped', JSON.stringify(base64).replace('A', '\\u0041')],
  ] as const)
    it(`${name} is stored as it was`, () => {
      assert.ok(large.equals(storedOf(withFile(json))));
    });

  for (const length of [65_536, 65_537, 65_538, 786_431, 786_432, 786_433, 1_572_864, 3 * mebibyte + 1])
    it(`of ${length} bytes is stored as it was, whole and with slashes escaped`, () => {
      const bytes = Buffer.alloc(length, 0xff);
      const json = JSON.stringify(bytes.toString('base64'));
      for (const written of [json, json.replaceAll('/', '\\/')])
        assert.ok(bytes.equals(storedOf(withFile(written))));
    });

  it('is never turned into a string on its way', () => {
    const parsed = chatRequest.parse(read(withFile(JSON.stringify(base64))));
    const [file] = parsed.attachments ?? [];
    assert.ok(file && 'content_base64' in file && file.content_base64 instanceof FileBytes);
  });

  for (const [name, wrong] of [
    ['a sign that is none of base64', base64.replace(/^./, '%')],
    ['one of base64url', base64.replace(/^./, '_')],
    ['no padding', base64.replace(/=+$/, '')],
    ['padding within', `${base64.slice(0, 50_000)}====${base64.slice(50_000)}`],
    ['a line break', `${base64.slice(0, 76)}\n${base64.slice(76)}`],
    ['a letter too many', `${base64}A`],
  ] as const)
    it(`with ${name} is refused, and the field is named`, () => {
      const result = chatRequest.safeParse(read(withFile(JSON.stringify(wrong))));
      assert.match(JSON.stringify(result.error?.issues), /content_base64/);
    });

  it('within metadata is refused like any metadata of that size', () => {
    const text = `{"message": "a", "metadata": {"content_base64": "${base64}"}}`;
    assert.throws(
      () => read(text),
      (error) => error instanceof PublicError && error.extra.details?.[0]?.path === 'metadata',
    );
  });

  it('leaves text that looks like a file unchanged', () => {
    const message = `"content_base64": "${base64}`;
    assert.deepEqual(read(JSON.stringify({ message })), { message });
  });

  it('goes to Postgres beside the JSON of its message', () => {
    const both = `{"content_base64": "${base64}", "filename": "f"}, {"content_base64": "aGk="}, {"url": "https://example.com"}`;
    const { attachments } = chatRequest.parse(read(`{"attachments": [${both}]}`));
    const { rows, bytes } = givenFiles(attachments ?? []);
    assert.ok(Buffer.concat([large, Buffer.from('hi')]).equals(bytes));
    assert.deepEqual(
      rows.map(({ starts, size }) => [starts, size]),
      [
        [1, large.length],
        [large.length + 1, 2],
        [undefined, undefined],
      ],
    );
    assert.ok(JSON.stringify(rows).length < 1000);
  });
});
