/** Errors that a model reads after a mistake: the parameter, what it gave, and what to give instead. */
import assert from 'node:assert/strict';
import { paragraph, type Results, WorkPage } from './support/work-page.ts';

describe('An error that a model can correct', () => {
  const page = WorkPage.each();
  const home = () => page.harness.emulator.ids.home;
  const database = async () => {
    const properties = [
      { name: 'Name', type: 'title' },
      { name: 'Priority', type: 'select', options: ['High'] },
    ];
    const made = await page.harness.ok('DOCS_CREATE_DATABASE', {
      ...{ title: 'Tasks', parent_id: home(), properties },
    });
    return { id: String(made['id']), source: String(made['data_source_id']) };
  };
  const says = async (action: string, input: object, sentence: RegExp | string) => {
    const error = await page.harness.fails(action, input);
    if (typeof sentence === 'string') assert.equal(error, sentence);
    else assert.match(error, sentence);
  };

  it('names what was given and what to give, in words and not in those of a schema library', async () => {
    const block_id = page.id;
    for (const [action, input, sentence] of [
      ['DOCS_ADD_PAGE_CONTENT', { block_id }, 'INVALID_INPUT: content_block: is required.'],
      [
        'DOCS_ADD_PAGE_CONTENT',
        { block_id, content_block: 5 },
        /^INVALID_INPUT: content_block: is 5; expected: \{"content":"text","block_property":"paragraph"\}/,
      ],
      [
        'DOCS_ADD_MULTIPLE_PAGE_CONTENT',
        { block_id, content_blocks: [5] },
        /^INVALID_INPUT: content_blocks\[0\]: is 5; expected: \{"content"/,
      ],
      [
        'DOCS_ADD_MULTIPLE_PAGE_CONTENT',
        { block_id, content_blocks: 'words' },
        'INVALID_INPUT: content_blocks: is "words"; give a list.',
      ],
      [
        'DOCS_ADD_MULTIPLE_PAGE_CONTENT',
        { block_id, content_blocks: [] },
        'INVALID_INPUT: content_blocks: has 0 items; give at least 1.',
      ],
      ['DOCS_RETRIEVE_PAGE', { page_id: 12 }, 'INVALID_INPUT: page_id: is 12; give text.'],
      [
        'DOCS_FETCH_COMMENTS',
        { block_id, page_size: 101 },
        'INVALID_INPUT: page_size: is 101; give at most 100.',
      ],
      [
        'DOCS_FETCH_COMMENTS',
        { block_id, page_size: 'all' },
        'INVALID_INPUT: page_size: is "all"; give a number.',
      ],
      [
        'DOCS_SEARCH_DOCS_PAGE',
        { filter_value: 'block' },
        'INVALID_INPUT: filter_value: is "block"; give one of "page", "database", "data_source".',
      ],
      [
        'DOCS_APPEND_TEXT_BLOCKS',
        { block_id, children: [{ content: 'simple' }] },
        /children\[0\]\.type is missing.*DOCS_ADD_MULTIPLE_PAGE_CONTENT takes/,
      ],
      [
        'DOCS_APPEND_TABLE_BLOCKS',
        { block_id, tables: [{ rows: [['a', 'b'], ['x'.repeat(2001), 'b'], ['c']] }] },
        /tables\[0\]\.rows\[2\] has 1 cells/,
      ],
      [
        'DOCS_APPEND_TABLE_BLOCKS',
        { block_id, tables: [{ rows: [['x'.repeat(2001)]] }] },
        /tables\[0\]\.rows\[0\]\.cells\[0\].* has 2001 characters/,
      ],
    ] as const)
      await says(action, input, sentence);
  });

  it('names a parameter that is not known beside the one that is missing', async () => {
    await says(
      'DOCS_RETRIEVE_PAGE',
      { id: page.id },
      'INVALID_INPUT: page_id: is required. The parameter id is not known to DOCS_RETRIEVE_PAGE and was ignored.',
    );
  });

  it('shows the form of a filter, with the properties there are', async () => {
    const { id } = await database();
    await says(
      'DOCS_QUERY_DATABASE_WITH_FILTER',
      { database_id: id, filter: { Priority: 'High' } },
      /a condition is \{"Priority":"High"\}; give \{"property":.*Properties: Name \(title\), Priority \(select\)/,
    );
  });

  it('distinguishes a block from a page, and a database from a data source', async () => {
    const { id } = await database();
    const [block] = (await page.add(['x']))['results'] as Results;
    await says(
      'DOCS_RETRIEVE_PAGE',
      { page_id: block?.id },
      /is a block; a page id is required.*DOCS_FETCH_BLOCK_METADATA/,
    );
    await says(
      'DOCS_LIST_DATA_SOURCE_TEMPLATES',
      { data_source_id: id },
      /is a database; a data source id is required\. DOCS_FETCH_DATABASE lists/,
    );
  });

  it('explains where to find the id of what is not found', async () => {
    for (const [action, name, where] of [
      ['DOCS_GET_ABOUT_USER', 'user_id', 'DOCS_LIST_USERS'],
      ['DOCS_RETRIEVE_FILE_UPLOAD', 'file_upload_id', 'DOCS_LIST_FILE_UPLOADS'],
      ['DOCS_RETRIEVE_COMMENT', 'comment_id', 'DOCS_FETCH_COMMENTS'],
      ['DOCS_RETRIEVE_PAGE', 'page_id', 'share the page or database'],
    ] as const)
      await says(action, { [name]: crypto.randomUUID() }, new RegExp(`^NOT_FOUND_OR_NOT_SHARED.*${where}`));
  });

  it('a cursor and a type that are wrong are named as such', async () => {
    await page.harness.ok('DOCS_APPEND_TEXT_BLOCKS', { block_id: page.id, children: [paragraph('x')] });
    const { results } = await page.harness.ok('DOCS_FETCH_BLOCK_CONTENTS', { block_id: page.id });
    await says(
      'DOCS_FETCH_BLOCK_CONTENTS',
      { block_id: page.id, start_cursor: 'next' },
      /^VALIDATION_ERROR.*Give the next_cursor of the previous answer unchanged/,
    );
    const [block] = results as Results;
    await says(
      'DOCS_UPDATE_BLOCK',
      { block_id: block?.id, content: 'y', block_type: 'heading_1' },
      /A block keeps its type: leave block_type out/,
    );
  });

  it('explains that a database has rows if its blocks are asked for; an empty page gets no such note', async () => {
    const { id } = await database();
    for (const action of ['DOCS_FETCH_BLOCK_CONTENTS', 'DOCS_FETCH_ALL_BLOCK_CONTENTS']) {
      const { count, hint } = await page.harness.ok(action, { block_id: id });
      assert.equal(count, 0);
      assert.match(String(hint), /DOCS_QUERY_DATABASE/);
      assert.equal((await page.harness.ok(action, { block_id: page.id }))['hint'], undefined);
    }
  });
});
