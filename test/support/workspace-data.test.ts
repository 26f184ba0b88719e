/** The emulator behaves as the Notion API does: property values, queries, blocks, markdown. */
import assert from 'node:assert/strict';
import { paragraph, title, words, workbench } from './workspace/caller.ts';
import { startWorkspaceEmulator, type WorkspaceEmulator } from './workspace/emulator.ts';
import { asArray, asObject, asString, type Json, type JsonObject } from './workspace/json.ts';

describe('workspace emulator: data', () => {
  let emulator: WorkspaceEmulator;
  let bench: ReturnType<typeof workbench>;

  before(async () => {
    emulator = await startWorkspaceEmulator();
    bench = workbench(emulator.url, emulator.tokens.main, emulator.ids.home);
  });
  after(() => emulator.stop());
  beforeEach(() => {
    emulator.reset();
  });

  it('5 semantics: values are checked against the columns; select options grow, status options do not', async () => {
    const { source } = await bench.newTable({
      Status: { status: {} },
      Kind: { select: { options: [{ name: 'a' }] } },
      Size: { number: {} },
    });
    const said = async (properties: JsonObject) =>
      asString((await bench.newRow(source, properties)).body['message']);
    assert.equal(
      await said({ Colour: { number: 1 }, Status: { select: { name: 'Done' } } }),
      'Colour is not a property that exists. Status is expected to be status.',
    );
    assert.equal(
      await said({ Kind: { select: { name: 'High, really' } } }),
      'Invalid select option, commas not allowed: High, really',
    );
    assert.match(asString(await said({ Status: { status: { name: 'Nowhere' } } })), /Nowhere/);
    const row = await bench.newRow(source, {
      title: title('Row'),
      Kind: { select: { name: 'b' } },
      Size: { number: 2 },
    });
    assert.equal(row.status, 200);
    assert.equal(asObject(asObject(asObject(row.body['properties'])['Kind'])['select'])['name'], 'b');
    const columns = asObject((await bench.ask('GET', `/v1/data_sources/${source}`)).body['properties']);
    const options = asArray(asObject(asObject(columns['Kind'])['select'])['options']);
    assert.deepEqual(
      options.map((each) => asObject(each)['name']),
      ['a', 'b'],
    );
    assert.match(asString(row.body['created_time']), /T\d\d:\d\d:00\.000Z$/);
  });

  it('5 semantics: a page shows 25 references, the property endpoint all of them in pages', async () => {
    const { source } = await bench.newTable({});
    const change = await bench.ask('PATCH', `/v1/data_sources/${source}`, {
      properties: { Links: { relation: { data_source_id: source, single_property: {} } } },
    });
    const id = asString(asObject(asObject(change.body['properties'])['Links'])['id']);
    const targets: Json[] = [];
    for (let index = 0; index < 30; index += 1)
      targets.push({ id: (await bench.newRow(source, { Name: title(`r${index}`) })).body['id'] ?? '' });
    const row = await bench.newRow(source, { Links: { relation: targets } });
    const shown = asObject(asObject(row.body['properties'])['Links']);
    assert.deepEqual([asArray(shown['relation']).length, shown['has_more']], [25, true]);
    const path = `/v1/pages/${asString(row.body['id'])}/properties/${encodeURIComponent(decodeURIComponent(id))}?page_size=20`;
    const first = await bench.ask('GET', path);
    assert.deepEqual([asArray(first.body['results']).length, first.body['has_more']], [20, true]);
    const rest = await bench.ask('GET', `${path}&start_cursor=${asString(first.body['next_cursor'])}`);
    assert.deepEqual([asArray(rest.body['results']).length, rest.body['has_more']], [10, false]);
  });

  it('6 query: filters by type, two levels of and/or, stable sorts with empties last, pages, and the cap', async () => {
    const { source } = await bench.newTable({ Size: { number: {} }, Done: { checkbox: {} } });
    for (const [name, size] of [
      ['b', 2],
      ['a', 1],
      ['none', null],
      ['c', 3],
    ] as const) {
      await bench.newRow(source, { Name: title(name), Size: { number: size } });
    }
    const query = (body: JsonObject) => bench.ask('POST', `/v1/data_sources/${source}/query`, body);
    const names = async (body: JsonObject) =>
      asArray((await query(body)).body['results']).map((row) => {
        const first = asArray(asObject(asObject(asObject(row)['properties'])['Name'])['title'])[0];
        return asObject(first)['plain_text'];
      });
    const bySize = [{ property: 'Size', direction: 'descending' }];
    assert.deepEqual(await names({ sorts: bySize }), ['c', 'b', 'a', 'none']);
    const either = {
      or: [
        { property: 'Size', number: { less_than: 2 } },
        { and: [{ property: 'Name', title: { contains: 'C' } }] },
      ],
    };
    assert.deepEqual(await names({ filter: either, sorts: bySize }), ['c', 'a']);
    const deep = { and: [{ or: [{ and: [] }] }] };
    assert.equal((await query({ filter: deep })).status, 400);
    assert.equal(
      (await query({ filter: { property: 'Colour', number: { equals: 1 } } })).body['message'],
      'Could not find property with name or id: Colour',
    );
    assert.equal(
      (await query({ filter: { property: 'Size', rich_text: { equals: '1' } } })).body['message'],
      'database property number does not match filter rich_text',
    );
    assert.equal(
      (await query({ sorts: [{ property: 'Colour', direction: 'ascending' }] })).body['message'],
      'Could not find sort property with name or id: Colour',
    );
    const first = await query({ sorts: bySize, page_size: 3 });
    assert.deepEqual(
      await names({ sorts: bySize, page_size: 3, start_cursor: first.body['next_cursor'] ?? null }),
      ['none'],
    );
    emulator.settings.queryCap = 2;
    const capped = await query({});
    assert.deepEqual(capped.body['request_status'], {
      type: 'incomplete',
      incomplete_reason: 'query_result_limit_reached',
    });
    assert.equal(asArray(capped.body['results']).length, 2);
  });

  const results = (reply: { body: JsonObject }): JsonObject[] => asArray(reply.body['results']).map(asObject);
  const first = (reply: { body: JsonObject }): string => asString(results(reply)[0]?.['id']);

  it('7 append: the end by default, after a block, at the start; created blocks come first in the answer', async () => {
    const page = await bench.newPage('Append');
    const one = await bench.append(page, [paragraph('1'), paragraph('4')]);
    assert.equal(results(one).length, 2);
    const two = await bench.append(page, [paragraph('2'), paragraph('3')], { after: first(one) });
    assert.deepEqual(results(two).length, 3, 'the created blocks and the sibling behind them');
    await bench.append(page, [paragraph('0')], { position: { type: 'start' } }, '2026-03-11');
    assert.deepEqual(
      emulator.outline(page),
      ['0', '1', '2', '3', '4'].map((each) => `paragraph: ${each}`),
    );
    const stranger = await bench.append(page, [paragraph('x')], { after: emulator.ids.secret });
    assert.equal(stranger.status, 400);
  });

  it('7 append: parents, tables and columns take only what the service lets them', async () => {
    const page = await bench.newPage('Shapes');
    const said = async (id: string, children: Json[]) =>
      asString((await bench.append(id, children)).body['message']);
    const plain = first(await bench.append(page, [{ heading_1: { rich_text: words('plain') } }]));
    assert.equal(await said(plain, [paragraph('x')]), 'Block does not support children');
    const open = first(
      await bench.append(page, [{ heading_1: { rich_text: words('open'), is_toggleable: true } }]),
    );
    assert.equal(await said(open, [paragraph('inside')]), '');
    const row = (count: number): JsonObject => ({
      table_row: { cells: Array.from({ length: count }, () => words('c')) },
    });
    const table = (rows: Json[]): JsonObject => ({ table: { table_width: 2, children: rows } });
    assert.match(
      await said(page, [table([row(3)])]),
      /Number of cells in table row must match the table width/,
    );
    const made = first(await bench.append(page, [table([row(2)])]));
    assert.equal(await said(made, [row(2)]), '');
    assert.match(await said(made, [paragraph('x')]), /table_row/);
    assert.match(
      await said(page, [{ column_list: { children: [{ column: { children: [] } }] } }]),
      /at least 2 columns/,
    );
    assert.match(await said(page, [{ column: { children: [] } }]), /column_list/);
    assert.match(
      await said(page, [{ code: { rich_text: words('x'), language: 'ts' } }]),
      /language should be/,
    );
  });

  it('7 blocks: an update replaces the given fields only and never the type', async () => {
    const page = await bench.newPage('Update');
    const id = first(await bench.append(page, [{ to_do: { rich_text: words('task'), checked: false } }]));
    const update = (body: JsonObject) => bench.ask('PATCH', `/v1/blocks/${id}`, body);
    const checked = asObject((await update({ to_do: { checked: true } })).body['to_do']);
    assert.deepEqual(
      [checked['checked'], asObject(asArray(checked['rich_text'])[0])['plain_text']],
      [true, 'task'],
    );
    assert.equal(
      (await update({ paragraph: { rich_text: [] } })).body['message'],
      'Expected block type to_do in request body',
    );
    assert.equal((await update({ type: { to_do: {} } })).status, 400);
  });

  it('8 markdown: created with a page, read, edited by four commands, truncated, and written by a task', async () => {
    const page = await bench.newPage('Markdown', emulator.ids.home, {
      markdown: '## A\n\nB **bold**\n- x\n\t- y\n',
    });
    const path = `/v1/pages/${page}/markdown`;
    const read = async () => (await bench.ask('GET', path)).body['markdown'];
    assert.equal(await read(), '## A\nB **bold**\n- x\n\t- y');
    assert.deepEqual(emulator.outline(page), [
      'heading_2: A',
      'paragraph: B bold',
      'bulleted_list_item: x',
      '  bulleted_list_item: y',
    ]);
    const edit = (type: string, command: JsonObject, more: JsonObject = {}) =>
      bench.ask('PATCH', path, { type, [type]: command, ...more });
    await edit('insert_content', { content: 'end' });
    await edit('update_content', { content_updates: [{ old_str: 'B **bold**', new_str: 'C' }] });
    await edit('replace_content_range', { content: 'gone', content_range: '- x...- y' });
    assert.equal(await read(), '## A\nC\ngone\nend');
    assert.equal(
      (await edit('update_content', { content_updates: [{ old_str: 'absent', new_str: '' }] })).status,
      400,
    );
    emulator.settings.markdownBlockLimit = 1;
    const cut = (await bench.ask('GET', path)).body;
    assert.deepEqual([cut['truncated'], asArray(cut['unknown_block_ids']).length], [true, 3]);
    emulator.settings.markdownBlockLimit = 100;
    const task = await edit('replace_content', { new_str: 'all new' }, { allow_async: true });
    assert.deepEqual([task.status, task.body['status']], [202, 'queued']);
    const poll = () => bench.ask('GET', `/v1/async_tasks/${asString(task.body['id'])}`);
    assert.equal((await poll()).body['status'], 'running');
    assert.equal(asObject((await poll()).body['result'])['markdown'], 'all new');
  });

  it('8 markdown: an edit that would delete a child page is refused unless it is allowed', async () => {
    const page = await bench.newPage('Parent');
    await bench.newPage('Child', page);
    const replace = (more: JsonObject) =>
      bench.ask('PATCH', `/v1/pages/${page}/markdown`, {
        type: 'replace_content',
        replace_content: { new_str: 'text', ...more },
      });
    assert.equal((await replace({})).status, 400);
    assert.deepEqual(emulator.outline(page), ['child_page: Child']);
    assert.equal((await replace({ allow_deleting_content: true })).status, 200);
    assert.deepEqual(emulator.outline(page), ['paragraph: text']);
  });
});
