import assert from 'node:assert/strict';
import { Harness } from './support/workspace-harness.ts';

type Results = { id: string; type: string }[];

const text = (content: string) => [{ type: 'text', text: { content } }];
const paragraph = (content: string, children?: object[]) => ({
  object: 'block',
  type: 'paragraph',
  paragraph: { rich_text: text(content), ...(children ? { children } : {}) },
});

describe('content actions', () => {
  let harness: Harness;
  let page = '';
  before(async () => {
    harness = await Harness.start();
  });
  after(() => harness.emulator.stop());
  beforeEach(async () => {
    harness.emulator.reset();
    const made = await harness.ok('DOCS_CREATE_DOCS_PAGE', {
      title: 'Work',
      parent_id: harness.emulator.ids.home,
    });
    page = made['id'] as string;
  });

  const outline = () => harness.emulator.outline(page);
  const add = (content_blocks: unknown, more: object = {}) =>
    harness.ok('DOCS_ADD_MULTIPLE_PAGE_CONTENT', { parent_block_id: page, content_blocks, ...more });

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
      const result = await add([
        ...kinds.map((block_property) => ({ content: `**bold** ${block_property}`, block_property })),
        { block_property: 'divider' },
      ]);
      assert.equal(result['count'], 11);
      assert.equal(result['has_more'], false);
      assert.equal((result['results'] as Results).length, 11);
      assert.deepEqual(outline(), [...kinds.map((kind) => `${kind}: bold ${kind}`), 'divider']);
      const { results } = await harness.ok('DOCS_FETCH_BLOCK_CONTENTS', { block_id: page });
      const [first] = results as { paragraph: { rich_text: { annotations?: object }[] } }[];
      assert.deepEqual(first?.paragraph.rich_text[0]?.annotations, { bold: true });
    });

    it('splits text over 2000 characters inside one block, and loses none of it', async () => {
      const long = `${'Sentence with words. '.repeat(300)}😀 end`;
      const result = await add([{ content: long, block_property: 'quote' }]);
      assert.equal(result['count'], 1);
      assert.deepEqual(outline(), [`quote: ${long}`]);
    });

    it('makes tables, lists and code of a paragraph that holds block markdown, and leaves it alone when asked', async () => {
      await add([{ content: '# Plan\n\n| A | B |\n|---|---|\n| 1 | 2 |\n\n- x\n  - y\n\n```js\n1\n```' }]);
      assert.deepEqual(
        outline().map((line) => line.replace(/:.*/, '')),
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
      await add([{ content: '# not a heading', parse_markdown: false }]);
      assert.equal(outline().at(-1), 'paragraph: # not a heading');
    });

    it('inserts after a given block, as its siblings and in order', async () => {
      const { results } = await add(['one', 'four']);
      await add(['two', 'three'], { after: (results as Results)[0]?.id });
      assert.deepEqual(outline(), [
        'paragraph: one',
        'paragraph: two',
        'paragraph: three',
        'paragraph: four',
      ]);
    });

    it('takes items and lists that arrive as JSON text, once or twice encoded', async () => {
      const blocks = [{ content: 'a' }, { content: 'b' }];
      await add(JSON.stringify(blocks));
      await add(JSON.stringify(JSON.stringify(blocks)));
      await add(blocks.map((block) => JSON.stringify(block)));
      await add([{ content_block: { content: 'wrapped' } }]);
      assert.equal(outline().length, 7);
    });

    it('refuses over 100 items, unknown kinds, missing content and headings with children, all before anything is sent', async () => {
      const before = harness.emulator.requests.length;
      assert.match(
        await harness.fails('DOCS_ADD_MULTIPLE_PAGE_CONTENT', {
          parent_block_id: page,
          content_blocks: Array.from({ length: 101 }, () => 'x'),
        }),
        /INVALID_INPUT: content_blocks: .*100/,
      );
      const error = await harness.fails('DOCS_ADD_MULTIPLE_PAGE_CONTENT', {
        parent_block_id: page,
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
        await harness.fails('DOCS_ADD_MULTIPLE_PAGE_CONTENT', {
          parent_block_id: page,
          content_blocks: '[{"content": ',
        }),
        /content_blocks is text that looks like JSON and does not parse/,
      );
      assert.equal(harness.emulator.requests.length, before);
    });

    it('keeps the children of a toggleable heading', async () => {
      await add([
        {
          type: 'heading_2',
          heading_2: { rich_text: text('H'), is_toggleable: true, children: [paragraph('c')] },
        },
      ]);
      assert.deepEqual(outline(), ['heading_2: H', '  paragraph: c']);
    });

    it('says which child an unknown after would have to be', async () => {
      assert.match(
        await harness.fails('DOCS_ADD_MULTIPLE_PAGE_CONTENT', {
          parent_block_id: page,
          content_blocks: ['x'],
          after: harness.emulator.ids.home,
        }),
        /after is .* which is not a direct child/,
      );
    });
  });

  describe('DOCS_ADD_PAGE_CONTENT', () => {
    it('adds one block through either alias, from an object or its JSON text, and says what replaces it', async () => {
      const result = await harness.ok('DOCS_ADD_PAGE_CONTENT', {
        page_id: page,
        content_block: { content: 'a', block_property: 'to_do', checked: true },
      });
      assert.match(String(result['deprecated']), /DOCS_ADD_MULTIPLE_PAGE_CONTENT/);
      const parent = (result['results'] as Results)[0]?.id;
      await harness.ok('DOCS_ADD_PAGE_CONTENT', { block_id: parent, content_block: '{"content":"b"}' });
      assert.deepEqual(outline(), ['to_do: a', '  paragraph: b']);
    });

    it('refuses contradicting aliases, and text blocks without content', async () => {
      assert.match(
        await harness.fails('DOCS_ADD_PAGE_CONTENT', {
          page_id: page,
          parent_block_id: harness.emulator.ids.home,
          content_block: 'x',
        }),
        /page_id is another name of parent_block_id, and their values differ/,
      );
      assert.match(
        await harness.fails('DOCS_ADD_PAGE_CONTENT', {
          page_id: page,
          content_block: { block_property: 'callout' },
        }),
        /content_block\[0\]\.content is missing/,
      );
    });

    it('says that a parent without children support needs another parent', async () => {
      const { results } = await add([{ block_property: 'divider' }]);
      assert.match(
        await harness.fails('DOCS_ADD_PAGE_CONTENT', {
          block_id: (results as Results)[0]?.id,
          content_block: 'x',
        }),
        /VALIDATION_ERROR \(HTTP 400\): .*children.*give the page id as the parent and the heading id as after/s,
      );
    });
  });

  describe('raw and typed appends', () => {
    it('append each family, nested as the API allows', async () => {
      await harness.ok('DOCS_APPEND_BLOCK_CHILDREN', {
        block_id: page,
        children: [paragraph('raw', [paragraph('in', [paragraph('deep')])])],
      });
      await harness.ok('DOCS_APPEND_TEXT_BLOCKS', { block_id: page, blocks: [paragraph('text')] });
      await harness.ok('DOCS_APPEND_TASK_BLOCKS', {
        block_id: page,
        children: [
          { type: 'to_do', to_do: { rich_text: 'bare text', checked: true } },
          { type: 'callout', callout: { rich_text: text('c'), icon: '💡', children: [paragraph('x')] } },
        ],
      });
      await harness.ok('DOCS_APPEND_CODE_BLOCKS', {
        block_id: page,
        children: [
          { type: 'code', code: { rich_text: text('a'), language: 'ts' } },
          { type: 'quote', quote: { rich_text: text('q') } },
          { type: 'equation', equation: { expression: 'e=mc^2' } },
        ],
      });
      await harness.ok('DOCS_APPEND_MEDIA_BLOCKS', {
        block_id: page,
        children: ['image', 'video', 'audio', 'file', 'pdf', 'embed', 'bookmark'].map((type) => ({
          type,
          url: `https://example.com/${type}`,
        })),
      });
      await harness.ok('DOCS_APPEND_LAYOUT_BLOCKS', {
        block_id: page,
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
        outline().map((line) => line.replace(/:.*/, '')),
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
        const before = harness.emulator.requests.length;
        assert.match(await harness.fails(action, { block_id: page, children }), sentence);
        assert.equal(harness.emulator.requests.length, before);
      });
    }

    it('a column goes into an existing column list only', async () => {
      const column = { type: 'column', column: { children: [paragraph('x')] } };
      assert.match(
        await harness.fails('DOCS_APPEND_LAYOUT_BLOCKS', { block_id: page, children: [column] }),
        /a column can only be appended to a column_list, and .* is a child_page/,
      );
      const { results } = await harness.ok('DOCS_APPEND_LAYOUT_BLOCKS', {
        block_id: page,
        children: [{ type: 'column_list', column_list: { children: [column, column] } }],
      });
      await harness.ok('DOCS_APPEND_LAYOUT_BLOCKS', {
        block_id: (results as Results)[0]?.id,
        children: [column],
      });
      assert.equal(outline().filter((line) => line.trim().startsWith('column')).length, 4);
    });

    it('auto_split appends what one request would not take: 250 blocks, four levels, long text', async () => {
      const deep = paragraph('1', [paragraph('2', [paragraph('3', [paragraph('4', [paragraph('5')])])])]);
      const result = await harness.ok('DOCS_APPEND_BLOCK_CHILDREN', {
        block_id: page,
        children: [
          ...Array.from({ length: 250 }, (_, n) => paragraph(`n${n}`)),
          deep,
          paragraph('y'.repeat(4500)),
        ],
        auto_split: true,
      });
      assert.equal(result['count'], 252);
      const lines = outline();
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
      const result = await harness.ok('DOCS_APPEND_CODE_BLOCKS', {
        block_id: page,
        children: [{ type: 'code', code: { rich_text: text('x'), language: 'klingon' } }],
      });
      assert.match(String((result['warnings'] as string[])[0]), /klingon.*plain text was used/);
    });
  });

  describe('DOCS_APPEND_TABLE_BLOCKS', () => {
    const rows = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ cells: [text(`r${n}`), `c${n}`] }));

    it('appends tables, also of more than 100 rows, and says how many rows each has', async () => {
      const result = await harness.ok('DOCS_APPEND_TABLE_BLOCKS', {
        block_id: page,
        tables: [{ table_width: 2, has_column_header: true, rows: rows(230) }, { rows: rows(1) }],
      });
      assert.deepEqual(result['rows'], [230, 1]);
      const lines = outline();
      assert.equal(lines.filter((line) => line.startsWith('  table_row')).length, 231);
      assert.match(lines[1] ?? '', /r0/);
      assert.match(lines[230] ?? '', /r229/);
    });

    it('refuses a row whose cells do not match table_width, an empty table, and a width over 100', async () => {
      assert.match(
        await harness.fails('DOCS_APPEND_TABLE_BLOCKS', {
          block_id: page,
          tables: [{ table_width: 3, rows: rows(1) }],
        }),
        /has 2 cells; table_width is 3, so every row needs 3/,
      );
      assert.match(
        await harness.fails('DOCS_APPEND_TABLE_BLOCKS', {
          block_id: page,
          tables: [{ table_width: 2, rows: [] }],
        }),
        /tables\[0\]\.rows/,
      );
      assert.match(
        await harness.fails('DOCS_APPEND_TABLE_BLOCKS', {
          block_id: page,
          tables: [{ table_width: 101, rows: rows(1) }],
        }),
        /tables\[0\]\.table_width: .*100/,
      );
      assert.match(
        await harness.fails('DOCS_APPEND_TABLE_BLOCKS', {
          block_id: page,
          tables: [{ rows: [{ cells: ['z'.repeat(2001)] }] }],
        }),
        /has 2001 characters/,
      );
      assert.deepEqual(outline(), []);
    });
  });

  describe('DOCS_REPLACE_PAGE_CONTENT', () => {
    beforeEach(async () => {
      await add(['old one', 'old two']);
      await harness.ok('DOCS_CREATE_DOCS_PAGE', { title: 'Child', parent_id: page });
    });

    it('dry_run reports what would happen and changes nothing', async () => {
      const before = outline();
      const result = await harness.ok('DOCS_REPLACE_PAGE_CONTENT', {
        page_id: page,
        new_children: Array.from({ length: 150 }, () => 'n'),
        dry_run: true,
      });
      assert.equal(result['would_archive_count'], 2);
      assert.equal((result['would_keep'] as Results).length, 1);
      assert.deepEqual(result['would_append'], { blocks: 150, top_level: 150, batches: 2 });
      assert.deepEqual(outline(), before);
    });

    it('appends the new, archives the old, keeps child pages and lists them', async () => {
      const result = await harness.ok('DOCS_REPLACE_PAGE_CONTENT', {
        page_id: page,
        new_children: [{ content: 'New', block_property: 'heading_1' }],
      });
      assert.equal(result['archived_count'], 2);
      assert.equal(result['kept_count'], 1);
      assert.deepEqual(outline(), ['child_page: Child', 'heading_1: New']);
    });

    it('archives child pages too when asked, and keeps all when archive_existing_children is false', async () => {
      await harness.ok('DOCS_REPLACE_PAGE_CONTENT', {
        page_id: page,
        new_children: ['added'],
        archive_existing_children: false,
      });
      assert.equal(outline().length, 4);
      await harness.ok('DOCS_REPLACE_PAGE_CONTENT', {
        page_id: page,
        new_children: ['only'],
        archive_child_pages: true,
      });
      assert.deepEqual(outline(), ['paragraph: only']);
    });

    it('copies the old content into a backup page first', async () => {
      const result = await harness.ok('DOCS_REPLACE_PAGE_CONTENT', {
        page_id: page,
        new_children: ['new'],
        create_backup: true,
        backup_title_suffix: ' (old)',
        backup_parent: { page_id: harness.emulator.ids.home },
      });
      const backup = result['backup_page_id'] as string;
      assert.deepEqual(harness.emulator.outline(backup), ['paragraph: old one', 'paragraph: old two']);
      const copy = await harness.ok('DOCS_GET_PAGE_PROPERTY_ACTION', {
        page_id: backup,
        property_id: 'title',
      });
      assert.match(JSON.stringify(copy['results']), /Work \(old\)/);
      assert.match(JSON.stringify(result['warnings']), /Not in the backup: child_page/);
    });

    it('refuses the page itself as backup parent, before anything is written', async () => {
      const before = outline();
      assert.match(
        await harness.fails('DOCS_REPLACE_PAGE_CONTENT', {
          page_id: page,
          new_children: ['new'],
          create_backup: true,
          backup_parent: { page_id: page },
        }),
        /backup_parent is the page itself/,
      );
      assert.match(
        await harness.fails('DOCS_REPLACE_PAGE_CONTENT', {
          page_id: harness.emulator.ids.home,
          new_children: ['new'],
          create_backup: true,
        }),
        /backup_parent must be .* required here/,
      );
      assert.deepEqual(outline(), before);
    });

    it('a fault on the way leaves old content in place and says what was added', async () => {
      harness.emulator.faults.add({
        method: 'DELETE',
        fault: { kind: 'error', status: 400, code: 'validation_error', message: 'No.' },
        times: 9,
      });
      const result = await harness.run('DOCS_REPLACE_PAGE_CONTENT', { page_id: page, new_children: ['new'] });
      assert.equal(result.successful, false);
      const partial = result.data['partial'] as { appended: string[]; archived: string[] };
      assert.equal(partial.appended.length, 1);
      assert.deepEqual(partial.archived, []);
      assert.deepEqual(outline(), [
        'paragraph: old one',
        'paragraph: old two',
        'child_page: Child',
        'paragraph: new',
      ]);
    });
  });

  describe('DOCS_UPDATE_BLOCK', () => {
    const only = async (block: object) => ((await add([block]))['results'] as Results)[0]?.id;

    it('replaces the text, finding the type with one request, and keeps what it does not name', async () => {
      const block = await only({ content: 'old', block_property: 'to_do', checked: true });
      const before = harness.emulator.requests.length;
      const result = await harness.ok('DOCS_UPDATE_BLOCK', {
        block_id: block?.replaceAll('-', ''),
        content: 'new **x**',
      });
      assert.equal((result['to_do'] as { checked: boolean }).checked, true);
      assert.equal(harness.emulator.requests.length, before + 2);
      assert.deepEqual(outline(), ['to_do: new x']);
      await harness.ok('DOCS_UPDATE_BLOCK', {
        block_id: block,
        content: 'n',
        block_type: 'to_do',
        additional_properties: { checked: false, color: 'red', icon: null },
      });
      const after = await harness.ok('DOCS_FETCH_BLOCK_METADATA', { block_id: block });
      assert.deepEqual(after['to_do'], {
        rich_text: [{ type: 'text', text: { content: 'n' } }],
        checked: false,
        color: 'red',
      });
    });

    it('needs the language of code, and takes its aliases', async () => {
      const block = await only({ content: 'a', block_property: 'code', language: 'python' });
      assert.match(
        await harness.fails('DOCS_UPDATE_BLOCK', { block_id: block, content: 'x', block_type: 'code' }),
        /language is required when block_type is code/,
      );
      const result = await harness.ok('DOCS_UPDATE_BLOCK', {
        block_id: block,
        content: 'x',
        block_type: 'code',
        language: 'ts',
      });
      assert.equal((result['code'] as { language: string }).language, 'typescript');
    });

    it('refuses over 2000 characters, archiving, another type, and blocks without text', async () => {
      const block = await only({ content: 'a' });
      assert.match(
        await harness.fails('DOCS_UPDATE_BLOCK', { block_id: block, content: 'x'.repeat(2001) }),
        /content: is longer than 2000 characters/,
      );
      assert.match(
        await harness.fails('DOCS_UPDATE_BLOCK', {
          block_id: block,
          content: 'x',
          additional_properties: { archived: true },
        }),
        /use DOCS_DELETE_BLOCK/,
      );
      assert.match(
        await harness.fails('DOCS_UPDATE_BLOCK', { block_id: block, content: 'x', block_type: 'heading_1' }),
        /VALIDATION_ERROR \(HTTP 400\)/,
      );
      const divider = await only({ block_property: 'divider' });
      assert.match(
        await harness.fails('DOCS_UPDATE_BLOCK', { block_id: divider, content: 'x' }),
        /a divider block has no text to replace/,
      );
    });
  });
});
