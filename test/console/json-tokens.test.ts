import assert from 'node:assert/strict';
import { indented } from '../../src/console/components/format.ts';
import { jsonTokens } from '../../src/console/components/json-tokens.ts';

const tokensOf = (json: string) =>
  jsonTokens(json).map(({ kind, start, end }) => [kind, json.slice(start, end)]);

describe('The tokens of JSON', () => {
  it('are keys, texts, numbers and words, whatever the texts hold', () => {
    const json = indented('{"a \\" b":"x: \\"1\\" true","n":[-1.5e-7,null,true],"empty":""}');
    assert.deepEqual(tokensOf(json), [
      ['key', '"a \\" b"'],
      ['text', '"x: \\"1\\" true"'],
      ['key', '"n"'],
      ['number', '-1.5e-7'],
      ['word', 'null'],
      ['word', 'true'],
      ['key', '"empty"'],
      ['text', '""'],
    ]);
  });

  it('end where the text is cut', () => {
    for (const cut of ['{"a": "b c', '{"a": "b\\', '{"a": "b\\"c\n 1 true'])
      assert.deepEqual(tokensOf(cut), [
        ['key', '"a"'],
        ['text', cut.slice(6)],
      ]);
  });

  it('are found at once in a long text whose string does not end', () => {
    // In quadratic time, this would take minutes.
    assert.equal(jsonTokens(`["${'\\"'.repeat(500_000)}`).length, 1);
  });
});
