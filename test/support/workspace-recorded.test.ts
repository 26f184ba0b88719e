/** The emulator answers as recordings, the documentation and the SDK's types of the real service show. */
import assert from 'node:assert/strict';
import { paragraph, title, words, workbench } from './workspace/caller.ts';
import { startWorkspaceEmulator, type WorkspaceEmulator } from './workspace/emulator.ts';
import { asArray, asObject, asString, type Json, type JsonObject } from './workspace/json.ts';

const at = (value: Json | undefined, ...path: (string | number)[]): Json =>
  path.reduce<Json>(
    (inner, key) => (typeof key === 'number' ? asArray(inner)[key] : asObject(inner)[key]) ?? null,
    value ?? null,
  );

describe('workspace emulator: as recorded', () => {
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
  const query = async (source: string, filter: JsonObject) => {
    const { status, body } = await bench.ask('POST', `/v1/data_sources/${source}/query`, { filter });
    return status === 200 ? asArray(body['results']).length : asString(body['message']);
  };

  describe('dates', () => {
    const kept: [JsonObject, Json, Json?][] = [
      [{ start: '2026-07-01' }, '2026-07-01'],
      [{ start: '2026-07-01', end: '2026-07-03' }, '2026-07-01', '2026-07-03'],
      [{ start: '2026-07-25T16:57:28.513237Z', time_zone: 'UTC' }, '2026-07-25T16:57:00.000+00:00'],
      [{ start: '2026-06-27T17:57:32.42', time_zone: 'Europe/London' }, '2026-06-27T17:57:00.000+01:00'],
      [{ start: '2026-07-21T18:58:04.659200', time_zone: 'Europe/Berlin' }, '2026-07-21T18:58:00.000+02:00'],
      [{ start: '2024-01-06T00:00:00', time_zone: 'Europe/London' }, '2024-01-06T00:00:00.000+00:00'],
      [{ start: '2024-01-06T00:00', time_zone: 'America/St_Johns' }, '2024-01-06T00:00:00.000-03:30'],
      // The clock goes forward at 01:00 UTC.
      [{ start: '2026-03-29T00:30', time_zone: 'Europe/London' }, '2026-03-29T00:30:00.000+00:00'],
      [{ start: '2026-03-29T02:30', time_zone: 'Europe/London' }, '2026-03-29T02:30:00.000+01:00'],
      [{ start: '1592-03-14T00:01:15Z', time_zone: 'UTC' }, '1592-03-14T00:01:00.000+00:00'],
      [{ start: '2024-01-06T09:05:59' }, '2024-01-06T09:05:00.000+00:00'],
      [{ start: '2024-01-06T09:05:59.9+05:30' }, '2024-01-06T09:05:00.000+05:30'],
      [
        { start: '2024-01-06T09:05:59-08:00', end: '2024-01-06T10:05:59-08:00' },
        '2024-01-06T09:05:00.000-08:00',
        '2024-01-06T10:05:00.000-08:00',
      ],
    ];

    it('come back without seconds and with an offset, and their time zone as null', async () => {
      const { source } = await bench.newTable({ When: { date: {} } });
      const page = await bench.newPage('Dates');
      for (const [date, start, end = null] of kept) {
        const expected = { start, end, time_zone: null };
        const row = await bench.newRow(source, { Name: title('x'), When: { date } });
        assert.deepEqual(at(row.body, 'properties', 'When', 'date'), expected, JSON.stringify(date));
        const mention = { mention: { date } };
        const block = await bench.append(page, [{ paragraph: { rich_text: [mention] } }]);
        const shown = at(block.body, 'results', 0, 'paragraph', 'rich_text', 0, 'mention', 'date');
        assert.deepEqual(shown, expected, JSON.stringify(date));
      }
    });

    it('that are none are refused, and a time zone without a time', async () => {
      const { source } = await bench.newTable({ When: { date: {} } });
      const refusal = async (date: JsonObject) => {
        const { status, body } = await bench.newRow(source, { Name: title('x'), When: { date } });
        assert.equal(status, 400, JSON.stringify(date));
        return asString(body['message']);
      };
      for (const start of ['5/20/2023', 'tomorrow', '2026-02-30', '2026-13-01', '2026-01-01T25:00', 5, null])
        assert.match(await refusal({ start }), /date\.start should be a valid ISO 8601 date string/);
      assert.match(
        await refusal({ start: '2026-01-01', end: '5/20/2023' }),
        /date\.end should be a valid ISO 8601 date string, `null`, or `undefined`, instead was `"5\/20\/2023"`/,
      );
      assert.match(
        await refusal({ start: '2026-01-01', time_zone: 'Europe/Berlin' }),
        /has an invalid date\. If time zone is explicitly provided, start and end must contain date and time$/,
      );
      for (const time_zone of ['EST', '+02:00', 'Europe/Nowhere'])
        assert.match(await refusal({ start: '2026-01-01T10:00', time_zone }), /date\.time_zone should be/);
    });
  });

  it('neighbouring runs of the same style and link are one run, also above 2000 characters', async () => {
    const bold = { annotations: { bold: true } };
    const runs = [
      ...words('A'),
      ...words('B'),
      { text: { content: '' } },
      ...words('C'),
      { ...words('D')[0], ...bold },
      { ...words('E')[0], ...bold },
      { text: { content: 'F', link: { url: 'https://a.example/' } } },
      { text: { content: 'G', link: { url: 'https://b.example/' } } },
      { equation: { expression: 'x' } },
      { equation: { expression: 'x' } },
      ...words('y'.repeat(2000)),
      ...words('z'.repeat(2000)),
    ];
    const page = await bench.newPage('Runs');
    const { body } = await bench.append(page, [{ paragraph: { rich_text: runs } }]);
    assert.deepEqual(
      asArray(at(body, 'results', 0, 'paragraph', 'rich_text')).map((run) => at(run, 'plain_text')),
      ['ABC', 'DE', 'F', 'G', 'x', 'x', 'y'.repeat(2000) + 'z'.repeat(2000)],
    );
  });

  it('text is answered whole, with more than 25 mentions too', async () => {
    const user = { id: emulator.ids.member };
    const many = Array.from({ length: 50 }, () => [{ mention: { user } }, ...words(' ')]).flat();
    const { source } = await bench.newTable({ Notes: { rich_text: {} } });
    const { body } = await bench.newRow(source, { Name: { title: many }, Notes: { rich_text: many } });
    assert.equal(asArray(at(body, 'properties', 'Name', 'title')).length, 100);
    assert.equal(asArray(at(body, 'properties', 'Notes', 'rich_text')).length, 100);
  });

  it('`children: []` and what answered blocks hold beside their content are taken anywhere', async () => {
    const page = await bench.newPage('Blocks');
    const state = { object: 'block', has_children: false, archived: false, in_trash: false };
    const leaf = (type: string, content: JsonObject = { rich_text: words('x') }) => ({
      ...state,
      type,
      [type]: { ...content, children: [] },
    });
    const third = leaf('quote');
    const second = { ...state, type: 'toggle', toggle: { rich_text: words('2'), children: [third] } };
    const first = { ...state, type: 'toggle', toggle: { rich_text: words('1'), children: [second] } };
    const column = { column: { children: [] } };
    for (const block of [
      ...['paragraph', 'heading_1', 'to_do', 'callout', 'bulleted_list_item'].map((type) => leaf(type)),
      leaf('divider', {}),
      leaf('code', { rich_text: words('x'), language: 'python' }),
      first,
      { column_list: { children: [column, column] } },
    ])
      assert.equal((await bench.append(page, [block])).status, 200, JSON.stringify(block));
    assert.equal((await bench.append(page, [])).status, 200);
    const { body } = await bench.append(page, [paragraph('old')]);
    const change = { paragraph: { rich_text: words('new'), children: [] } };
    const id = asString(at(body, 'results', 0, 'id'));
    assert.equal((await bench.ask('PATCH', `/v1/blocks/${id}`, change)).status, 200);
    const stray = await bench.append(page, [{ ...paragraph('x'), colour: 'red' }]);
    assert.match(asString(stray.body['message']), /body\.children\[0\]\.colour should be not present/);
  });

  describe('filters', () => {
    it('of people take created_by and last_edited_by columns, ids with or without dashes, and me', async () => {
      const { source } = await bench.newTable({
        Who: { people: {} },
        Author: { created_by: {} },
        Editor: { last_edited_by: {} },
      });
      const { bot, member } = emulator.ids;
      await bench.newRow(source, { Name: title('a'), Who: { people: [{ id: bot }] } });
      await bench.newRow(source, { Name: title('b'), Who: { people: [{ id: member }] } });
      const found = (property: string, key: string, condition: JsonObject) =>
        query(source, { property, [key]: condition });
      for (const me of [bot, bot.replaceAll('-', ''), 'me']) {
        assert.equal(await found('Who', 'people', { contains: me }), 1);
        assert.equal(await found('Who', 'people', { does_not_contain: me }), 1);
        for (const [property, own] of [
          ['Author', 'created_by'],
          ['Editor', 'last_edited_by'],
        ] as const)
          for (const key of ['people', own]) {
            assert.equal(await found(property, key, { contains: me }), 2);
            assert.equal(await found(property, key, { contains: member }), 0);
          }
      }
      assert.match(
        String(await found('Who', 'people', { contains: 'Ada' })),
        /contains should be a valid uuid/,
      );
      assert.match(
        String(await found('Who', 'created_by', { contains: bot })),
        /does not match filter created_by/,
      );
    });

    it('of dates take created_time and last_edited_time columns, and compare moments across offsets', async () => {
      const { source } = await bench.newTable({
        When: { date: {} },
        Made: { created_time: {} },
        Changed: { last_edited_time: {} },
      });
      const date = { start: '2026-06-27T17:57:32', time_zone: 'Europe/London' };
      await bench.newRow(source, { Name: title('a'), When: { date } });
      for (const [property, own] of [
        ['Made', 'created_time'],
        ['Changed', 'last_edited_time'],
      ] as const)
        for (const key of ['date', own])
          assert.equal(await query(source, { property, [key]: { past_week: {} } }), 1, `${property} ${key}`);
      const when = (condition: JsonObject) => query(source, { property: 'When', date: condition });
      assert.equal(await when({ equals: '2026-06-27' }), 1);
      assert.equal(await when({ equals: '2026-06-27T16:57:00Z' }), 1);
      assert.equal(await when({ before: '2026-06-27T16:57:00Z' }), 0);
      assert.equal(await when({ on_or_after: '2026-06-27T18:57:00+02:00' }), 1);
    });

    it('of select, status and multi-select take one value or a list of which one must fit', async () => {
      const { source } = await bench.newTable({ Kind: { select: {} }, Tags: { multi_select: {} } });
      for (const name of ['a', 'b', 'c'])
        await bench.newRow(source, {
          ...{ Name: title(name), Kind: { select: { name } } },
          Tags: { multi_select: [{ name }, { name: `${name}2` }] },
        });
      assert.equal(await query(source, { property: 'Kind', select: { equals: ['a', 'b'] } }), 2);
      assert.equal(await query(source, { property: 'Kind', select: { does_not_equal: ['a', 'b'] } }), 1);
      assert.equal(await query(source, { property: 'Tags', multi_select: { contains: ['a2', 'c'] } }), 2);
    });
  });

  describe('rollups', () => {
    const functions: [name: string, shown: JsonObject][] = [
      ['count', { number: 3 }],
      ['count_values', { number: 2 }],
      ['empty', { number: 1 }],
      ['not_empty', { number: 2 }],
      ['percent_empty', { number: 1 / 3 }],
      ['unique', { number: 3 }],
      ['sum', { number: 12 }],
      ['average', { number: 6 }],
      ['median', { number: 6 }],
      ['min', { number: 2 }],
      ['max', { number: 10 }],
      ['range', { number: 8 }],
      ['show_original', { array: [2, 10, null].map((number) => ({ type: 'number', number })) }],
      ['show_unique', { array: [2, 10, null].map((number) => ({ type: 'number', number })) }],
    ];
    const tables = async () => {
      const tasks = await bench.newTable({ Points: { number: {} }, Mail: { email: {} }, When: { date: {} } });
      const relation = { relation: { data_source_id: tasks.source, single_property: {} } };
      const projects = await bench.newTable({ Tasks: relation });
      const rows: Json[] = [];
      for (const [points, day] of [
        [2, '2026-01-02'],
        [10, '2026-03-04'],
        [null, '2026-02-03'],
      ]) {
        const row = await bench.newRow(tasks.source, {
          ...{ Name: title(`t${points}`), Points: { number: points ?? null } },
          ...{ Mail: { email: 'a@b.example' }, When: { date: { start: day ?? null } } },
        });
        rows.push({ id: asString(row.body['id']) });
      }
      const row = await bench.newRow(projects.source, { Name: title('p'), Tasks: { relation: rows } });
      const page = `/v1/pages/${asString(row.body['id'])}`;
      const change = (rollup: JsonObject) =>
        bench.ask('PATCH', `/v1/data_sources/${projects.source}`, { properties: { Rolled: { rollup } } });
      const shown = async () => at((await bench.ask('GET', page)).body, 'properties', 'Rolled', 'rollup');
      return { projects, change, shown };
    };

    it('have every function of the SDK, and a change keeps what it leaves out', async () => {
      const { change, shown } = await tables();
      const names = { relation_property_name: 'Tasks', rollup_property_name: 'Points' };
      assert.equal((await change({ ...names, function: 'count' })).status, 200);
      for (const [name, value] of functions) {
        assert.equal((await change({ function: name })).status, 200, name);
        const [type = ''] = Object.keys(value);
        assert.deepEqual(await shown(), { type, ...value, function: name });
      }
      for (const [name, start, end] of [
        ['earliest_date', '2026-01-02', null],
        ['latest_date', '2026-03-04', null],
        ['date_range', '2026-01-02', '2026-03-04'],
      ] as const) {
        assert.equal((await change({ function: name, rollup_property_name: 'When' })).status, 200, name);
        assert.deepEqual(await shown(), {
          type: 'date',
          date: { start, end, time_zone: null },
          function: name,
        });
      }
      const refused = await change({ function: 'total' });
      assert.match(
        asString(refused.body['message']),
        /rollup\.function should be `"count"`.*instead was `"total"`/,
      );
    });

    it('are made in the same change as their relation, and filtered by text of any kind as rich_text', async () => {
      const { projects, change } = await tables();
      const { source } = await bench.newTable({});
      const made = await bench.ask('PATCH', `/v1/data_sources/${source}`, {
        properties: {
          Rolled: {
            rollup: {
              ...{ relation_property_name: 'Projects', rollup_property_name: 'Name' },
              function: 'show_original',
            },
          },
          Projects: { relation: { data_source_id: projects.source, single_property: {} } },
        },
      });
      assert.equal(made.status, 200, asString(made.body['message']));
      const names = { relation_property_name: 'Tasks', function: 'show_original' };
      const rolled = (rollup: JsonObject) => query(projects.source, { property: 'Rolled', rollup });
      await change({ ...names, rollup_property_name: 'Mail' });
      assert.equal(await rolled({ every: { rich_text: { contains: 'b.example' } } }), 1);
      await change({ ...names, rollup_property_name: 'Name' });
      assert.equal(await rolled({ any: { rich_text: { equals: 't10' } } }), 1);
      assert.equal(await rolled({ none: { rich_text: { equals: 't10' } } }), 0);
      await change({ ...names, rollup_property_name: 'Points', function: 'sum' });
      assert.equal(await rolled({ number: { greater_than: 11 } }), 1);
      assert.match(String(await rolled({ any: { colour: { equals: 'red' } } })), /rollup\.any\.rich_text/);
    });
  });

  it('trash is listed by search and by a query that ask for it', async () => {
    const page = await bench.newPage('Old');
    const { source } = await bench.newTable({});
    const row = asString((await bench.newRow(source, { Name: title('Old row') })).body['id']);
    await bench.newRow(source, { Name: title('New row') });
    for (const id of [page, row]) await bench.ask('PATCH', `/v1/pages/${id}`, { in_trash: true });
    const searched = async (filter?: JsonObject) => {
      const body = { query: 'old', ...(filter === undefined ? {} : { filter }) };
      return asArray((await bench.ask('POST', '/v1/search', body)).body['results']).map((each) =>
        at(each, 'id'),
      );
    };
    assert.deepEqual(await searched(), []);
    assert.deepEqual((await searched({ in_trash: true })).sort(), [page, row].sort());
    const pages = { property: 'object', value: 'page', in_trash: true };
    assert.deepEqual((await searched(pages)).sort(), [page, row].sort());
    const rows = async (body: JsonObject) =>
      asArray((await bench.ask('POST', `/v1/data_sources/${source}/query`, body)).body['results']).length;
    assert.deepEqual([await rows({}), await rows({ in_trash: true })], [1, 1]);
  });

  it('a database without a title goes by its data source, and then as New database', async () => {
    const parent = { type: 'page_id', page_id: emulator.ids.home };
    const { body } = await bench.ask('POST', '/v1/databases', { parent });
    const [id, source] = [asString(body['id']), asString(at(body, 'data_sources', 0, 'id'))];
    const shown = async () => {
      const database = (await bench.ask('GET', `/v1/databases/${id}`)).body;
      const block = (await bench.ask('GET', `/v1/blocks/${id}`)).body;
      return [
        at(database, 'title', 0, 'plain_text'),
        at(database, 'data_sources', 0, 'name'),
        at(block, 'child_database', 'title'),
      ];
    };
    assert.deepEqual(await shown(), ['New database', 'New database', 'New database']);
    const { body: read } = await bench.ask('GET', `/v1/data_sources/${source}`);
    assert.deepEqual(read['title'], []);
    await bench.ask('PATCH', `/v1/data_sources/${source}`, title('Articles'));
    assert.deepEqual(await shown(), ['Articles', 'Articles', 'Articles']);
  });

  it("an external address of one of the service's icons is kept as that icon", async () => {
    const icon = { type: 'external', external: { url: 'https://www.notion.so/icons/snake_purple.svg' } };
    const page = await bench.newPage('Icon', emulator.ids.home, { icon });
    const { body } = await bench.ask('GET', `/v1/pages/${page}`);
    assert.deepEqual(body['icon'], { type: 'icon', icon: { name: 'snake', color: 'purple' } });
  });

  it('an import needs no file name if the address has one', async () => {
    const ask = (external_url: string, more: JsonObject = {}) =>
      bench.ask('POST', '/v1/file_uploads', { mode: 'external_url', external_url, ...more });
    const { body } = await ask('https://a.example/files/plan%20b.pdf?x=1');
    assert.deepEqual(
      [body['status'], body['filename'], body['content_type']],
      ['pending', 'plan b.pdf', 'application/pdf'],
    );
    assert.equal((await ask('https://a.example/')).status, 400);
    assert.equal((await ask('http://a.example/a.pdf')).status, 400);
    assert.equal(
      (await ask('https://a.example/x', { filename: 'a', content_type: 'text/plain' })).status,
      200,
    );
  });
});
