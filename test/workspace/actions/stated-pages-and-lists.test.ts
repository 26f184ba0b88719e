/** Errors, limits and state changes that the actions' document states. Those of content are tested with its actions. */
import assert from 'node:assert/strict';
import { WorkPage } from './support/work-page.ts';

describe("Statements of the actions' document about pages and lists", () => {
  const page = WorkPage.each();
  const h = () => page.harness;
  const ids = () => h().emulator.ids;
  const ok = (id: string, input: object, more = {}) => h().ok(id, input, more);
  const fails = (id: string, input: object, more = {}) => h().fails(id, input, more);
  const database = async (properties: unknown[] = [{ name: 'Name', type: 'title' }]) => {
    const made = await ok('DOCS_CREATE_DATABASE', { title: 'Tasks', parent_id: ids().home, properties });
    return { id: String(made['id']), source: String(made['data_source_id']) };
  };
  const row = async (database_id: string, name = 'A row') => {
    const properties = [{ name: 'Name', type: 'title', value: name }];
    return String((await ok('DOCS_INSERT_ROW_DATABASE', { database_id, properties }))['id']);
  };

  describe('pages', () => {
    it('markdown is exclusive with children and content', async () => {
      const error = await fails('DOCS_CREATE_DOCS_PAGE', {
        ...{ title: 'x', parent_id: page.id, markdown: 'a' },
        children: [{ content: 'b' }],
      });
      assert.match(error, /^INVALID_INPUT.*markdown/);
    });

    it('a duplicate is named "Copy of …" and must have another parent than itself', async () => {
      const made = await ok('DOCS_DUPLICATE_PAGE', { page_id: page.id, parent_id: ids().home });
      assert.ok(JSON.stringify(made).includes('Copy of Work'));
      assert.match(
        await fails('DOCS_DUPLICATE_PAGE', { page_id: page.id, parent_id: page.id }),
        /^INVALID_INPUT/,
      );
    });

    it('an update needs one of properties, archived, icon and cover; the page is page_id, not id', async () => {
      assert.match(
        await fails('DOCS_UPDATE_PAGE', { page_id: page.id }),
        /^INVALID_INPUT.*properties, archived, icon/,
      );
      assert.match(
        await fails('DOCS_UPDATE_PAGE', { id: page.id, archived: true }),
        /^INVALID_INPUT.*page_id/,
      );
    });

    it('a property with more than 25 references is marked, and whole through the property action', async () => {
      const { id, source } = await database();
      const other = await ok('DOCS_CREATE_DATABASE', {
        title: 'Links',
        parent_id: ids().home,
        properties: [
          { name: 'Name', type: 'title' },
          { name: 'Tasks', type: 'relation', database_id: id },
        ],
      });
      const rows: string[] = [];
      for (let index = 0; index < 30; index += 1) rows.push(await row(id, `row ${index}`));
      const linked = await ok('DOCS_INSERT_ROW_DATABASE', {
        database_id: other['id'],
        properties: [
          { name: 'Name', type: 'title', value: 'all' },
          { name: 'Tasks', type: 'relation', value: rows.join(',') },
        ],
      });
      assert.ok(source);
      const read = await ok('DOCS_RETRIEVE_PAGE', { page_id: linked['id'] });
      assert.deepEqual(read['truncated_properties'], ['Tasks']);
      const whole = await ok('DOCS_GET_PAGE_PROPERTY_ACTION', {
        page_id: linked['id'],
        property_id: 'Tasks',
      });
      assert.equal(whole['count'], 30);
      assert.equal(whole['has_more'], false);
    });

    it('the title property goes by the id title, and by its name', async () => {
      const { id } = await database();
      const page_id = await row(id, 'Called');
      for (const property_id of ['title', 'Name'])
        assert.ok(
          JSON.stringify(await ok('DOCS_GET_PAGE_PROPERTY_ACTION', { page_id, property_id })).includes(
            'Called',
          ),
        );
    });
  });

  describe('lists', () => {
    it('page_size is 1 to 100; search has 25 by default, the others 100', async () => {
      const { id, source } = await database();
      for (const [action, input] of [
        ['DOCS_FETCH_BLOCK_CONTENTS', { block_id: page.id }],
        ['DOCS_FETCH_ALL_BLOCK_CONTENTS', { block_id: page.id }],
        ['DOCS_QUERY_DATABASE', { database_id: id }],
        ['DOCS_QUERY_DATABASE_WITH_FILTER', { database_id: id }],
        ['DOCS_QUERY_DATA_SOURCE', { data_source_id: source }],
        ['DOCS_LIST_DATA_SOURCE_TEMPLATES', { data_source_id: source }],
        ['DOCS_SEARCH_DOCS_PAGE', {}],
        ['DOCS_FETCH_COMMENTS', { page_id: page.id }],
        ['DOCS_LIST_FILE_UPLOADS', {}],
        ['DOCS_LIST_USERS', {}],
      ] as const) {
        for (const page_size of [0, 101])
          assert.match(await fails(action, { ...input, page_size }), /^INVALID_INPUT: page_size/, action);
        h().emulator.requests.length = 0;
        await ok(action, input);
        const sent = h().emulator.requests.map(
          ({ query, body }) => query['page_size'] ?? (body as { page_size?: number } | null)?.page_size,
        );
        assert.ok(sent.map(String).includes(action === 'DOCS_SEARCH_DOCS_PAGE' ? '25' : '100'), action);
      }
    });

    it('DOCS_FETCH_DATA caps a page_size above 100, with a warning', async () => {
      const data = await ok('DOCS_FETCH_DATA', { fetch_type: 'all', page_size: 500 });
      assert.deepEqual([data['page_size_was_capped'], data['original_page_size']], [true, 500]);
      assert.match(
        await fails('DOCS_FETCH_DATA', { fetch_type: 'everything' }),
        /^INVALID_INPUT: fetch_type/,
      );
    });

    it('search: a timestamp needs a direction', async () => {
      assert.match(
        await fails('DOCS_SEARCH_DOCS_PAGE', { timestamp: 'last_edited_time' }),
        /^INVALID_INPUT.*direction/,
      );
      assert.match(
        await fails('DOCS_SEARCH_DOCS_PAGE', { timestamp: 'created_time', direction: 'ascending' }),
        /^INVALID_INPUT: timestamp/,
      );
      await ok('DOCS_SEARCH_DOCS_PAGE', { timestamp: 'last_edited_time', direction: 'descending' });
    });

    it('search for databases gives both ids of each', async () => {
      const { id, source } = await database();
      const { results } = await ok('DOCS_SEARCH_DOCS_PAGE', { query: 'Tasks', filter_value: 'database' });
      const [found] = results as { id: string; data_source_id: string }[];
      assert.deepEqual([found?.id, found?.data_source_id], [id, source]);
    });

    it('fetch all: one of block_id and page_url; an address of a database view is refused with what to use', async () => {
      const plain = page.id.replaceAll('-', '');
      assert.match(await fails('DOCS_FETCH_ALL_BLOCK_CONTENTS', {}), /^INVALID_INPUT.*block_id.*page_url/);
      const view = `https://www.notion.so/${plain}?v=${plain}`;
      assert.match(
        await fails('DOCS_FETCH_ALL_BLOCK_CONTENTS', { page_url: view }),
        /^INVALID_INPUT.*DOCS_QUERY_DATABASE/,
      );
      await ok('DOCS_FETCH_ALL_BLOCK_CONTENTS', { page_url: `https://www.notion.so/Work-${plain}` });
    });

    it('a recursive fetch that reaches max_blocks or max_depth reports what is missing', async () => {
      const nested = (depth: number): object => ({
        type: 'toggle',
        toggle: {
          rich_text: [{ text: { content: `level ${depth}` } }],
          ...(depth < 3 ? { children: [nested(depth + 1)] } : {}),
        },
      });
      await ok('DOCS_APPEND_BLOCK_CHILDREN', { block_id: page.id, children: [nested(1), nested(1)] });
      const input = { block_id: page.id, recursive: true };
      assert.equal((await ok('DOCS_FETCH_ALL_BLOCK_CONTENTS', input))['count'], 6);
      for (const more of [{ max_blocks: 3 }, { max_depth: 1 }]) {
        const data = await ok('DOCS_FETCH_ALL_BLOCK_CONTENTS', { ...input, ...more });
        assert.equal(data['truncated'], true, JSON.stringify(more));
      }
    });
  });
});
