/** Statements of the actions' document about queries and lists: sorts, filters, cursors, chosen properties. */
import assert from 'node:assert/strict';
import { WorkPage } from './support/work-page.ts';

type Row = { id: string; properties: Record<string, unknown> };
type List = { results: Row[]; count: number; has_more: boolean; next_cursor: string | null };

describe("Statements of the actions' document about queries and lists", () => {
  const page = WorkPage.each();
  const h = () => page.harness;
  const ids = () => h().emulator.ids;
  const ok = async (id: string, input: object) => (await h().ok(id, input)) as unknown as List;
  const fails = (id: string, input: object) => h().fails(id, input);
  let database: string;
  let source: string;

  /** Five rows, one a minute: names a to e, points 3 1 2 – 1, stage Open or Done, some checked. */
  beforeEach(async () => {
    const made = await h().ok('DOCS_CREATE_DATABASE', {
      title: 'Tasks',
      parent_id: page.id,
      properties: [
        { name: 'Name', type: 'title' },
        { name: 'Points', type: 'number' },
        { name: 'Stage', type: 'select', options: ['Open', 'Done'] },
        { name: 'Tags', type: 'multi_select', options: ['Red', 'Blue'] },
        { name: 'State', type: 'status' },
        { name: 'Checked', type: 'checkbox' },
      ],
    });
    database = String(made['id']);
    source = String(made['data_source_id']);
    for (const [name, points, stage, tags, checked] of [
      ['a', '3', 'Open', 'Red', 'true'],
      ['b', '1', 'Done', 'Red, Blue', 'false'],
      ['c', '2', 'Open', '', 'true'],
      ['d', '', 'Done', 'Blue', 'false'],
      ['e', '1', 'Open', '', 'false'],
    ] as const) {
      h().emulator.advance(60_000);
      const values = { Name: name, Points: points, Stage: stage, Tags: tags, Checked: checked };
      await h().ok('DOCS_INSERT_ROW_DATABASE', {
        database_id: database,
        properties: Object.entries(values).map(([column, value]) => ({ name: column, value })),
      });
    }
  });

  const namesOf = ({ results }: List): string =>
    results
      .map(
        ({ properties }) =>
          (properties['Name'] as { title: { text: { content: string } }[] }).title[0]?.text.content,
      )
      .join('');
  const all: readonly (readonly [string, () => object])[] = [
    ['DOCS_QUERY_DATABASE', () => ({ database_id: database })],
    ['DOCS_QUERY_DATABASE_WITH_FILTER', () => ({ database_id: database })],
    ['DOCS_QUERY_DATA_SOURCE', () => ({ data_source_id: source })],
  ];
  const filtering = all.slice(1);

  describe('sorts', () => {
    it('DOCS_QUERY_DATABASE: rules of property_name and ascending, the first one first', async () => {
      const sorted = async (...sorts: object[]) =>
        namesOf(await ok('DOCS_QUERY_DATABASE', { database_id: database, sorts }));
      assert.equal(await sorted({ property_name: 'Name', ascending: false }), 'edcba');
      assert.equal(await sorted({ property_name: 'Name', ascending: true }), 'abcde');
      const twice = [
        { property_name: 'Points', ascending: true },
        { property_name: 'Name', ascending: false },
      ];
      assert.equal(await sorted(...twice), 'ebcad');
    });

    for (const [action, input] of filtering) {
      it(`${action}: by property, and by created_time or last_edited_time`, async () => {
        const sorted = async (...sorts: object[]) => namesOf(await ok(action, { ...input(), sorts }));
        assert.equal(
          await sorted(
            { property: 'Points', direction: 'descending' },
            { property: 'Name', direction: 'ascending' },
          ),
          'acbed',
        );
        assert.equal(await sorted({ timestamp: 'created_time', direction: 'descending' }), 'edcba');
        const [first] = (await ok(action, { ...input() })).results.filter(
          (row) => namesOf({ results: [row] } as List) === 'a',
        );
        h().emulator.advance(60_000);
        await h().ok('DOCS_UPDATE_PAGE', { page_id: first?.id, properties: { Checked: false } });
        assert.equal(
          (await sorted({ timestamp: 'last_edited_time', direction: 'descending' })).slice(0, 1),
          'a',
        );
      });
    }

    it('a property that does not exist is named, with those that do', async () => {
      for (const [action, input] of all)
        assert.match(
          await fails(action, { ...input(), sorts: [{ property: 'points', direction: 'ascending' }] }),
          /Could not find sort property.*points.*Points/,
        );
    });
  });

  describe('filter', () => {
    const cases: readonly [string, object, string][] = [
      ['a single property', { property: 'Stage', select: { equals: 'Open' } }, 'ace'],
      ['a number', { property: 'Points', number: { greater_than_or_equal_to: 2 } }, 'ac'],
      ['an empty value', { property: 'Points', number: { is_empty: true } }, 'd'],
      ['a multi-select', { property: 'Tags', multi_select: { contains: 'Blue' } }, 'bd'],
      ['a checkbox', { property: 'Checked', checkbox: { equals: true } }, 'ac'],
      ['a title', { property: 'Name', title: { equals: 'c' } }, 'c'],
      [
        'and',
        {
          and: [
            { property: 'Stage', select: { equals: 'Open' } },
            { property: 'Points', number: { less_than: 3 } },
          ],
        },
        'ce',
      ],
      [
        'or',
        {
          or: [
            { property: 'Name', title: { equals: 'd' } },
            { property: 'Points', number: { equals: 3 } },
          ],
        },
        'ad',
      ],
      [
        'or inside and',
        {
          and: [
            { property: 'Stage', select: { equals: 'Done' } },
            {
              or: [
                { property: 'Points', number: { equals: 1 } },
                { property: 'Points', number: { equals: 3 } },
              ],
            },
          ],
        },
        'b',
      ],
    ];
    for (const [action, input] of filtering)
      for (const [title, filter, names] of cases)
        it(`${action}: ${title}`, async () => {
          const sorts = [{ property: 'Name', direction: 'ascending' }];
          assert.equal(namesOf(await ok(action, { ...input(), filter, sorts })), names);
          assert.equal(
            namesOf(await ok(action, { ...input(), filter: JSON.stringify(filter), sorts })),
            names,
          );
        });

    it('values of select, status and multi-select match the schema exactly', async () => {
      for (const [action, input] of filtering)
        for (const filter of [
          { property: 'Stage', select: { equals: 'open' } },
          { property: 'Tags', multi_select: { contains: 'red' } },
          { property: 'State', status: { equals: 'done' } },
        ])
          assert.match(await fails(action, { ...input(), filter }), /^INVALID_INPUT.*did you mean/);
    });

    it('connector_execution_message, an internal note, changes nothing', async () => {
      const input = { database_id: database, filter: { property: 'Name', title: { equals: 'c' } } };
      const noted = await ok('DOCS_QUERY_DATABASE_WITH_FILTER', {
        ...{ ...input, connector_execution_message: 'sorts were converted' },
      });
      assert.equal(namesOf(noted), 'c');
    });
  });

  describe('cursors', () => {
    /** Reads pages of two to the end. */
    const pages = async (action: string, input: object) => {
      const found: List[] = [];
      let start_cursor: string | null | undefined;
      do {
        const list = await ok(action, {
          ...{ ...input, page_size: 2 },
          ...(start_cursor === undefined ? {} : { start_cursor }),
        });
        found.push(list);
        start_cursor = list.next_cursor;
        assert.equal(list.has_more, start_cursor !== null);
        assert.ok(found.length < 50);
      } while (start_cursor !== null);
      return found;
    };
    const itemsOf = (list: Partial<List> & { templates?: Row[] }) => list.results ?? list.templates ?? [];

    for (const [action, input, prepare] of [
      ...all.map(([action, input]) => [action, input, undefined] as const),
      ['DOCS_FETCH_BLOCK_CONTENTS', () => ({ block_id: page.id }), () => page.add(['1', '2', '3', '4'])],
      [
        'DOCS_FETCH_COMMENTS',
        () => ({ page_id: page.id }),
        async () => {
          for (const content of ['1', '2', '3'])
            await h().ok('DOCS_CREATE_COMMENT', { comment: { content }, parent_page_id: page.id });
        },
      ],
      ['DOCS_SEARCH_DOCS_PAGE', () => ({}), undefined],
      ['DOCS_FETCH_DATA', () => ({ fetch_type: 'all' }), undefined],
      ['DOCS_LIST_USERS', () => ({}), undefined],
      [
        'DOCS_LIST_FILE_UPLOADS',
        () => ({}),
        async () => {
          for (const name of ['1', '2', '3'])
            await h().ok('DOCS_CREATE_FILE_UPLOAD', { filename: `${name}.txt` });
        },
      ],
      [
        'DOCS_LIST_DATA_SOURCE_TEMPLATES',
        () => ({ data_source_id: source }),
        () => {
          for (const name of ['1', '2', '3']) h().emulator.addTemplate(source, name);
        },
      ],
    ] as const)
      it(`${action}: next_cursor leads through all of it, each once`, async () => {
        await prepare?.();
        const found = await pages(action, input());
        const seen = found.flatMap((list) => itemsOf(list).map(({ id }) => id));
        assert.equal(new Set(seen).size, seen.length);
        const { page_size: _, ...whole } = { page_size: 2, ...input() };
        const once = itemsOf(await ok(action, whole)).map(({ id }) => id);
        assert.deepEqual([...seen].sort(), [...once].sort());
        assert.ok(seen.length > 2, action);
      });

    it('DOCS_GET_PAGE_PROPERTY_ACTION: page_size and start_cursor for a property that is a list', async () => {
      const { results } = await ok('DOCS_QUERY_DATABASE', { database_id: database });
      const other = await h().ok('DOCS_CREATE_DATABASE', {
        title: 'Links',
        parent_id: page.id,
        properties: [
          { name: 'Name', type: 'title' },
          { name: 'Tasks', type: 'relation', database_id: database },
        ],
      });
      const { id } = await h().ok('DOCS_INSERT_ROW_DATABASE', {
        database_id: other['id'],
        properties: [{ name: 'Tasks', value: results.map((row) => row.id).join(',') }],
      });
      const found = await pages('DOCS_GET_PAGE_PROPERTY_ACTION', { page_id: id, property_id: 'Tasks' });
      assert.deepEqual(
        found.map(({ count }) => count),
        [2, 2, 1],
      );
    });
  });

  describe('chosen properties', () => {
    it('DOCS_QUERY_DATA_SOURCE: filter_properties takes ids of properties; the rows have those and no others', async () => {
      const { properties } = (await h().ok('DOCS_FETCH_DATABASE', { database_id: database })) as {
        properties: Record<string, { id: string }>;
      };
      const chosen = [properties['Points']!.id, properties['Stage']!.id];
      const { results } = await ok('DOCS_QUERY_DATA_SOURCE', {
        data_source_id: source,
        filter_properties: chosen,
      });
      for (const row of results) assert.deepEqual(Object.keys(row.properties).sort(), ['Points', 'Stage']);
      assert.match(
        await fails('DOCS_QUERY_DATA_SOURCE', { data_source_id: source, filter_properties: ['Weight'] }),
        /^INVALID_INPUT.*Weight.*Points/,
      );
    });

    it('DOCS_SEARCH_DOCS_PAGE: filter_properties takes names, for pages', async () => {
      const { results } = await ok('DOCS_SEARCH_DOCS_PAGE', {
        filter_value: 'page',
        filter_properties: ['Points'],
      });
      const rows = results.filter(({ properties }) => Object.keys(properties).length > 0);
      assert.equal(rows.length, 5);
      for (const row of rows) assert.deepEqual(Object.keys(row.properties), ['Points']);
    });
  });

  describe('search and listing', () => {
    const kindsOf = (list: List) =>
      new Set(list.results.map((item) => (item as unknown as { object: string }).object));

    it('search is by title; an empty query returns everything that is shared', async () => {
      const found = await ok('DOCS_SEARCH_DOCS_PAGE', { query: 'Tasks' });
      assert.deepEqual(
        found.results.map(({ id }) => id),
        [database],
      );
      const every = await ok('DOCS_SEARCH_DOCS_PAGE', { query: '', page_size: 100 });
      const seen = every.results.map(({ id }) => id);
      for (const id of [database, page.id, ids().home]) assert.ok(seen.includes(id), id);
      assert.ok(!seen.includes(ids().secret));
    });

    it('search: filter_value is page or database; filter_property only object', async () => {
      for (const filter_value of ['page', 'database']) {
        const found = await ok('DOCS_SEARCH_DOCS_PAGE', { filter_value, filter_property: 'object' });
        assert.deepEqual(kindsOf(found), new Set([filter_value]));
      }
      assert.match(
        await fails('DOCS_SEARCH_DOCS_PAGE', { filter_value: 'page', filter_property: 'title' }),
        /^INVALID_INPUT: filter_property/,
      );
    });

    it('search: by last_edited_time in both directions', async () => {
      const order = async (direction: string) => {
        const input = { timestamp: 'last_edited_time', direction, page_size: 100 };
        return (await ok('DOCS_SEARCH_DOCS_PAGE', input)).results.map(
          (item) => (item as unknown as { last_edited_time: string }).last_edited_time,
        );
      };
      const [up, down] = [await order('ascending'), await order('descending')];
      assert.ok(up[0]! < up.at(-1)!);
      assert.deepEqual(up, [...up].sort());
      assert.deepEqual(down, [...down].sort().reverse());
    });

    it('DOCS_FETCH_DATA lists pages, databases or all, by words of the title', async () => {
      const list = (fetch_type: string, more = {}) => ok('DOCS_FETCH_DATA', { fetch_type, ...more });
      assert.deepEqual(kindsOf(await list('pages')), new Set(['page']));
      assert.deepEqual(kindsOf(await list('databases')), new Set(['database']));
      assert.deepEqual(kindsOf(await list('all')), new Set(['page', 'database']));
      const found = await list('all', { query: 'Tasks' });
      assert.deepEqual(
        found.results.map(({ id }) => id),
        [database],
      );
    });

    it('the templates of a data source come with their names', async () => {
      const id = h().emulator.addTemplate(source, 'Weekly', true);
      const { templates } = await h().ok('DOCS_LIST_DATA_SOURCE_TEMPLATES', { data_source_id: source });
      assert.deepEqual(templates, [{ id, name: 'Weekly', is_default: true }]);
    });
  });
});
