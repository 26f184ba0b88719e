/** "A database identifier is never accepted where a page identifier is required, and the reverse", for every action. */
import assert from 'node:assert/strict';
import { everyAction, rowPlan, type EveryAction } from './support/every-action.ts';
import { Harness } from './support/workspace-harness.ts';

const model = { model: () => Promise.resolve(rowPlan) };

/** Returns the fields of an input that name a page or a database, at any depth: `parent.page_id`. */
function placesOf(input: object, names: readonly string[], path: string[] = []): string[][] {
  return Object.entries(input).flatMap(([key, value]: [string, unknown]) => {
    const here = [...path, key];
    if (names.includes(key)) return [here];
    return typeof value === 'object' && value !== null ? placesOf(value, names, here) : [];
  });
}

function withId(input: object, [key = '', ...path]: readonly string[], id: string): object {
  const inner = (input as Record<string, object>)[key] ?? {};
  return { ...input, [key]: path.length === 0 ? id : withId(inner, path, id) };
}

describe('An identifier of the wrong kind', () => {
  let harness: Harness;
  let every: EveryAction;
  let inputs: Record<string, object>;
  before(async () => {
    harness = await Harness.start();
    const { home, person } = harness.emulator.ids;
    every = await everyAction((id, input) => harness.ok(id, input, model), home, person);
    inputs = {
      ...every.inputs,
      DOCS_REPLACE_PAGE_CONTENT: {
        ...every.inputs['DOCS_REPLACE_PAGE_CONTENT'],
        ...{ create_backup: true, backup_parent: { page_id: home } },
      },
    };
  });
  after(() => harness.emulator.stop());

  const writes = () =>
    harness.emulator.requests.filter(
      ({ method, path }) =>
        ['PATCH', 'DELETE'].includes(method) || (method === 'POST' && !/query$|search$/.test(path)),
    ).length;
  const refusals = async (names: readonly string[], id: string, said: RegExp) => {
    let seen = 0;
    for (const [action, input] of Object.entries(inputs)) {
      for (const place of placesOf(input, names)) {
        harness.emulator.requests.length = 0;
        const { successful, error } = await harness.run(action, withId(input, place, id), model);
        const where = `${action} ${place.join('.')}: ${error ?? 'succeeded'}`;
        assert.equal(successful, false, where);
        assert.match(error ?? '', said, where);
        const kept = harness.emulator.requests.filter(({ status }) => (status ?? 500) < 400);
        assert.ok(writes() === 0 || !kept.some(({ method }) => method !== 'GET'), where);
        seen += 1;
      }
    }
    return seen;
  };

  it('a database where a page is required: refused by each action, and nothing is written', async () => {
    const said = /a page id is required|is a database.*use type data_source_id/;
    assert.ok((await refusals(['page_id', 'parent_page_id'], every.databaseId, said)) >= 13);
  });

  it('a page where a database is required: refused by each action, and nothing is written', async () => {
    assert.equal(await refusals(['database_id'], every.pageId, /a database id is required/), 6);
  });

  it('a backup goes into a database by its data source; a page is none', async () => {
    const replace = (backup_parent: object, more = {}) => ({
      ...inputs['DOCS_REPLACE_PAGE_CONTENT'],
      ...{ backup_parent, ...more },
    });
    for (const more of [{}, { dry_run: true }])
      assert.match(
        await harness.fails('DOCS_REPLACE_PAGE_CONTENT', replace({ data_source_id: every.pageId }, more)),
        /data_source_id .* is a page; a data source id is required/,
      );
    const source = every.inputs['DOCS_QUERY_DATA_SOURCE']!['data_source_id'];
    const made = await harness.ok('DOCS_REPLACE_PAGE_CONTENT', replace({ data_source_id: source }));
    const backup = await harness.ok('DOCS_RETRIEVE_PAGE', { page_id: made['backup_page_id'] });
    assert.equal((backup['parent'] as { data_source_id: string }).data_source_id, source);
  });

  it('comments: page_id and block_id are names of the same, so a block goes by both', async () => {
    const block = every.inputs['DOCS_FETCH_BLOCK_METADATA']!['block_id'];
    for (const input of [{ page_id: block }, { block_id: block }])
      assert.equal((await harness.ok('DOCS_FETCH_COMMENTS', input))['count'], 0);
  });
});
