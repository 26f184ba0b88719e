import assert from 'node:assert/strict';
import fc from 'fast-check';
import { splitReply } from '../../../src/domain/whatsapp/split-reply.ts';

const bare = (text: string): string => text.replace(/[\s`]/g, '');

describe('reply splitting', () => {
  it('keeps a text that fits as it is', () => {
    assert.deepEqual(splitReply('short'), ['short']);
    assert.deepEqual(splitReply('x'.repeat(4096)), ['x'.repeat(4096)]);
  });
  it('sends nothing for a blank text', () => {
    for (const text of ['', ' ', '\n\n', ' '.repeat(9000)]) assert.deepEqual(splitReply(text), []);
  });

  it('gives the text back apart from white space at the cuts, in parts within the limit', () => {
    const pieces = fc.constantFrom(
      'word ',
      'a. ',
      '\n',
      '\n\n',
      '  indented',
      '👩‍👩‍👧‍👦',
      'é',
      'e\u0301',
      '🇧🇷',
      'x'.repeat(70),
      '。',
      '{',
      '\r\n',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 120 }), fc.integer({ min: 64, max: 200 }), (list, limit) => {
        const text = list.join('');
        const parts = splitReply(text, limit);
        assert.equal(bare(parts.join('')), bare(text));
        for (const part of parts) {
          assert.ok(part.length <= limit, `${part.length} > ${limit}`);
          assert.notEqual(part.trim(), '');
          assert.equal(part.isWellFormed(), true);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('never cuts inside an emoji sequence or a letter with its accent', () => {
    const graphemes = (text: string): string[] =>
      [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)].map((one) => one.segment);
    for (const sign of ['👩‍👩‍👧‍👦', 'e\u0301', '🇧🇷', '👍🏽', '1️⃣']) {
      for (const lead of ['', 'x', 'xy', 'xyz']) {
        const text = lead + sign.repeat(100);
        const parts = splitReply(text, 64);
        assert.ok(parts.length > 1);
        assert.deepEqual(parts.flatMap(graphemes), graphemes(text), sign);
      }
    }
  });

  it('prefers a paragraph, then a line, then a sentence, then a space', () => {
    const filler = 'abcd '.repeat(9).trim(); // 44 units
    assert.deepEqual(splitReply(`${filler}\n\ntwo words here and\nmore of it`, 70), [
      filler,
      'two words here and\nmore of it',
    ]);
    assert.deepEqual(splitReply(`${filler}\ntwo. words here and more of it`, 70)[0], filler);
    assert.deepEqual(splitReply(`${filler}. Then words here and more of it`, 70)[0], `${filler}.`);
    assert.deepEqual(splitReply(`${filler} thenWordsHereAndMoreOfThem`, 70)[0], filler);
  });

  it('closes a code block at the end of a part and opens it again in the next', () => {
    const lines = Array.from({ length: 40 }, (_, line) => `    line ${line};`).join('\n');
    const parts = splitReply(`Look:\n\`\`\`\n${lines}\n\`\`\`\nDone.`, 120);
    assert.ok(parts.length > 4);
    for (const part of parts) {
      assert.equal((part.match(/```/g) ?? []).length % 2, 0, part);
      assert.ok(part.length <= 120);
    }
    const code = parts
      .join('\n')
      .replaceAll('```', '')
      .split('\n')
      .filter((line) => line.includes('line'));
    assert.deepEqual(code, lines.split('\n'), 'indentation is kept');
  });

  it('keeps fences balanced and progresses for any mix of fences and text', () => {
    const pieces = fc.constantFrom('```', '`', '\n', ' ', 'word', '```\n', 'y'.repeat(50));
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 80 }), (list) => {
        const text = list.join('');
        const parts = splitReply(text, 64);
        assert.equal(bare(parts.join('')), bare(text));
        for (const part of parts) assert.ok(part.length <= 64);
        // The last part ends as the text does, which may leave a block open.
        for (const part of parts.slice(0, -1)) assert.equal(part.split('```').length % 2, 1, part);
        assert.ok(parts.length <= 2 + text.length / 14, 'no crumbs');
      }),
      { numRuns: 500 },
    );
  });

  it('keeps a cluster of marks longer than a part as whole code points', () => {
    const parts = splitReply(`a${'\u0301'.repeat(300)}`, 64);
    assert.equal(parts.join(''), `a${'\u0301'.repeat(300)}`);
  });
  it('refuses a limit without room', () => {
    assert.throws(() => splitReply('x', 63), RangeError);
  });
  it('takes a second at most for the longest text', () => {
    const start = performance.now();
    splitReply('lorem ipsum '.repeat(30_000));
    splitReply('x'.repeat(300_000));
    assert.ok(performance.now() - start < 2000);
  });
});
