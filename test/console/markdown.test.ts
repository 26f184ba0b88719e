/** The Markdown of answers as the console reads it: only what models write, and nothing that could run. */
import assert from 'node:assert/strict';
import {
  highlight,
  isPlain,
  readBlocks,
  readInline,
  shownText,
  withoutMarks,
} from '../../src/console/components/markdown.ts';

describe('Markdown of answers', () => {
  it('reads paragraphs, headings, lists, code, bold, italic and links', () => {
    const text =
      '## Delivery\nIt takes **three** to *four* days.\n\n1. Pay\n2. Wait, see [the page](https://shop.example/p)\n- `SKU` again\n```\nGET /orders\n```\n';
    assert.deepEqual(
      readBlocks(text).map((block) => block.kind),
      ['heading', 'paragraph', 'list', 'list', 'code'],
    );
    const [, paragraph, ordered, bullets, code] = readBlocks(text);
    assert.deepEqual(paragraph, {
      kind: 'paragraph',
      parts: [
        { kind: 'text', text: 'It takes ' },
        { kind: 'bold', text: 'three' },
        { kind: 'text', text: ' to ' },
        { kind: 'italic', text: 'four' },
        { kind: 'text', text: ' days.' },
      ],
    });
    assert.deepEqual(ordered, {
      ...{ kind: 'list', ordered: true, start: 1 },
      items: [
        [{ kind: 'text', text: 'Pay' }],
        [
          { kind: 'text', text: 'Wait, see ' },
          { kind: 'link', text: 'the page', url: 'https://shop.example/p' },
        ],
      ],
    });
    assert.deepEqual(bullets, {
      ...{ kind: 'list', ordered: false, start: 1 },
      items: [
        [
          { kind: 'code', text: 'SKU' },
          { kind: 'text', text: ' again' },
        ],
      ],
    });
    assert.deepEqual(code, { kind: 'code', parts: [{ kind: 'text', text: 'GET /orders' }] });
  });

  it('leaves HTML, other schemes and lone marks as text', () => {
    for (const text of [
      '<img src=x onerror="alert(1)">',
      '[click](javascript:alert(1))',
      '[file](file:///etc/passwd)',
      '2 * 3 * 4',
      'find_order and check_stock',
      'five stars *****',
    ])
      assert.equal(isPlain(readBlocks(text)), true, text);
    assert.deepEqual(readInline('**bold'), [{ kind: 'text', text: '**bold' }]);
  });

  it('shows a code block that was cut off, and previews without marks', () => {
    assert.deepEqual(readBlocks('Run:\n```\nnpm start').at(-1), {
      kind: 'code',
      parts: [{ kind: 'text', text: 'npm start' }],
    });
    assert.equal(withoutMarks('A **ZZ plant**, see [care](https://a.example).'), 'A ZZ plant, see care.');
  });

  it('highlights a part of the text that is shown, across words in bold and items of lists', () => {
    const blocks = readBlocks('Wait **four days**:\n\n- one\n- two');
    const text = shownText(blocks);
    assert.equal(text, 'Wait four days:\none\ntwo');
    const highlighted = highlight(blocks, [text.indexOf('days'), text.indexOf('two') + 1]);
    const parts = highlighted.flatMap((block) => (block.kind === 'list' ? block.items.flat() : block.parts));
    assert.deepEqual(
      parts.filter((part) => part.isHighlighted).map((part) => [part.kind, part.text]),
      [
        ['bold', 'days'],
        ['text', ':'],
        ['text', 'one'],
        ['text', 't'],
      ],
    );
    assert.equal(shownText(highlighted), text);
  });

  it('reads hostile texts in time proportional to their length', () => {
    for (const mark of ['[', '`', '*', '**a', '[a](', '- ', '1. ', '\n', '```\n']) {
      const text = mark.repeat(200_000);
      const began = performance.now();
      readBlocks(text);
      const tookMs = performance.now() - began;
      assert.ok(tookMs < 3000, `${JSON.stringify(mark)} took ${Math.round(tookMs)} ms`);
    }
  });
});
