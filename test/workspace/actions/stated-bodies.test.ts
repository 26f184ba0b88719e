/**
 * Statements of the actions' document about what is written: bodies, icons, covers, parents, places, and single reads.
 */
import assert from 'node:assert/strict';
import { rowPlan } from './support/every-action.ts';
import { paragraph, type Results, text, WorkPage } from './support/work-page.ts';

const url = 'https://example.com/cover.png';
const external = { type: 'external', external: { url } };
const rocket = { type: 'emoji', emoji: '🚀' };

describe("Statements of the actions' document about what is written", () => {
  const page = WorkPage.each();
  const h = () => page.harness;
  const home = () => h().emulator.ids.home;
  const ok = (id: string, input: object, more = {}) => h().ok(id, input, more);
  const fails = (id: string, input: object) => h().fails(id, input);
  const database = async (...columns: object[]) => {
    const properties = [{ name: 'Name', type: 'title' }, ...columns];
    const made = await ok('DOCS_CREATE_DATABASE', { title: 'Tasks', parent_id: page.id, properties });
    return { id: String(made['id']), source: String(made['data_source_id']) };
  };
  const read = (page_id: unknown) => ok('DOCS_RETRIEVE_PAGE', { page_id });
  const uploaded = async () => {
    const { id } = await ok('DOCS_CREATE_FILE_UPLOAD', { filename: 'a.png', content_type: 'image/png' });
    const file = { name: 'a.png', mimetype: 'image/png' };
    await ok('DOCS_SEND_FILE_UPLOAD', { file_upload_id: id, file, file_content_base64: 'aGk=' });
    return String(id);
  };

  describe('icons and covers', () => {
    it('a new page gets its emoji and its cover', async () => {
      const { id } = await ok('DOCS_CREATE_DOCS_PAGE', {
        title: 'x',
        parent_id: page.id,
        icon: '🚀',
        cover: url,
      });
      const { icon, cover } = await read(id);
      assert.deepEqual([icon, cover], [rocket, external]);
    });

    it('a new row gets its emoji and its cover, from values and from natural language', async () => {
      const { id } = await database({ name: 'Priority', type: 'select', options: ['High'] });
      const extras = { database_id: id, icon: '🚀', cover: url };
      const model = { model: () => Promise.resolve(rowPlan) };
      for (const [action, input] of [
        ['DOCS_INSERT_ROW_DATABASE', { properties: [{ name: 'Name', value: 'x' }] }],
        ['DOCS_INSERT_ROW_FROM_NL', { nl_query: 'Buy milk, high priority' }],
      ] as const) {
        const row = await read((await ok(action, { ...extras, ...input }, model))['id']);
        assert.deepEqual([row['icon'], row['cover']], [rocket, external], action);
        for (const wrong of [{ icon: 'rocket' }, { cover: 'plan.png' }])
          assert.match(
            await fails(action, { ...extras, ...input, ...wrong }),
            /^INVALID_INPUT: (icon|cover) is/,
          );
      }
    });

    it('an update changes the icon (an object) and the cover, by URL or by file_upload', async () => {
      const update = (more: object) => ok('DOCS_UPDATE_PAGE', { page_id: page.id, ...more });
      assert.deepEqual((await update({ icon: { type: 'emoji', emoji: '🚀' } }))['icon'], rocket);
      assert.deepEqual((await update({ icon: { external: { url } } }))['icon'], external);
      assert.deepEqual((await update({ cover: external }))['cover'], external);
      const { cover } = await update({ cover: { file_upload: { id: await uploaded() } } });
      assert.equal((cover as { type: string }).type, 'file');
    });
  });

  describe('bodies', () => {
    it('a row takes child_blocks: an array of rich text objects, each a paragraph', async () => {
      const { id } = await database();
      const row = await ok('DOCS_INSERT_ROW_DATABASE', {
        ...{ database_id: id, properties: [{ name: 'Name', value: 'x' }] },
        child_blocks: [
          { type: 'text', text: { content: 'first' }, annotations: { bold: true } },
          { text: { content: 'second', link: { url } } },
          { type: 'mention', mention: { type: 'page', page: { id: home() } } },
        ],
      });
      const outline = h().emulator.outline(String(row['id']));
      assert.deepEqual(outline.slice(0, 2), ['paragraph: first', 'paragraph: second']);
      assert.equal(outline.length, 3);
      const { results } = await ok('DOCS_FETCH_BLOCK_CONTENTS', { block_id: row['id'] });
      const [first, second, third] = (
        results as {
          paragraph: { rich_text: { type: string; annotations?: object; text?: { link: object } }[] };
        }[]
      ).map(({ paragraph: { rich_text } }) => rich_text[0]);
      assert.deepEqual(first?.annotations, { bold: true });
      assert.deepEqual(second?.text?.link, { url });
      assert.equal(third?.type, 'mention');
    });

    it('one block goes into a page, toggle, to-do, list item, callout or quote, behind a given child', async () => {
      const kinds = ['toggle', 'to_do', 'bulleted_list_item', 'numbered_list_item', 'callout', 'quote'];
      const { results } = await page.add(kinds.map((block_property) => ({ content: 'x', block_property })));
      for (const parent_block_id of [page.id, ...(results as Results).map(({ id }) => id)]) {
        const add = (content: string, more = {}) =>
          ok('DOCS_ADD_PAGE_CONTENT', { parent_block_id, content_block: { content }, ...more });
        const [first] = (await add('one'))['results'] as Results;
        await add('three');
        await add('two', { after: first?.id });
        const lines = h()
          .emulator.outline(parent_block_id)
          .filter((line) => line.startsWith('paragraph'));
        assert.deepEqual(lines, ['paragraph: one', 'paragraph: two', 'paragraph: three']);
      }
    });

    it('tables go behind a given child', async () => {
      const { results } = await page.add(['first', 'last']);
      const tables = [{ rows: [{ cells: [text('a')] }] }];
      await ok('DOCS_APPEND_TABLE_BLOCKS', { block_id: page.id, tables, after: (results as Results)[0]?.id });
      assert.deepEqual(
        page.outline().map((line) => line.trim().split(':')[0]),
        ['paragraph', 'table', 'table_row', 'paragraph'],
      );
    });

    it('tasks nest up to 2 levels, and no deeper', async () => {
      const todo = (depth: number): object => ({
        type: 'to_do',
        to_do: { rich_text: text(`level ${depth}`), ...(depth === 0 ? {} : { children: [todo(depth - 1)] }) },
      });
      const append = (depth: number) => ({ block_id: page.id, children: [todo(depth)] });
      await ok('DOCS_APPEND_TASK_BLOCKS', append(2));
      assert.equal(page.outline().length, 3);
      assert.match(await fails('DOCS_APPEND_TASK_BLOCKS', append(3)), /3 levels deep; at most 2/);
    });

    it('a replacement appends in batches of up to 100', async () => {
      const new_children = Array.from({ length: 250 }, (_, at) => ({ content: `${at}` }));
      h().emulator.requests.length = 0;
      assert.equal((await ok('DOCS_REPLACE_PAGE_CONTENT', { page_id: page.id, new_children }))['batches'], 3);
      const sizes = h()
        .emulator.requests.filter(({ method }) => method === 'PATCH')
        .map(({ body }) => (body as { children: unknown[] }).children.length);
      assert.deepEqual(sizes, [100, 100, 50]);
    });

    it('an update of a block sets checked, color and is_toggleable', async () => {
      const { results } = await page.add([
        { content: 'task', block_property: 'to_do' },
        { content: 'title', block_property: 'heading_2' },
      ]);
      const [task, title] = (results as Results).map(({ id }) => id);
      const update = (block_id: unknown, additional_properties: object) =>
        ok('DOCS_UPDATE_BLOCK', { block_id, content: 'new', additional_properties });
      const { to_do } = await update(task, { checked: true, color: 'red' });
      assert.deepEqual(
        [(to_do as { checked: boolean }).checked, (to_do as { color: string }).color],
        [true, 'red'],
      );
      const { heading_2 } = await update(title, { is_toggleable: true });
      assert.equal((heading_2 as { is_toggleable: boolean }).is_toggleable, true);
    });
  });

  describe('parents', () => {
    it('a page is made in a database too, by its id with or without dashes', async () => {
      const { id, source } = await database();
      for (const parent_id of [id, id.replaceAll('-', '')]) {
        const made = await ok('DOCS_CREATE_DOCS_PAGE', { title: 'Row', parent_id, markdown: 'Text' });
        assert.equal(
          ((await read(made['id']))['parent'] as { data_source_id: string }).data_source_id,
          source,
        );
      }
      assert.equal((await ok('DOCS_QUERY_DATABASE', { database_id: id }))['count'], 2);
    });

    it('a page moves under another page, with its parent as an object and as JSON text', async () => {
      const { id } = await ok('DOCS_CREATE_DOCS_PAGE', { title: 'Moved', parent_id: home() });
      for (const [target, parent] of [
        [page.id, { type: 'page_id', page_id: page.id }],
        [home(), JSON.stringify({ type: 'page_id', page_id: home() })],
      ] as const) {
        await ok('DOCS_MOVE_PAGE', { page_id: id, parent });
        assert.equal(((await read(id))['parent'] as { page_id: string }).page_id, target);
      }
    });

    it('a duplicate has its content, and the title that is given', async () => {
      await page.add([{ content: 'a' }, { content: 'b', block_property: 'to_do' }]);
      const made = await ok('DOCS_DUPLICATE_PAGE', { page_id: page.id, parent_id: home(), title: 'Second' });
      assert.deepEqual(h().emulator.outline(String(made['id'])), ['paragraph: a', 'to_do: b']);
      assert.ok(h().emulator.outline(home()).includes('child_page: Second'));
    });

    it('a duplicate into a database names the properties that it may not have copied whole', async () => {
      const { id } = await database();
      const links = await ok('DOCS_CREATE_DATABASE', {
        title: 'Links',
        parent_id: page.id,
        properties: [
          { name: 'Name', type: 'title' },
          { name: 'Tasks', type: 'relation', database_id: id },
        ],
      });
      const rows: unknown[] = [];
      for (let at = 0; at < 27; at += 1)
        rows.push((await ok('DOCS_INSERT_ROW_DATABASE', { database_id: id }))['id']);
      const row = await ok('DOCS_INSERT_ROW_DATABASE', {
        database_id: links['id'],
        properties: [{ name: 'Tasks', value: rows.join(',') }],
      });
      const copy = await ok('DOCS_DUPLICATE_PAGE', { page_id: row['id'], parent_id: links['id'] });
      assert.match(String(copy['warnings']), /not copied whole.*25 references.*Tasks/);
    });

    it('a relation is made to the data source of the related database', async () => {
      const { id, source } = await database();
      const made = await ok('DOCS_CREATE_DATABASE', {
        title: 'Links',
        parent_id: page.id,
        properties: [
          { name: 'Name', type: 'title' },
          { name: 'Tasks', type: 'relation', database_id: id },
        ],
      });
      const column = await ok('DOCS_RETRIEVE_DATABASE_PROPERTY', {
        database_id: made['id'],
        property_id: 'Tasks',
      });
      assert.equal((column['relation'] as { data_source_id: string }).data_source_id, source);
    });
  });

  describe('single reads', () => {
    it('a row with its properties; a page without its content', async () => {
      const { id } = await database({ name: 'Points', type: 'number' });
      const row = await ok('DOCS_INSERT_ROW_DATABASE', {
        ...{ database_id: id, child_blocks: ['hidden words'] },
        properties: [
          { name: 'Name', value: 'x' },
          { name: 'Points', value: '4' },
        ],
      });
      for (const action of ['DOCS_FETCH_ROW', 'DOCS_RETRIEVE_PAGE']) {
        const found = await ok(action, { page_id: row['id'] });
        assert.equal((found['properties'] as { Points: { number: number } }).Points.number, 4);
        assert.doesNotMatch(JSON.stringify(found), /hidden words/);
      }
    });

    it('the structure of a database, not its entries; a column by its id', async () => {
      const { id } = await database({ name: 'Points', type: 'number' });
      await ok('DOCS_INSERT_ROW_DATABASE', {
        database_id: id,
        properties: [{ name: 'Name', value: 'entry' }],
      });
      const found = await ok('DOCS_FETCH_DATABASE', { database_id: id });
      assert.doesNotMatch(JSON.stringify(found), /entry/);
      const { id: column } = (found['properties'] as { Points: { id: string } }).Points;
      const one = await ok('DOCS_RETRIEVE_DATABASE_PROPERTY', { database_id: id, property_id: column });
      assert.equal(one['name'], 'Points');
    });

    it("a block's type and whether it has children, not the children", async () => {
      const children = [paragraph('outer', [paragraph('inner')])];
      const { results } = await ok('DOCS_APPEND_BLOCK_CHILDREN', { block_id: page.id, children });
      const { id } = (results as Results)[0]!;
      for (const block_id of [id, id.replaceAll('-', '')]) {
        const found = await ok('DOCS_FETCH_BLOCK_METADATA', { block_id });
        assert.deepEqual([found['type'], found['has_children']], ['paragraph', true]);
        assert.doesNotMatch(JSON.stringify(found), /inner/);
      }
    });

    it('recursion is off by default, and goes through every level when it is on', async () => {
      await page.add([
        { type: 'toggle', toggle: { rich_text: text('1'), children: [paragraph('2', [paragraph('3')])] } },
      ]);
      const fetch = async (more = {}) =>
        (await ok('DOCS_FETCH_ALL_BLOCK_CONTENTS', { block_id: page.id, ...more }))['count'];
      assert.deepEqual([await fetch(), await fetch({ recursive: true })], [1, 3]);
    });

    it('a comment by its id; an answer in its discussion', async () => {
      const first = await ok('DOCS_CREATE_COMMENT', { comment: { content: 'one' }, parent_page_id: page.id });
      const { discussion_id } = first;
      await ok('DOCS_CREATE_COMMENT', { comment: { content: 'two' }, discussion_id });
      const { results } = await ok('DOCS_FETCH_COMMENTS', { page_id: page.id });
      assert.deepEqual(
        (results as { discussion_id: string }[]).map((one) => one.discussion_id),
        [discussion_id, discussion_id],
      );
      const found = await ok('DOCS_RETRIEVE_COMMENT', { comment_id: first['id'] });
      assert.match(JSON.stringify(found['rich_text']), /one/);
    });

    it('a user by their id', async () => {
      const { person } = h().emulator.ids;
      const found = await ok('DOCS_GET_ABOUT_USER', { user_id: person });
      assert.deepEqual([found['id'], found['type']], [person, 'person']);
    });

    it('an upload by its id, imported from a public URL too', async () => {
      const { id } = await ok('DOCS_CREATE_FILE_UPLOAD', {
        ...{ mode: 'external_url', external_url: 'https://example.com/a.pdf', filename: 'a.pdf' },
      });
      const found = await ok('DOCS_RETRIEVE_FILE_UPLOAD', { file_upload_id: id });
      assert.equal(found['id'], id);
      assert.match(String(found['status']), /^(pending|uploaded)$/);
    });

    it('the content of a page as markdown', async () => {
      await page.add([{ content: 'Plan', block_property: 'heading_2' }, { content: '**bold**' }]);
      const { markdown } = await ok('DOCS_GET_PAGE_MARKDOWN', { page_id: page.id });
      assert.match(String(markdown), /^## Plan\s+\*\*bold\*\*\s*$/);
    });
  });
});
