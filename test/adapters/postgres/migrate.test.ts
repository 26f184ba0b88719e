/** One schema, one definition of each function, applied whole or not at all. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import pg from 'pg';
import { sealAudit, verifyAudit } from '../../../src/adapters/postgres/accounts/audit-chain.ts';
import { createOrganization } from '../../../src/adapters/postgres/accounts/organizations.ts';
import { createToken, listTokens, makeTokenSecret } from '../../../src/adapters/postgres/accounts/tokens.ts';
import { connectDatabase } from '../../../src/adapters/postgres/database.ts';
import { migrate } from '../../../src/adapters/postgres/migrate.ts';
import { schemaVersions } from '../../support/schema-versions.ts';
import { backing } from '../../support/backing.ts';

const shipped = join(import.meta.dirname, '../../../src/adapters/postgres');

describe('migrate', () => {
  let folder: string;
  let url: string;
  let database: pg.Client;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'parley-schema-'));
    for (const name of ['schema', 'functions'])
      cpSync(join(shipped, name), join(folder, name), { recursive: true });
    url = await (await backing()).freshDatabase();
    database = new pg.Client({ connectionString: url });
    await database.connect();
  });
  afterEach(async () => {
    await database.end();
    rmSync(folder, { recursive: true });
  });

  const rows = async (sql: string) => (await database.query<Record<string, unknown>>(sql)).rows;
  const definitions = async () =>
    await rows(`select p.oid::regprocedure::text as name, pg_get_functiondef(p.oid) as definition
      from pg_proc p where pronamespace = 'public'::regnamespace order by 1`);
  const relations = async () =>
    await rows(`select c.oid, c.relname, c.relacl::text, c.relrowsecurity from pg_class c
      where relnamespace = 'public'::regnamespace order by 1`);
  const applied = async () =>
    (await rows('select name from schema_migrations order by name')).map(({ name }) => name);

  /** Makes a database as the first version left it. */
  const applyFirstSchema = async () => {
    const [first = ''] = schemaVersions();
    const triggers = readdirSync(join(folder, 'functions/triggers')).map(
      (file) => `functions/triggers/${file}`,
    );
    const read = (file: string) => readFileSync(join(folder, file), 'utf8');
    await database.query('drop schema public cascade; create schema public; set check_function_bodies = off');
    await database.query([...triggers, `schema/${first}.sql`].map(read).join('\n'));
    await database.query(`create table schema_migrations (name text primary key, applied_at timestamptz not null default now());
      insert into schema_migrations (name) values ('${first}');
      grant select, insert, update, delete on all tables in schema public to parley_api, parley_api_across`);
  };

  it('changes nothing on repetition, even by several processes at once', async () => {
    const before = [await definitions(), await relations(), await applied()];
    await Promise.all([migrate(url), migrate(url), migrate(url)]);
    assert.deepEqual([await definitions(), await relations(), await applied()], before);
    assert.deepEqual(await applied(), schemaVersions());
  });

  it('brings a changed function to a database that has its schema already', async () => {
    const file = join(folder, 'functions/lost_workers.sql');
    writeFileSync(file, readFileSync(file, 'utf8').replace("interval '10 s'", "interval '11 s'"));
    await migrate(url, folder);
    const changed = (await definitions()).filter(({ definition }) =>
      String(definition).includes("interval '11 s'"),
    );
    assert.deepEqual(
      changed.map(({ name }) => name),
      ['lost_workers(text)'],
    );
  });

  it('applies a new schema file once, before the functions that need it', async () => {
    writeFileSync(
      join(folder, 'schema/0999-notes.sql'),
      'create table notes (organization_id uuid, text text);',
    );
    writeFileSync(
      join(folder, 'functions/newest_note.sql'),
      'create or replace function newest_note() returns notes language sql as $$ select * from notes limit 1 $$;',
    );
    await migrate(url, folder);
    await migrate(url, folder);
    assert.deepEqual(await applied(), [...schemaVersions(), '0999-notes']);
    assert.equal((await rows('select * from newest_note()')).length, 1);
    const [notes] = await rows("select relrowsecurity from pg_class where relname = 'notes'");
    assert.equal(notes?.['relrowsecurity'], true);
  });

  it('keeps the data of an earlier schema: tokens without scopes, audit events without a chain', async () => {
    await applyFirstSchema();
    const db = connectDatabase(url, 2);
    const { id: organization_id } = await createOrganization(db, 'older');
    const { hash, prefix } = makeTokenSecret();
    await db.knex('api_tokens').insert({
      ...{ id: randomUUID(), organization_id, name: 'made before', prefix, secret_hash: hash },
    });
    await db.knex('audit_log').insert({
      ...{
        id: randomUUID(),
        organization_id,
        actor: 'somebody',
        action: 'signed_in',
        target: 'a@example.com',
      },
    });
    await migrate(url);
    assert.equal(await sealAudit(db, organization_id), 1);
    assert.deepEqual((await verifyAudit(db, organization_id)).problem, undefined);
    const mayChange = "select has_table_privilege('parley_api', 'audit_log', 'update, delete') as may";
    assert.deepEqual(await rows(mayChange), [{ may: false }]);
    // The first version let both roles of the API read all accounts.
    for (const role of ['parley_api', 'parley_api_across']) {
      await assert.rejects(
        database.query(`begin; set local role ${role}; select password from console_accounts`),
        /permission denied/,
      );
      await database.query('rollback');
    }
    await createToken(db, { organizationId: organization_id, name: 'made after' });
    const tokens = await listTokens(db, organization_id);
    await db.close();
    assert.deepEqual(
      Object.fromEntries(tokens.map(({ name, scopes, before_scopes }) => [name, [scopes, before_scopes]])),
      { 'made before': [null, true], 'made after': [null, false] },
    );
  });

  it('names the file that fails, and leaves the database as it was', async () => {
    writeFileSync(join(folder, 'schema/0999-notes.sql'), 'create table notes (organization_id uuid);');
    writeFileSync(
      join(folder, 'functions/broken.sql'),
      'create or replace function broken() returns nothing_known;',
    );
    await assert.rejects(
      migrate(url, folder),
      /functions.broken\.sql: .*nothing_known|functions.broken\.sql: /,
    );
    assert.deepEqual(await applied(), schemaVersions());
    assert.deepEqual(await rows("select from pg_class where relname = 'notes'"), []);
  });

  it('has one file for each function, named after it, whose header says what it locks or does', async () => {
    const files = readdirSync(join(shipped, 'functions'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.sql'))
      .map((file) => join(shipped, 'functions', file));
    const names = (await rows(
      "select proname from pg_proc where pronamespace = 'public'::regnamespace order by proname",
    )) as { proname: string }[];
    assert.deepEqual(
      files.map((file) => basename(file, '.sql')).sort(),
      names.map(({ proname }) => proname).sort(),
    );
    for (const file of files) {
      const text = readFileSync(file, 'utf8');
      assert.match(
        text,
        new RegExp(`^(-- .+\\n)+create or replace function ${basename(file, '.sql')}\\(`),
        file,
      );
      assert.equal(text.match(/^create or replace function/gm)?.length, 1, file);
      if (!text.includes('returns trigger'))
        assert.match(text, /lock/i, `${file} does not say what it locks`);
    }
  });

  it('makes functions whose bodies Postgres accepts', async () => {
    // Created without this check: in any order, one may call another that comes later.
    for (const { definition } of await definitions()) await database.query(String(definition));
  });
});
