import assert from 'node:assert/strict';
import { paragraph, type Results, text, WorkPage } from './support/work-page.ts';

describe('adding content', () => {
  const page = WorkPage.each();

  describe('DOCS_ADD_MULTIPLE_PAGE_CONTENT', () => {
    it('adds every simplified kind, reads markdown, and answers with the created ids and their count', async () => {
      const kinds = [
        'paragraph',
        'heading_1',
        'heading_2',
        'heading_3',
        'callout',
        'to_do',
        'toggle',
        'quote',
        'bulleted_list_item',
        'numbered_list_item',
      ];
      const result = await page.add([
        ...kinds.map((block_property) => ({ content: `**bold** ${block_property}`, block_property })),
        { block_property: 'divider' },
      ]);
      assert.equal(result['count'], 11);
      assert.equal(result['has_more'], false);
      assert.equal((result['results'] as Results).length, 11);
      assert.deepEqual(page.outline(), [...kinds.map((kind) => `${kind}: bold ${kind}`), 'divider']);
      const { results } = await page.harness.ok('DOCS_FETCH_BLOCK_CONTENTS', { block_id: page.id });
      const [first] = results as { paragraph: { rich_text: { annotations?: object }[] } }[];
      assert.deepEqual(first?.paragraph.rich_text[0]?.annotations, { bold: true });
    });

    it('splits text over 2000 characters inside one block, and loses none of it', async () => {
      const long = `${'Sentence with words. '.repeat(300)}😀 end`;
      const result = await page.add([{ content: long, block_property: 'quote' }]);
      assert.equal(result['count'], 1);
      assert.deepEqual(page.outline(), [`quote: ${long}`]);
    });

    it('makes tables, lists and code of a paragraph that holds block markdown, and leaves it alone when asked', async () => {
      await page.add([
        { content: '# Plan\n\n| A | B |\n|---|---|\n| 1 | 2 |\n\n- x\n  - y\n\n```js\n1\n```' },
      ]);
      assert.deepEqual(
        page.outline().map((line) => line.replace(/:.*/, '')),
        [
          'heading_1',
          'table',
          '  table_row',
          '  table_row',
          'bulleted_list_item',
          '  bulleted_list_item',
          'code',
        ],
      );
      await page.add([{ content: '# not a heading', parse_markdown: false }]);
      assert.equal(page.outline().at(-1), 'paragraph: # not a heading');
    });

    it('inserts after a given block, as its siblings and in order', async () => {
      const { results } = await page.add(['one', 'four']);
      await page.add(['two', 'three'], { after: (results as Results)[0]?.id });
      assert.deepEqual(page.outline(), [
        'paragraph: one',
        'paragraph: two',
        'paragraph: three',
        'paragraph: four',
      ]);
    });

    it('takes items and lists that arrive as JSON text, once or twice encoded', async () => {
      const blocks = [{ content: 'a' }, { content: 'b' }];
      await page.add(JSON.stringify(blocks));
      await page.add(JSON.stringify(JSON.stringify(blocks)));
      await page.add(blocks.map((block) => JSON.stringify(block)));
      await page.add([{ content_block: { content: 'wrapped' } }]);
      assert.equal(page.outline().length, 7);
    });

    it('refuses over 100 items, unknown kinds, missing content and headings with children, all before anything is sent', async () => {
      const before = page.harness.emulator.requests.length;
      assert.match(
        await page.harness.fails('DOCS_ADD_MULTIPLE_PAGE_CONTENT', {
          parent_block_id: page.id,
          content_blocks: Array.from({ length: 101 }, () => 'x'),
        }),
        /INVALID_INPUT: content_blocks: .*100/,
      );
      const error = await page.harness.fails('DOCS_ADD_MULTIPLE_PAGE_CONTENT', {
        parent_block_id: page.id,
        content_blocks: [
          { content: 'fine' },
          { content: 'x', block_property: 'banner' },
          { block_property: 'quote' },
          { type: 'heading_1', heading_1: { rich_text: text('H'), children: [paragraph('c')] } },
        ],
      });
      assert.match(error, /content_blocks\[1\]\.block_property is "banner"; use one of paragraph/);
      assert.match(error, /content_blocks\[2\]\.content is missing/);
      assert.match(error, /heading_1 cannot have children unless is_toggleable is true/);
      assert.match(
        await page.harness.fails('DOCS_ADD_MULTIPLE_PAGE_CONTENT', {
          parent_block_id: page.id,
          content_blocks: '[{"content": ',
        }),
        /content_blocks is text that looks like JSON and does not parse/,
      );
      assert.equal(page.harness.emulator.requests.length, before);
    });

    it('keeps the children of a toggleable heading', async () => {
      await page.add([
        {
          type: 'heading_2',
          heading_2: { rich_text: text('H'), is_toggleable: true, children: [paragraph('c')] },
        },
      ]);
      assert.deepEqual(page.outline(), ['heading_2: H', '  paragraph: c']);
    });

    it('refuses an unknown after, because it is not a direct child', async () => {
      assert.match(
        await page.harness.fails('DOCS_ADD_MULTIPLE_PAGE_CONTENT', {
          parent_block_id: page.id,
          content_blocks: ['x'],
          after: page.harness.emulator.ids.home,
        }),
        /after is .* which is not a direct child/,
      );
    });
  });

  describe('DOCS_ADD_PAGE_CONTENT', () => {
    it('adds one block through either alias, from an object or its JSON text, and names what replaces it', async () => {
      const result = await page.harness.ok('DOCS_ADD_PAGE_CONTENT', {
        page_id: page.id,
        content_block: { content: 'a', block_property: 'to_do', checked: true },
      });
      assert.match(String(result['deprecated']), /DOCS_ADD_MULTIPLE_PAGE_CONTENT/);
      const parent = (result['results'] as Results)[0]?.id;
      await page.harness.ok('DOCS_ADD_PAGE_CONTENT', { block_id: parent, content_block: '{"content":"b"}' });
      assert.deepEqual(page.outline(), ['to_do: a', '  paragraph: b']);
    });

    it('refuses contradicting aliases, and text blocks without content', async () => {
      assert.match(
        await page.harness.fails('DOCS_ADD_PAGE_CONTENT', {
          page_id: page.id,
          parent_block_id: page.harness.emulator.ids.home,
          content_block: 'x',
        }),
        /page_id is another name of parent_block_id, and their values differ/,
      );
      assert.match(
        await page.harness.fails('DOCS_ADD_PAGE_CONTENT', {
          page_id: page.id,
          content_block: { block_property: 'callout' },
        }),
        /content_block\.content is missing/,
      );
    });

    it('adds one block: markdown of several stays the text of one paragraph, with a warning', async () => {
      const add = (content: string) =>
        page.harness.ok('DOCS_ADD_PAGE_CONTENT', { page_id: page.id, content_block: { content } });
      for (const content of ['# Plan\n\n- one\n- two', 'Text\n\n| A | B |\n|---|---|\n| 1 | 2 |']) {
        const result = await add(content);
        assert.deepEqual([result['count'], result['blocks_created']], [1, 1]);
        assert.match(String(result['warnings']), /markdown of [23] blocks.*DOCS_ADD_MULTIPLE_PAGE_CONTENT/);
        assert.equal(page.outline().at(-1), `paragraph: ${content}`);
      }
      for (const [content, line] of [
        ['# Plan', 'heading_1: Plan'],
        ['- one', 'bulleted_list_item: one'],
        ['```js\n1\n```', 'code: 1'],
      ] as const) {
        assert.equal((await add(content))['count'], 1);
        assert.equal(page.outline().at(-1), line);
      }
    });

    it('reports how many blocks it made, and why, if the text is longer than one block may be', async () => {
      const content = 'word '.repeat(50_000);
      const result = await page.harness.ok('DOCS_ADD_PAGE_CONTENT', {
        page_id: page.id,
        content_block: { content },
      });
      assert.equal(result['count'], 2);
      assert.match(String(result['warnings']), /longer than a block holds.*2 blocks were made/);
      assert.equal(
        page
          .outline()
          .map((line) => line.replace('paragraph: ', ''))
          .join(''),
        content,
      );
    });

    it('asks for another parent if the parent supports no children', async () => {
      const { results } = await page.add([{ block_property: 'divider' }]);
      assert.match(
        await page.harness.fails('DOCS_ADD_PAGE_CONTENT', {
          block_id: (results as Results)[0]?.id,
          content_block: 'x',
        }),
        /VALIDATION_ERROR \(HTTP 400\): .*children.*give the page id as the parent and the heading id as after/s,
      );
    });
  });
});
