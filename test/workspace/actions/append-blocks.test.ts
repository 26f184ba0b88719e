import assert from 'node:assert/strict';
import { paragraph, type Results, text, WorkPage } from './support/work-page.ts';

describe('appending blocks', () => {
  const page = WorkPage.each();

  describe('raw and typed appends', () => {
    it('append each family, nested as the API allows', async () => {
      await page.harness.ok('DOCS_APPEND_BLOCK_CHILDREN', {
        block_id: page.id,
        children: [paragraph('raw', [paragraph('in', [paragraph('deep')])])],
      });
      await page.harness.ok('DOCS_APPEND_TEXT_BLOCKS', { block_id: page.id, blocks: [paragraph('text')] });
      await page.harness.ok('DOCS_APPEND_TASK_BLOCKS', {
        block_id: page.id,
        children: [
          { type: 'to_do', to_do: { rich_text: 'bare text', checked: true } },
          { type: 'callout', callout: { rich_text: text('c'), icon: '💡', children: [paragraph('x')] } },
        ],
      });
      await page.harness.ok('DOCS_APPEND_CODE_BLOCKS', {
        block_id: page.id,
        children: [
          { type: 'code', code: { rich_text: text('a'), language: 'ts' } },
          { type: 'quote', quote: { rich_text: text('q') } },
          { type: 'equation', equation: { expression: 'e=mc^2' } },
        ],
      });
      await page.harness.ok('DOCS_APPEND_MEDIA_BLOCKS', {
        block_id: page.id,
        children: ['image', 'video', 'audio', 'file', 'pdf', 'embed', 'bookmark'].map((type) => ({
          type,
          url: `https://example.com/${type}`,
        })),
      });
      await page.harness.ok('DOCS_APPEND_LAYOUT_BLOCKS', {
        block_id: page.id,
        children: [
          { type: 'divider', divider: {} },
          { type: 'table_of_contents', table_of_contents: {} },
          { type: 'breadcrumb', breadcrumb: {} },
          {
            type: 'column_list',
            column_list: {
              children: ['l', 'r'].map((side) => ({
                type: 'column',
                column: { children: [paragraph(side)] },
              })),
            },
          },
        ],
      });
      assert.deepEqual(
        page.outline().map((line) => line.replace(/:.*/, '')),
        [
          'paragraph',
          '  paragraph',
          '    paragraph',
          'paragraph',
          'to_do',
          'callout',
          '  paragraph',
          'code',
          'quote',
          'equation',
          'image',
          'video',
          'audio',
          'file',
          'pdf',
          'embed',
          'bookmark',
          'divider',
          'table_of_contents',
          'breadcrumb',
          'column_list',
          '  column',
          '    paragraph',
          '  column',
          '    paragraph',
        ],
      );
    });

    const refusals: [string, string, object[], RegExp][] = [
      [
        'other types',
        'DOCS_APPEND_TEXT_BLOCKS',
        [{ type: 'to_do', to_do: { rich_text: [] } }],
        /children\[0\] is a to_do; DOCS_APPEND_TEXT_BLOCKS takes paragraph, heading_1/,
      ],
      [
        'over 2000 characters',
        'DOCS_APPEND_TEXT_BLOCKS',
        [paragraph('x'.repeat(2001))],
        /children\[0\]\.paragraph\.rich_text\[0\]\.text\.content has 2001 characters; at most 2000/,
      ],
      [
        'a missing type',
        'DOCS_APPEND_BLOCK_CHILDREN',
        [{ object: 'block' }],
        /children\[0\]\.type is missing/,
      ],
      [
        'a child page',
        'DOCS_APPEND_BLOCK_CHILDREN',
        [{ type: 'child_page', child_page: { title: 'x' } }],
        /child_page block cannot be created: create pages with DOCS_CREATE_DOCS_PAGE/,
      ],
      [
        'over 100 blocks',
        'DOCS_APPEND_BLOCK_CHILDREN',
        Array.from({ length: 101 }, (_, n) => paragraph(String(n))),
        /children has 101 blocks; at most 100 per request/,
      ],
      [
        'three nested levels',
        'DOCS_APPEND_TASK_BLOCKS',
        [
          {
            type: 'toggle',
            toggle: { rich_text: text('a'), children: [paragraph('b', [paragraph('c', [paragraph('d')])])] },
          },
        ],
        /nested 3 levels deep; at most 2/,
      ],
      [
        'media without a URL',
        'DOCS_APPEND_MEDIA_BLOCKS',
        [{ type: 'image', image: {} }],
        /children\[0\]\.image needs an external URL/,
      ],
      [
        'an embed that is no web address',
        'DOCS_APPEND_MEDIA_BLOCKS',
        [{ type: 'embed', embed: { url: 'ftp://x' } }],
        /children\[0\]\.embed\.url is "ftp:\/\/x"; give an http or https address/,
      ],
      [
        'a column list of one column',
        'DOCS_APPEND_LAYOUT_BLOCKS',
        [
          {
            type: 'column_list',
            column_list: { children: [{ type: 'column', column: { children: [paragraph('x')] } }] },
          },
        ],
        /has 1 columns; a column_list needs 2 or more/,
      ],
      [
        'an empty column',
        'DOCS_APPEND_LAYOUT_BLOCKS',
        [
          {
            type: 'column_list',
            column_list: {
              children: [
                { type: 'column', column: { children: [paragraph('x')] } },
                { type: 'column', column: { children: [] } },
              ],
            },
          },
        ],
        /children\[1\] is empty; each column needs at least one child/,
      ],
      [
        'an empty equation',
        'DOCS_APPEND_CODE_BLOCKS',
        [{ type: 'equation', equation: { expression: '' } }],
        /give 1 to 1000 characters of LaTeX/,
      ],
    ];
    for (const [what, action, children, sentence] of refusals) {
      it(`${action} refuses ${what} with path and reason, and sends nothing`, async () => {
        const before = page.harness.emulator.requests.length;
        assert.match(await page.harness.fails(action, { block_id: page.id, children }), sentence);
        assert.equal(page.harness.emulator.requests.length, before);
      });
    }

    it('a column goes into an existing column list only', async () => {
      const column = { type: 'column', column: { children: [paragraph('x')] } };
      assert.match(
        await page.harness.fails('DOCS_APPEND_LAYOUT_BLOCKS', { block_id: page.id, children: [column] }),
        /a column can only be appended to a column_list, and .* is a child_page/,
      );
      const { results } = await page.harness.ok('DOCS_APPEND_LAYOUT_BLOCKS', {
        block_id: page.id,
        children: [{ type: 'column_list', column_list: { children: [column, column] } }],
      });
      await page.harness.ok('DOCS_APPEND_LAYOUT_BLOCKS', {
        block_id: (results as Results)[0]?.id,
        children: [column],
      });
      assert.equal(page.outline().filter((line) => line.trim().startsWith('column')).length, 4);
    });

    it('text of many short pieces goes in requests of 1,000 pieces, as its answer is several times as long', async () => {
      const spans = Array.from({ length: 3500 }, (_, number) => (number % 2 ? '`a`' : 'b'));
      const before = page.harness.emulator.requests.length;
      await page.harness.ok('DOCS_CREATE_DOCS_PAGE', {
        title: 'Dense',
        parent_id: page.id,
        markdown: `${spans.join('')}${' '.repeat(100_000)}`,
      });
      const pieces = page.harness.emulator.requests
        .slice(before)
        .map(({ body }) => JSON.stringify(body ?? '').split('"content"').length - 1)
        .filter((count) => count > 1);
      assert.deepEqual(pieces, [1000, 1000, 1000, 500]);
    });

    it('auto_split appends what one request would not take: 250 blocks, four levels, long text', async () => {
      const deep = paragraph('1', [paragraph('2', [paragraph('3', [paragraph('4', [paragraph('5')])])])]);
      const result = await page.harness.ok('DOCS_APPEND_BLOCK_CHILDREN', {
        block_id: page.id,
        children: [
          ...Array.from({ length: 250 }, (_, n) => paragraph(`n${n}`)),
          deep,
          paragraph('y'.repeat(4500)),
        ],
        auto_split: true,
      });
      assert.equal(result['count'], 252);
      const lines = page.outline();
      assert.deepEqual(
        lines.slice(0, 250),
        Array.from({ length: 250 }, (_, n) => `paragraph: n${n}`),
      );
      assert.deepEqual(lines.slice(250), [
        'paragraph: 1',
        '  paragraph: 2',
        '    paragraph: 3',
        '      paragraph: 4',
        '        paragraph: 5',
        `paragraph: ${'y'.repeat(4500)}`,
      ]);
    });

    it('warns of an unknown code language and writes plain text', async () => {
      const result = await page.harness.ok('DOCS_APPEND_CODE_BLOCKS', {
        block_id: page.id,
        children: [{ type: 'code', code: { rich_text: text('x'), language: 'klingon' } }],
      });
      assert.match(String((result['warnings'] as string[])[0]), /klingon.*plain text was used/);
    });
  });

  describe('DOCS_APPEND_TABLE_BLOCKS', () => {
    const rows = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ cells: [text(`r${n}`), `c${n}`] }));

    it('appends tables, also of more than 100 rows, and reports how many rows each has', async () => {
      const result = await page.harness.ok('DOCS_APPEND_TABLE_BLOCKS', {
        block_id: page.id,
        tables: [{ table_width: 2, has_column_header: true, rows: rows(230) }, { rows: rows(1) }],
      });
      assert.deepEqual(result['rows'], [230, 1]);
      const lines = page.outline();
      assert.equal(lines.filter((line) => line.startsWith('  table_row')).length, 231);
      assert.match(lines[1] ?? '', /r0/);
      assert.match(lines[230] ?? '', /r229/);
    });

    it('refuses a row whose cells do not match table_width, an empty table, and a width over 100', async () => {
      assert.match(
        await page.harness.fails('DOCS_APPEND_TABLE_BLOCKS', {
          block_id: page.id,
          tables: [{ table_width: 3, rows: rows(1) }],
        }),
        /has 2 cells; table_width is 3, so every row needs 3/,
      );
      assert.match(
        await page.harness.fails('DOCS_APPEND_TABLE_BLOCKS', {
          block_id: page.id,
          tables: [{ table_width: 2, rows: [] }],
        }),
        /tables\[0\]\.rows/,
      );
      assert.match(
        await page.harness.fails('DOCS_APPEND_TABLE_BLOCKS', {
          block_id: page.id,
          tables: [{ table_width: 101, rows: rows(1) }],
        }),
        /tables\[0\]\.table_width: .*100/,
      );
      assert.match(
        await page.harness.fails('DOCS_APPEND_TABLE_BLOCKS', {
          block_id: page.id,
          tables: [{ rows: [{ cells: ['z'.repeat(2001)] }] }],
        }),
        /has 2001 characters/,
      );
      assert.deepEqual(page.outline(), []);
    });
  });
});
