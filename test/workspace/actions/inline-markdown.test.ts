import assert from 'node:assert/strict';
import fc from 'fast-check';
import { textItem, type Annotations } from '../../../src/workspace/blocks/rich-text.ts';
import { readInline } from '../../../src/workspace/markdown/read-inline.ts';
import { writeInline } from './support/markdown-writer.ts';

const read = (text: string) => readInline(text).items;

describe('inline markdown', () => {
  const cases: [string, unknown[]][] = [
    ['plain', [textItem('plain')]],
    ['**b**', [textItem('b', { bold: true })]],
    ['*i* and _j_', [textItem('i', { italic: true }), textItem(' and '), textItem('j', { italic: true })]],
    ['~~s~~', [textItem('s', { strikethrough: true })]],
    ['`a * b`', [textItem('a * b', { code: true })]],
    ['***x***', [textItem('x', { bold: true, italic: true })]],
    [
      '**a *b* c**',
      [
        textItem('a ', { bold: true }),
        textItem('b', { bold: true, italic: true }),
        textItem(' c', { bold: true }),
      ],
    ],
    ['**a *b***', [textItem('a ', { bold: true }), textItem('b', { bold: true, italic: true })]],
    ['*a **b***', [textItem('a ', { italic: true }), textItem('b', { italic: true, bold: true })]],
    ['[t](https://a.example/x_(y))', [textItem('t', {}, 'https://a.example/x_(y)')]],
    ['[**t**](https://a.example)', [textItem('t', { bold: true }, 'https://a.example')]],
    ['snake_case_name', [textItem('snake_case_name')]],
    ['2 * 3 * 4', [textItem('2 * 3 * 4')]],
    ['**open', [textItem('**open')]],
    ['5 ~ 6', [textItem('5 ~ 6')]],
    [String.raw`\*not\*`, [textItem('*not*')]],
    ['$`x^2`$', [{ type: 'equation', equation: { expression: 'x^2' } }]],
    ['price $5 and $6', [textItem('price $5 and $6')]],
    ['a < b and <c>', [textItem('a < b and <c>')]],
  ];
  for (const [markdown, items] of cases) {
    it(`reads ${markdown}`, () => {
      assert.deepEqual(read(markdown), items);
    });
  }

  it('keeps the text of a link whose target the workspace would refuse, with a warning', () => {
    const { items, warnings } = readInline('see [this](javascript:alert(1)) and [that](/relative)');
    assert.deepEqual(items, [textItem('see this and that')]);
    assert.equal(warnings.length, 2);
  });

  const annotations = fc.record(
    {
      bold: fc.constant(true),
      italic: fc.constant(true),
      strikethrough: fc.constant(true),
      underline: fc.constant(true),
      code: fc.constant(true),
      color: fc.constantFrom('red', 'blue_background'),
    },
    { requiredKeys: [], noNullPrototype: true },
  );
  const text = fc
    .array(
      fc.oneof(
        fc.constantFrom(...'*_~`[]()<>\\&#;$!| \n\t-+.1>"ab'.split(/(?:)/u)),
        fc.string({ unit: 'grapheme', maxLength: 3 }),
      ),
      { minLength: 1, maxLength: 12 },
    )
    .map((parts) => parts.join(''))
    .filter((value) => value !== '');
  const run = fc.record({
    text,
    annotations,
    url: fc.option(fc.constantFrom('https://a.example/x', 'mailto:a@b.example', 'https://a.example/(q)'), {
      nil: undefined,
    }),
  });
  const key = (entry: { annotations: Annotations; url?: string | undefined }) =>
    JSON.stringify([Object.entries(entry.annotations).sort(), entry.url]);

  it('reads back what it writes, whatever the text and the style', () => {
    fc.assert(
      fc.property(fc.array(run, { maxLength: 5 }), (runs) => {
        // Neighbours of equal style are one run.
        const merged: typeof runs = [];
        for (const next of runs) {
          const last = merged.at(-1);
          if (last !== undefined && key(last) === key(next)) last.text += next.text;
          else merged.push({ ...next });
        }
        const items = merged.map((entry) => textItem(entry.text, entry.annotations, entry.url));
        assert.deepEqual(read(writeInline(items)), items, writeInline(items));
      }),
      { numRuns: 3000, examples: [[[{ text: '𐬀_¼_𐀀', annotations: {}, url: undefined }]]] },
    );
  });
});
