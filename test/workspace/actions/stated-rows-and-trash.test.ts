/** Errors, limits and state changes that the actions' document states. Those of content are tested with its actions. */
import assert from 'node:assert/strict';
import { WorkPage } from './support/work-page.ts';

type Block = { id: string };

describe("Statements of the actions' document about rows, the trash and ids", () => {
  const page = WorkPage.each();
  const h = () => page.harness;
  const ids = () => h().emulator.ids;
  const ok = (id: string, input: object, more = {}) => h().ok(id, input, more);
  const fails = (id: string, input: object, more = {}) => h().fails(id, input, more);
  const database = async (properties: unknown[] = [{ name: 'Name', type: 'title' }]) => {
    const made = await ok('DOCS_CREATE_DATABASE', { title: 'Tasks', parent_id: ids().home, properties });
    return { id: String(made['id']), source: String(made['data_source_id']) };
  };

  describe('row insert', () => {
    it('a database that is not shared with the integration: 404', async () => {
      const { id } = await database();
      const { token } = h().emulator.addConnection({ shared: [page.id] });
      const properties = [{ name: 'Name', type: 'title', value: 'x' }];
      const error = await fails('DOCS_INSERT_ROW_DATABASE', { database_id: id, properties }, { token });
      assert.match(error, /^NOT_FOUND_OR_NOT_SHARED \(HTTP 404\).*share the page or database/);
    });

    it('a wrong property name: 400, is not a property; a wrong case is a wrong name', async () => {
      const { id } = await database();
      for (const name of ['Colour', 'name']) {
        const properties = [{ name, type: 'title', value: 'x' }];
        const error = await fails('DOCS_INSERT_ROW_DATABASE', { database_id: id, properties });
        assert.match(error, new RegExp(`HTTP 400\\).*${name} is not a property that exists`));
        assert.match(error, /Name \(title\)/);
      }
      assert.equal(h().emulator.count('POST', '/v1/pages'), 1);
    });

    it('a wrong property type: 400, another type is expected', async () => {
      const { id } = await database([
        { name: 'Name', type: 'title' },
        { name: 'Points', type: 'number' },
      ]);
      const properties = [{ name: 'Points', type: 'select', value: 'many' }];
      const error = await fails('DOCS_INSERT_ROW_DATABASE', { database_id: id, properties });
      assert.match(error, /HTTP 400\).*Points is expected to be number/);
    });

    it('takes the properties as JSON text', async () => {
      const { id } = await database();
      const properties = JSON.stringify([{ name: 'Name', type: 'title', value: 'From text' }]);
      assert.ok(
        JSON.stringify(await ok('DOCS_INSERT_ROW_DATABASE', { database_id: id, properties })).includes(
          'From text',
        ),
      );
    });

    it('natural language without a configured model names the missing settings, and writes nothing', async () => {
      const { id } = await database();
      const error = await fails('DOCS_INSERT_ROW_FROM_NL', { database_id: id, nl_query: 'Buy milk' });
      assert.match(error, /^NOT_CONFIGURED.*MODEL_BASE_URL/);
      assert.equal(h().emulator.count('POST', '/v1/pages'), 1);
    });

    it('natural language: a plan that does not fit the live schema writes nothing', async () => {
      const { id } = await database();
      const asked: string[] = [];
      const model = (prompt: string) => {
        asked.push(prompt);
        return Promise.resolve('[{"name":"Colour","value":"red"}]');
      };
      const error = await fails(
        'DOCS_INSERT_ROW_FROM_NL',
        { database_id: id, nl_query: 'red one' },
        { model },
      );
      assert.match(error, /nothing was written.*Colour is not a property/);
      assert.equal(asked.length, 2);
      assert.match(asked[1]!, /Your last answer had these faults.*Colour is not a property/s);
      assert.equal(h().emulator.count('POST', '/v1/pages'), 1);
    });
  });

  describe('trash', () => {
    const trashed = async (id: string) => (await ok('DOCS_RETRIEVE_PAGE', { page_id: id }))['archived'];

    it('DOCS_ARCHIVE_DOCS_PAGE moves an active page to the trash by default, and restores it', async () => {
      await ok('DOCS_ARCHIVE_DOCS_PAGE', { page_id: page.id });
      assert.equal(await trashed(page.id), true);
      await ok('DOCS_ARCHIVE_DOCS_PAGE', { page_id: page.id });
      await ok('DOCS_ARCHIVE_DOCS_PAGE', { page_id: page.id, archive: false });
      assert.equal(await trashed(page.id), false);
    });

    it('DOCS_UPDATE_PAGE archives and restores', async () => {
      await ok('DOCS_UPDATE_PAGE', { page_id: page.id, archived: true });
      assert.equal(await trashed(page.id), true);
      await ok('DOCS_UPDATE_PAGE', { page_id: page.id, archived: false });
      assert.equal(await trashed(page.id), false);
    });

    it('DOCS_DELETE_BLOCK archives a block, a page and a database', async () => {
      const [block] = (await page.add([{ content: 'x' }]))['results'] as Block[];
      const { id } = await database();
      for (const block_id of [block!.id, page.id, id])
        assert.equal((await ok('DOCS_DELETE_BLOCK', { block_id }))['archived'], true);
    });

    it('the delete of a block with an archived ancestor fails, with the advice to restore it', async () => {
      const [block] = (await page.add([{ content: 'x' }]))['results'] as Block[];
      await ok('DOCS_ARCHIVE_DOCS_PAGE', { page_id: page.id });
      const error = await fails('DOCS_DELETE_BLOCK', { block_id: block!.id });
      assert.match(error, /archived ancestor.*DOCS_ARCHIVE_DOCS_PAGE with archive false/);
    });

    it('a workspace-level page cannot be archived through the API', async () => {
      for (const [id, input] of [
        ['DOCS_ARCHIVE_DOCS_PAGE', { page_id: ids().home }],
        ['DOCS_DELETE_BLOCK', { block_id: ids().home }],
      ] as const)
        assert.match(await fails(id, input), /workspace level pages.*by hand/s);
    });
  });

  describe('kinds of ids', () => {
    it('a page id where a database id is required is rejected, by its kind', async () => {
      for (const [action, more] of [
        ['DOCS_FETCH_DATABASE', {}],
        ['DOCS_QUERY_DATABASE', {}],
        ['DOCS_QUERY_DATABASE_WITH_FILTER', {}],
        ['DOCS_RETRIEVE_DATABASE_PROPERTY', { property_id: 'Name' }],
        ['DOCS_INSERT_ROW_DATABASE', { properties: [] }],
      ] as const)
        assert.match(
          await fails(action, { database_id: page.id, ...more }),
          /is a page[;,].*database id/i,
          action,
        );
    });

    it('a database id where a page id is required is rejected, by its kind', async () => {
      const { id } = await database();
      for (const [action, more] of [
        ['DOCS_RETRIEVE_PAGE', {}],
        ['DOCS_GET_PAGE_MARKDOWN', {}],
        ['DOCS_ARCHIVE_DOCS_PAGE', {}],
        ['DOCS_UPDATE_PAGE', { archived: true }],
        ['DOCS_FETCH_ROW', {}],
        ['DOCS_REPLACE_PAGE_CONTENT', { new_children: [] }],
      ] as const)
        assert.match(await fails(action, { page_id: id, ...more }), /database[;,].*page/i, action);
    });

    it('takes ids with and without hyphens, and addresses', async () => {
      const plain = page.id.replaceAll('-', '');
      for (const page_id of [page.id, plain, `https://www.notion.so/Work-${plain}`])
        assert.equal((await ok('DOCS_RETRIEVE_PAGE', { page_id }))['id'], page.id);
    });

    it('a move into a database needs data_source_id; with page_id it fails with that advice', async () => {
      const { id, source } = await database();
      const move = (parent: object) => ({ page_id: page.id, parent });
      assert.match(await fails('DOCS_MOVE_PAGE', move({ type: 'page_id', page_id: id })), /data_source_id/);
      await ok('DOCS_MOVE_PAGE', move({ type: 'data_source_id', data_source_id: source }));
      const { parent } = await ok('DOCS_RETRIEVE_PAGE', { page_id: page.id });
      assert.equal((parent as { data_source_id: string }).data_source_id, source);
    });

    it('names the data sources of a database that has several, and chooses none of them', async () => {
      const { id, source } = await database();
      const answer = await fetch(`${h().emulator.url}/v1/data_sources`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${h().emulator.tokens.main}`,
          'notion-version': '2025-09-03',
          'content-type': 'application/json',
        },
        body: JSON.stringify({
          parent: { type: 'database_id', database_id: id },
          properties: { Name: { title: {} } },
        }),
      });
      const other = ((await answer.json()) as Block).id;
      const error = await fails('DOCS_QUERY_DATABASE', { database_id: id });
      assert.match(error, /^AMBIGUOUS_DATABASE/);
      assert.ok(error.includes(source) && error.includes(other));
    });
  });
});
