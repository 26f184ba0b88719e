/** Values that JSON and JavaScript keep badly, on their way into the workspace and back. */
import assert from 'node:assert/strict';
import { WorkPage } from './support/work-page.ts';

describe('Values of a workspace', () => {
  const page = WorkPage.each();
  const h = () => page.harness;
  const ok = (id: string, input: object) => h().ok(id, input);
  const database = async () => {
    const made = await ok('DOCS_CREATE_DATABASE', {
      title: 'Odd',
      parent_id: page.id,
      properties: [
        { name: 'Name', type: 'title' },
        { name: '__proto__', type: 'rich_text' },
        { name: 'constructor', type: 'number' },
        { name: 'Points', type: 'number' },
      ],
    });
    return String(made['id']);
  };
  const insert = (database_id: string, values: Record<string, unknown>) =>
    h().run('DOCS_INSERT_ROW_DATABASE', {
      database_id,
      properties: Object.entries(values).map(([name, value]) => ({ name, value })),
    });
  const odd = JSON.parse('{"Name":"Row","__proto__":"kept","constructor":"7"}') as Record<string, unknown>;

  it('a column may be called __proto__ or constructor: it is made, written, read, queried and updated', async () => {
    const id = await database();
    const read = await ok('DOCS_FETCH_DATABASE', { database_id: id });
    assert.deepEqual(Object.keys(read['properties'] as object).sort(), [
      'Name',
      'Points',
      '__proto__',
      'constructor',
    ]);
    assert.ok((await insert(id, odd)).successful);
    const { results } = await ok('DOCS_QUERY_DATABASE', { database_id: id });
    const [row] = results as [{ id: string; properties: Record<string, object> }];
    const valueOf = (name: string, properties: object) =>
      (Object.getOwnPropertyDescriptor(properties, name) as { value: Record<string, unknown> }).value;
    assert.equal((valueOf('__proto__', row.properties)['rich_text'] as unknown[]).length, 1);
    assert.equal(valueOf('constructor', row.properties)['number'], 7);
    const properties = [{ name: '__proto__', type: 'rich_text', value: 'changed' }];
    const updated = await ok('DOCS_UPDATE_PAGE', { page_id: row.id, properties });
    assert.match(JSON.stringify(updated['properties']), /"__proto__":\{.*"changed"/);
    const one = await ok('DOCS_GET_PAGE_PROPERTY_ACTION', { page_id: row.id, property_id: '__proto__' });
    assert.match(JSON.stringify(one), /changed/);
  });

  it('a name that a map cannot carry is refused there, with the form that carries it; it is not dropped', async () => {
    const id = await database();
    const properties = JSON.parse('{"Name":"x","__proto__":"lost"}') as object;
    for (const [action, input] of [
      ['DOCS_INSERT_ROW_DATABASE', { database_id: id, properties }],
      ['DOCS_UPDATE_PAGE', { page_id: page.id, properties }],
    ] as const)
      assert.match(await h().fails(action, input), /^INVALID_INPUT: properties.*__proto__.*\{"name"/);
  });

  it('an integer that a number column would round is refused; one that it holds is kept to the digit', async () => {
    const id = await database();
    for (const value of [
      '9007199254740993',
      '-9007199254740993',
      '12345678901234567890',
      '9,007,199,254,740,993',
    ]) {
      const { successful, error } = await insert(id, { Name: 'x', Points: value });
      assert.equal(successful, false, value.slice(0, 40));
      assert.match(error ?? '', /Points.*rounded.*9007199254740991.*text/);
    }
    for (const [value, kept] of [
      ['9007199254740991', 9007199254740991],
      ['9007199254740992', 9007199254740992],
      ['1e20', 1e20],
      ['0.1', 0.1],
    ] as const) {
      const { data, error } = await insert(id, { Name: 'x', Points: value });
      assert.equal(error, undefined);
      assert.equal((data['properties'] as { Points: { number: number } }).Points.number, kept);
    }
  });
});
