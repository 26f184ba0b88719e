/**
 * Sentences of the actions' document that hold for many actions, or belong to no group. The others: stated-*.test.ts.
 */
import assert from 'node:assert/strict';
import { actions } from '../../../src/workspace/registry.ts';
import { codeLanguages } from '../../support/workspace/code-languages.ts';
import { documentedActions } from './support/documented-actions.ts';
import { paragraph, type Results, text, WorkPage } from './support/work-page.ts';

const richText = (type: string, content = 'x') => ({ type, [type]: { rich_text: text(content) } });
const appends: Record<string, object> = {
  DOCS_APPEND_BLOCK_CHILDREN: paragraph('x'),
  DOCS_APPEND_TEXT_BLOCKS: richText('numbered_list_item'),
  DOCS_APPEND_TASK_BLOCKS: richText('to_do'),
  DOCS_APPEND_CODE_BLOCKS: richText('quote'),
  DOCS_APPEND_MEDIA_BLOCKS: { type: 'embed', embed: { url: 'https://example.com/' } },
  DOCS_APPEND_LAYOUT_BLOCKS: { type: 'divider', divider: {} },
};

describe("Statements of the actions' document about inputs and limits", () => {
  const page = WorkPage.each();
  const h = () => page.harness;
  const home = () => h().emulator.ids.home;
  const ok = (id: string, input: object) => h().ok(id, input);
  const fails = (id: string, input: object) => h().fails(id, input);
  const database = async (columns: object[] = []) => {
    const properties = [{ name: 'Name', type: 'title' }, ...columns];
    const made = await ok('DOCS_CREATE_DATABASE', { title: 'Tasks', parent_id: home(), properties });
    return { id: String(made['id']), source: String(made['data_source_id']) };
  };
  const insert = (database_id: string, values: Record<string, unknown>) => {
    const properties = Object.entries(values).map(([name, value]) => ({ name, value }));
    return h().run('DOCS_INSERT_ROW_DATABASE', { database_id, properties });
  };

  it('each required parameter that is missing is named, and nothing is sent', async () => {
    const before = h().emulator.requests.length;
    let seen = 0;
    for (const { id, example } of actions) {
      for (const [name, { required }] of Object.entries(documentedActions[id]!.parameters)) {
        if (required !== true) continue;
        const { [name]: _, ...rest } = example;
        assert.match(
          await fails(id, rest),
          new RegExp(`^INVALID_INPUT: .*${name}: is required`),
          `${id}.${name}`,
        );
        seen += 1;
      }
    }
    assert.ok(seen > 50, String(seen));
    assert.equal(h().emulator.requests.length, before);
  });

  it('an id that is no UUID is refused by name, and nothing is sent', async () => {
    const before = h().emulator.requests.length;
    for (const { id, example } of actions)
      for (const name of Object.keys(example).filter((one) => one.endsWith('_id') && one !== 'property_id'))
        assert.match(
          await fails(id, { ...example, [name]: 'Home' }),
          new RegExp(`^INVALID_INPUT: ${name}`),
          id,
        );
    assert.equal(h().emulator.requests.length, before);
  });

  for (const [action, block] of Object.entries(appends)) {
    it(`${action}: 100 blocks a request, at the end or after a child; 101 are refused`, async () => {
      const many = (count: number) => Array.from({ length: count }, () => block);
      const input = { block_id: page.id, children: many(101) };
      assert.match(await fails(action, input), /children has 101 blocks; at most 100 per request/);
      const [first] = (await page.add(['first', 'last']))['results'] as Results;
      await ok(action, { block_id: page.id, children: many(1), after: first?.id });
      assert.equal((await ok(action, { block_id: page.id, children: many(100) }))['count'], 100);
      const lines = page.outline();
      assert.deepEqual([lines[0], lines[2], lines.length], ['paragraph: first', 'paragraph: last', 103]);
    });
  }

  it('2,000 characters of one text.content are taken and 2,001 refused, by every append of text', async () => {
    for (const [action, type] of [
      ['DOCS_APPEND_BLOCK_CHILDREN', 'paragraph'],
      ['DOCS_APPEND_TEXT_BLOCKS', 'heading_1'],
      ['DOCS_APPEND_TASK_BLOCKS', 'callout'],
      ['DOCS_APPEND_CODE_BLOCKS', 'quote'],
    ] as const) {
      const append = (length: number) => ({
        block_id: page.id,
        children: [richText(type, 'x'.repeat(length))],
      });
      await ok(action, append(2000));
      assert.match(
        await fails(action, append(2001)),
        /text\.content has 2001 characters; at most 2000/,
        action,
      );
    }
    await ok('DOCS_ADD_PAGE_CONTENT', { page_id: page.id, content_block: { content: 'y'.repeat(2001) } });
    assert.equal(page.outline().at(-1), `paragraph: ${'y'.repeat(2001)}`);
  });

  it('tasks are not appended to a block that takes no children', async () => {
    await ok('DOCS_APPEND_LAYOUT_BLOCKS', {
      block_id: page.id,
      children: [appends['DOCS_APPEND_LAYOUT_BLOCKS'], { type: 'breadcrumb', breadcrumb: {} }],
    });
    const equation = { type: 'equation', equation: { expression: 'x' } };
    await ok('DOCS_APPEND_CODE_BLOCKS', { block_id: page.id, children: [equation] });
    const { results } = await ok('DOCS_FETCH_BLOCK_CONTENTS', { block_id: page.id });
    assert.equal((results as Results).length, 3);
    for (const { id, type } of results as Results)
      assert.match(
        await fails('DOCS_APPEND_TASK_BLOCKS', { block_id: id, children: [richText('to_do')] }),
        /does not support children.*give the page id as the parent/is,
        type,
      );
  });

  it('code is taken in each of the languages, more than 70, as it is named', async () => {
    assert.ok(codeLanguages.length > 70);
    const children = codeLanguages.map((language) => ({
      type: 'code',
      code: { rich_text: text('x'), language },
    }));
    const result = await ok('DOCS_APPEND_CODE_BLOCKS', { block_id: page.id, children });
    assert.equal(result['warnings'], undefined);
    const { results } = await ok('DOCS_FETCH_BLOCK_CONTENTS', { block_id: page.id });
    assert.deepEqual(
      (results as { code: { language: string } }[]).map(({ code }) => code.language),
      codeLanguages,
    );
  });

  it('each kind of media needs an external URL', async () => {
    for (const type of ['image', 'video', 'audio', 'file', 'pdf', 'embed', 'bookmark'])
      assert.match(
        await fails('DOCS_APPEND_MEDIA_BLOCKS', { block_id: page.id, children: [{ type, [type]: {} }] }),
        /^INVALID_INPUT: children\[0\].*(URL|address)/,
        type,
      );
  });

  it('tables: 1 to 100 of them, 1 to 100 columns, without headers unless they are asked for', async () => {
    const tables = (count: number, table = {}) =>
      Array.from({ length: count }, () => ({ table_width: 1, rows: [{ cells: [text('a')] }], ...table }));
    const append = (given: readonly object[]) => ({ block_id: page.id, tables: given });
    for (const [given, said] of [
      [tables(101), /^INVALID_INPUT: tables: .*100/],
      [[], /^INVALID_INPUT: tables/],
      [tables(1, { table_width: 0 }), /^INVALID_INPUT: tables\[0\]\.table_width/],
    ] as const)
      assert.match(await fails('DOCS_APPEND_TABLE_BLOCKS', append(given)), said);
    assert.equal((await ok('DOCS_APPEND_TABLE_BLOCKS', append(tables(100))))['count'], 100);
    const wide = { table_width: 100, rows: [{ cells: Array.from({ length: 100 }, () => text('a')) }] };
    await ok('DOCS_APPEND_TABLE_BLOCKS', append([wide]));
    const { results } = await ok('DOCS_FETCH_BLOCK_CONTENTS', { block_id: page.id, page_size: 1 });
    const [{ table }] = results as [{ table: object }];
    assert.deepEqual(table, { table_width: 1, has_column_header: false, has_row_header: false });
  });

  it('a page has a single emoji as icon and a web address as cover; the first h1 is the title if none is given', async () => {
    const create = (more: object) => ({ title: 'x', parent_page_id: page.id, ...more });
    for (const icon of ['🚀🚀', 'rocket'])
      assert.match(
        await fails('DOCS_CREATE_DOCS_PAGE', create({ icon })),
        /^INVALID_INPUT: icon is .*single emoji/,
      );
    assert.match(
      await fails('DOCS_CREATE_DOCS_PAGE', create({ cover: 'plan.png' })),
      /^INVALID_INPUT: cover is .*URL/,
    );
    await ok('DOCS_CREATE_DOCS_PAGE', create({ title: '', markdown: '# From **here**\n\ntext', icon: '🚀' }));
    assert.deepEqual(page.outline(), ['child_page: From here']);
  });

  it('the first h1 is the title of a long text too, wherever it is; a line of code is none', async () => {
    const long = 'A line of words.\n\n'.repeat(6000);
    for (const body of ['text', long]) {
      for (const markdown of [
        `# The *title*\n\n${body}`,
        `\`\`\`sh\n# a comment\n\`\`\`\n\n# The *title*\n${body}\n\n# Another\n`,
      ]) {
        const made = await ok('DOCS_CREATE_DOCS_PAGE', { title: '', parent_id: page.id, markdown });
        assert.equal(page.outline().at(-1), 'child_page: The title');
        const lines = h().emulator.outline(String(made['id']));
        assert.ok(!lines.some((line) => line.includes('The title')));
        assert.equal(lines.includes('heading_1: Another'), markdown.includes('Another'));
        assert.equal(lines.includes('code: # a comment'), markdown.includes('comment'));
      }
    }
  });

  it('an update takes a cover by external url or file_upload, and no other', async () => {
    const url = 'https://example.com/c.png';
    const { cover } = await ok('DOCS_UPDATE_PAGE', { page_id: page.id, cover: { external: { url } } });
    assert.deepEqual(cover, { type: 'external', external: { url } });
    assert.match(
      await fails('DOCS_UPDATE_PAGE', { page_id: page.id, cover: { path: '/c.png' } }),
      /^INVALID_INPUT: cover is .*external.*file_upload/,
    );
  });

  it('a database is made under a page, not under a database; a workspace-level page is not archived by an update', async () => {
    const { id } = await database();
    assert.match(
      await fails('DOCS_CREATE_DATABASE', { title: 'x', parent_id: id }),
      /is a database; a page id is required/,
    );
    assert.match(
      await fails('DOCS_UPDATE_PAGE', { page_id: home(), archived: true }),
      /workspace level pages.*by hand/s,
    );
  });

  it('an id of the wrong kind is rejected by every action that takes a page, a database or a data source', async () => {
    const { id, source } = await database();
    const pageId = { page_id: id };
    for (const [action, input, kind] of [
      ['DOCS_GET_PAGE_PROPERTY_ACTION', { ...pageId, property_id: 'title' }, 'page'],
      ['DOCS_DUPLICATE_PAGE', { ...pageId, parent_id: home() }, 'page'],
      ['DOCS_MOVE_PAGE', { ...pageId, parent: { type: 'page_id', page_id: page.id } }, 'page'],
      ['DOCS_UPDATE_PAGE', { ...pageId, properties: { Name: 'x' } }, 'page'],
      ['DOCS_CREATE_COMMENT', { parent_page_id: id, comment: { content: 'x' } }, 'page'],
      ['DOCS_INSERT_ROW_FROM_NL', { database_id: page.id, nl_query: 'x' }, 'database'],
      ['DOCS_QUERY_DATA_SOURCE', { data_source_id: page.id }, '(database|data source)'],
      ['DOCS_LIST_DATA_SOURCE_TEMPLATES', { data_source_id: page.id }, '(database|data source)'],
    ] as const)
      assert.match(await fails(action, input), new RegExp(`a ${kind} id is required`), action);
    assert.ok(source);
  });

  it('names of options are case-sensitive: a status must be one, a new select option is reported', async () => {
    const { id } = await database([
      { name: 'Stage', type: 'status' },
      { name: 'Priority', type: 'select', options: ['High'] },
      { name: 'Tags', type: 'multi_select', options: ['Red'] },
    ]);
    const status = await insert(id, { Name: 'x', Stage: 'done' });
    assert.match(
      status.error ?? '',
      /HTTP 400\).*Stage.*did you mean "Done"\? Option names are case-sensitive/,
    );
    for (const [name, value, near] of [
      ['Priority', 'high', 'High'],
      ['Tags', 'red', 'Red'],
    ] as const) {
      const { successful, data } = await insert(id, { Name: 'x', [name]: value });
      assert.ok(successful);
      assert.match(String(data['warnings']), new RegExp(`"${value}" is new.*did you mean "${near}"`));
    }
    for (const type of ['select', 'status', 'multi_select']) {
      const property = { select: 'Priority', status: 'Stage', multi_select: 'Tags' }[type];
      const operator = type === 'multi_select' ? 'contains' : 'equals';
      const filter = { property, [type]: { [operator]: 'HIGH RED DONE'.split(' ').find(Boolean) } };
      assert.match(
        await fails('DOCS_QUERY_DATABASE_WITH_FILTER', { database_id: id, filter }),
        /option/i,
        type,
      );
    }
  });

  it('a comment starts no discussion on a block', async () => {
    const [block] = (await page.add(['x']))['results'] as Results;
    const comment = { content: 'x' };
    assert.match(
      await fails('DOCS_CREATE_COMMENT', { comment, parent_page_id: block?.id }),
      /is a block; a page id is required/,
    );
    assert.match(
      await fails('DOCS_CREATE_COMMENT', { comment, parent_block_id: block?.id }),
      /^INVALID_INPUT.*parent_page_id.*parent_block_id is not known/,
    );
    assert.equal(h().emulator.snapshot().comments.size, 0);
  });

  it('transcripts come only if they are asked for', async () => {
    const asked = async (more: object) => {
      h().emulator.requests.length = 0;
      await ok('DOCS_GET_PAGE_MARKDOWN', { page_id: page.id, ...more });
      return h().emulator.requests[0]?.query['include_transcript'];
    };
    assert.deepEqual([await asked({}), await asked({ include_transcript: true })], [undefined, 'true']);
  });

  it('a list with further pages has has_more, and its cursor leads to them', async () => {
    await page.add(['a', 'b', 'c']);
    const input = { block_id: page.id, page_size: 2 };
    const first = await ok('DOCS_FETCH_BLOCK_CONTENTS', input);
    assert.deepEqual([first['count'], first['has_more']], [2, true]);
    const rest = await ok('DOCS_FETCH_BLOCK_CONTENTS', { ...input, start_cursor: first['next_cursor'] });
    assert.deepEqual([rest['count'], rest['has_more'], rest['next_cursor']], [1, false, null]);
  });
});
