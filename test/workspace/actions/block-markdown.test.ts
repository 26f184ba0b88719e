import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Block } from '../../../src/workspace/blocks/block.ts';
import { textItem } from '../../../src/workspace/blocks/rich-text.ts';
import { hasBlockSyntax, readBlocks } from '../../../src/workspace/markdown/read-blocks.ts';
import { writeBlocks } from './support/markdown-writer.ts';

const block = (type: string, body: Block['body'], children: Block[] = []): Block => ({
  type,
  body,
  children,
});
const text = (content: string) => ({ rich_text: content === '' ? [] : [textItem(content)] });

describe('markdown to blocks', () => {
  it('reads long runs of spaces in linear time; quadratic time would be half a minute and more', () => {
    const spaces = ' '.repeat(100_000);
    for (const text of [`a${spaces}b`, `- a${spaces}b`, `| a${spaces}b | c |`]) {
      const begun = performance.now();
      assert.equal(readBlocks(text).blocks.length, 1);
      assert.ok(performance.now() - begun < 5000, text.slice(0, 5));
    }
  });

  it('reads what agents write: headings, lists with two spaces, tasks, fences, quotes, rules', () => {
    const { blocks, warnings } = readBlocks(
      [
        '# Title',
        'One line',
        'and its next',
        '',
        '- a',
        '  - b',
        '    1. c',
        '- [x] done',
        '- [ ] open',
        '```ts',
        'const a = 1;',
        '',
        '```',
        '> said',
        '> twice',
        '---',
      ].join('\n'),
    );
    assert.deepEqual(blocks, [
      block('heading_1', text('Title')),
      block('paragraph', text('One line\nand its next')),
      block('bulleted_list_item', text('a'), [
        block('bulleted_list_item', text('b'), [block('numbered_list_item', text('c'))]),
      ]),
      block('to_do', { checked: true, ...text('done') }),
      block('to_do', { checked: false, ...text('open') }),
      block('code', { ...text('const a = 1;\n'), language: 'typescript' }),
      block('quote', text('said\ntwice')),
      block('divider', {}),
    ]);
    assert.deepEqual(warnings, []);
  });

  it('makes a table of pipe lines, and fills short rows', () => {
    const { blocks } = readBlocks('| A | B |\n|---|:-:|\n| 1 | x \\| y |\n| 2 |');
    assert.equal(blocks.length, 1);
    assert.deepEqual(blocks[0]?.body, { table_width: 2, has_column_header: true, has_row_header: false });
    assert.deepEqual(
      blocks[0].children.map((row) => row.body['cells']),
      [
        [[textItem('A')], [textItem('B')]],
        [[textItem('1')], [textItem('x | y')]],
        [[textItem('2')], []],
      ],
    );
  });

  it('reads an image, an alert and a toggle in their usual forms', () => {
    const { blocks } = readBlocks(
      '![A cat](https://a.example/cat.png)\n\n> [!WARNING]\n> Hot\n\n<details><summary>More</summary>\n\nInside\n\n</details>',
    );
    assert.deepEqual(
      blocks.map(({ type, children }) => [type, children.length]),
      [
        ['image', 0],
        ['callout', 0],
        ['toggle', 1],
      ],
    );
  });

  it('keeps CRLF out of text and of code', () => {
    assert.deepEqual(readBlocks('a\r\n\r\n```\r\nx\r\ny\r\n```\r\n').blocks, [
      block('paragraph', text('a')),
      block('code', { ...text('x\ny'), language: 'plain text' }),
    ]);
  });

  it('distinguishes inline text from block markdown', () => {
    for (const plain of ['Hello', 'a - b', '2024 was', 'see #5', 'a | b', '5 > 3', 'one\ntwo'])
      assert.equal(hasBlockSyntax(plain), false, plain);
    for (const rich of ['# H', '- a', 'x\n1. y', '```\ncode\n```', '| a | b |\n|--|--|', '> q', 'a\n---'])
      assert.equal(hasBlockSyntax(rich), true, rich);
  });
});

describe('blocks to markdown and back', () => {
  const words = fc
    .array(
      fc.oneof(
        fc.constantFrom(
          '# ',
          '- ',
          '1. ',
          '> ',
          '|',
          '```',
          '$$',
          '---',
          '{color="red"}',
          '<details>',
          '</callout>',
          '![x](https://a.example)',
          '\n',
          '\t',
          ' ',
          '\\',
          '<empty-block/>',
        ),
        fc.string({ unit: 'grapheme', maxLength: 4 }),
      ),
      { minLength: 1, maxLength: 6 },
    )
    .map((parts) => parts.join(''))
    .filter((value) => value !== '');
  const richText = fc.oneof(
    fc.constant([]),
    words.map((value) => [textItem(value)]),
    fc.tuple(words, words).map(([a, b]) => [textItem(a), textItem(b, { bold: true })]),
  );
  const color = fc
    .option(fc.constantFrom('red', 'gray_background'), { nil: undefined })
    .map((value) => (value === undefined ? {} : { color: value }));
  const id = fc.constant('11111111-2222-3333-4444-555555555555');
  const icon = fc.constantFrom(
    {},
    { icon: { type: 'emoji', emoji: '💡' } },
    { icon: { type: 'external', external: { url: 'https://a.example/i.png' } } },
    { icon: { type: 'icon', icon: { name: 'snake', color: 'purple' } } },
  );

  const { list } = fc.letrec<{ list: Block[]; any: Block }>((tie) => {
    const children = fc.oneof({ maxDepth: 3, depthSize: 'small' }, fc.constant<Block[]>([]), tie('list'));
    const textual = (type: string, extra: fc.Arbitrary<object> = fc.constant({}), inner = children) =>
      fc
        .tuple(richText, color, extra, inner)
        .map(([rich_text, tint, more, nested]) => block(type, { ...more, rich_text, ...tint }, nested));
    const none = fc.constant<Block[]>([]);
    const heading = fc
      .constantFrom('heading_1', 'heading_2', 'heading_3', 'heading_4')
      .chain((type) =>
        fc.oneof(textual(type, undefined, none), textual(type, fc.constant({ is_toggleable: true }))),
      );
    const caption = richText.map((items) => (items.length === 0 ? {} : { caption: items }));
    const media = fc
      .tuple(fc.constantFrom('image', 'video', 'audio', 'pdf', 'file'), caption, fc.boolean())
      .map(([type, more, uploaded]) =>
        block(type, {
          ...(uploaded
            ? { type: 'file_upload', file_upload: { id: 'aaaa' } }
            : { type: 'external', external: { url: 'https://a.example/x?a=1&b="' } }),
          ...more,
        }),
      );
    const table = fc
      .tuple(fc.integer({ min: 1, max: 3 }), fc.boolean(), fc.boolean())
      .chain(([width, header, column]) =>
        fc
          .array(fc.array(richText, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 3 })
          .map((rows) =>
            block(
              'table',
              { table_width: width, has_column_header: header, has_row_header: column },
              rows.map((cells) => block('table_row', { cells })),
            ),
          ),
      );
    const columns = fc
      .array(
        fc
          .tuple(fc.constantFrom({}, { width_ratio: 0.25 }), tie('list'))
          .map(([body, inner]) => block('column', body, inner)),
        { minLength: 2, maxLength: 2 },
      )
      .map((inner) => block('column_list', {}, inner));
    const any = fc.oneof(
      { depthSize: 'small', maxDepth: 3 },
      fc.oneof(
        textual('paragraph', icon),
        heading,
        textual('bulleted_list_item'),
        textual('numbered_list_item'),
        textual('quote'),
        textual('toggle'),
        textual('callout', icon),
        textual(
          'to_do',
          fc.boolean().map((checked) => ({ checked })),
        ),
        fc
          .tuple(words, fc.constantFrom('rust', 'plain text', 'c++'), caption)
          .map(([value, language, more]) => block('code', { ...text(value), language, ...more })),
        words.map((expression) => block('equation', { expression })),
        fc.constantFrom(
          block('divider', {}),
          block('breadcrumb', {}),
          block('table_of_contents', {}),
          block('table_of_contents', { color: 'red' }),
        ),
        media,
        fc
          .tuple(fc.constantFrom('embed', 'bookmark'), caption)
          .map(([type, more]) => block(type, { url: 'https://a.example/', ...more })),
        id.map((page_id) => block('link_to_page', { type: 'page_id', page_id })),
        id.map((block_id) => block('synced_block', { synced_from: { type: 'block_id', block_id } })),
        children.map((inner) => block('synced_block', { synced_from: null }, inner)),
        table,
      ),
      columns,
    );
    return { any, list: fc.array(any, { maxLength: 4, depthIdentifier: 'blocks' }) };
  });

  const sorted = (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(value, (_, inner: unknown) =>
        typeof inner === 'object' && inner !== null && !Array.isArray(inner)
          ? Object.fromEntries(Object.entries(inner).sort())
          : inner,
      ),
    );

  it('reads back what it writes, for every kind of block and whatever its text', () => {
    fc.assert(
      fc.property(list, (blocks) => {
        const markdown = writeBlocks(blocks);
        const { blocks: again, warnings } = readBlocks(markdown);
        assert.deepEqual(sorted(again), sorted(blocks), markdown);
        assert.deepEqual(warnings, []);
      }),
      { numRuns: 1500 },
    );
  });
});
