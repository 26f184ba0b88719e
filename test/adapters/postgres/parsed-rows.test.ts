/** The adapters parse the rows that Postgres returns, so a row of another type is an error where it enters. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import {
  camelRow,
  connectDatabase,
  isoDate,
  queryResult,
  queryRows,
  resultRow,
  rowOf,
  rowsOf,
  sparseRow,
  statement,
  type Database,
} from '../../../src/adapters/postgres/database.ts';
import { backing } from '../../support/backing.ts';

describe('Parsed rows', () => {
  let db: Database;
  before(async () => {
    db = connectDatabase(await (await backing()).freshDatabase(), 2);
  });
  after(() => db.close());

  const row = z.object({ at: z.date(), count: z.number(), total: z.number(), name: z.string().nullable() });
  const columns =
    "now() as at, 9007199254740991::bigint as count, 1.5::numeric as total, null as name, 'x' as other";

  it('a statement returns its rows as the schema names them: dates, bigint and numeric as numbers', async () => {
    const [found] = await queryRows(db, statement('parsed-row', row)`select ${columns}`, []);
    assert.deepEqual({ ...found, at: 0 }, { at: 0, count: Number.MAX_SAFE_INTEGER, total: 1.5, name: null });
    assert.ok(found?.at instanceof Date);
  });

  it('a row that does not match the schema of its statement is an error', async () => {
    const broken = statement('broken-row', z.object({ name: z.string() }))`select null::text as name`;
    await assert.rejects(queryRows(db, broken, []), /"name"/);
    const result = statement('broken-result', resultRow(z.object({ next: z.literal('run') })))`
      select '{"next": "walk"}'::jsonb as result`;
    await assert.rejects(queryResult(db, result, []), /"next"/);
  });

  it('a statement makes functions, whose arguments are its values; undefined is null', async () => {
    const find = statement('found-number', z.object({ id: z.string() }));
    const given = 'select $1::text as id where $1 is not null';
    assert.deepEqual(await find.rows<[id: string]>`${given}`(db, 'a'), [{ id: 'a' }]);
    assert.deepEqual(await find.row<[id: string]>`${given}`(db, 'a'), { id: 'a' });
    assert.equal(await find.row<[id: string | undefined]>`${given}`(db, undefined), undefined);
    assert.deepEqual(await find.ids<[id: string]>`${given}`(db, 'a'), ['a']);
    assert.equal(await find.hasRow<[id: string]>`${given}`(db, 'a'), true);
    assert.equal(await find.hasRow<[id: string | undefined]>`${given}`(db, undefined), false);
    await find.write<[id: string]>`${given}`(db, 'a');
    assert.equal(
      await statement('doubled', z.number()).result<[count: number]>`select $1::int * 2 as result`(db, 2),
      4,
    );
  });

  it('every statement has a name of its own, because a connection prepares only one text for each name', () => {
    const code = globSync('src/adapters/postgres/**/*.ts').map((file) => readFileSync(file, 'utf8'));
    const names = code.flatMap((text) =>
      [...text.replaceAll(/^ *\*.*$/gm, '').matchAll(/statement\(\s*'([^']+)'/g)].map(([, name]) => name),
    );
    assert.deepEqual(
      names.filter((name, index) => names.indexOf(name) !== index),
      [],
    );
  });

  it('sparseRow leaves null columns out, and isoDate reads timestamps as text', async () => {
    const row = sparseRow(z.object({ at: isoDate, note: z.string().optional() }));
    const [found] = await queryRows(
      db,
      statement('sparse-row', row)`select timestamptz '2026-01-02 03:04:05+00' as at, null as note`,
      [],
    );
    assert.deepEqual(found, { at: '2026-01-02T03:04:05.000Z' });
  });

  it('a row of a knex query that does not match its schema is an error', async () => {
    const agent = z.object({ name: z.number() });
    const rows = () => db.knex('pg_roles').select('rolname as name');
    await assert.rejects(rowsOf(agent, rows()), /"name"/);
    await assert.rejects(rowOf(agent, rows().first()), /"name"/);
    assert.equal(await rowOf(agent, rows().where('rolname', 'nobody at all').first()), undefined);
  });

  it('camelRow reads columns in snake case as fields in camel case', async () => {
    const ids = camelRow({ agentId: z.string(), is2nd: z.boolean() });
    const [found] = await queryRows(
      db,
      statement('camel-row', ids)`select 'a' as agent_id, true as is_2nd`,
      [],
    );
    assert.deepEqual(found, { agentId: 'a', is2nd: true });
  });
});
