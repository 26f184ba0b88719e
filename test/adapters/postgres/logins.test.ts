/**
 * The reach of an attacker's statements with each login of the API and the worker, as if a query's text were theirs.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { connectApiDatabase, type Database } from '../../../src/adapters/postgres/database.ts';
import { migrate } from '../../../src/adapters/postgres/migrate.ts';
import {
  acrossOrganizations,
  databaseRoles,
  forAccounts,
  inOrganization,
  signatureOf,
} from '../../../src/adapters/postgres/organization-scope.ts';
import { createOrganization } from '../../../src/adapters/postgres/accounts/organizations.ts';
import { createAgent } from '../../../src/adapters/postgres/conversations/agents.ts';
import { acceptInput } from '../../../src/adapters/postgres/conversations/inputs.ts';
import { createToken } from '../../../src/adapters/postgres/accounts/tokens.ts';
import { connectDatabase } from '../../../src/adapters/postgres/database.ts';
import { loginSettings } from '../../../src/local/database-logins.ts';
import { backing } from '../../support/backing.ts';

const { api, across, accounts, worker } = databaseRoles;
const secretTables = [
  ...['console_accounts', 'console_sessions', 'console_verifications'],
  'console_two_factors',
];

describe('The logins of the database', () => {
  let url: string;
  let owner: Database;
  let db: Database;
  let mine: string;
  let other: string;
  let otherUser: string;
  const clients = new Map<string, pg.Client>();

  before(async () => {
    url = await (await backing()).freshDatabase();
    // A copy of the template has the owner's defaults again, of which the migration takes what strangers had.
    await migrate(url);
    owner = connectDatabase(url, 2);
    const users: string[] = [];
    for (const name of ['mine', 'other']) {
      const { id } = await createOrganization(owner, name);
      await createToken(owner, { organizationId: id, name: 'a token' });
      const agent = await createAgent(owner, id, { name: `of ${name}`, instructions: 'x' });
      await acceptInput(owner, {
        caller: { kind: 'system' },
        organizationId: id,
        targetId: agent.id,
        text: 'hello',
        sync: false,
      });
      const user = randomUUID();
      users.push(user);
      await owner.knex('console_users').insert({ id: user, name, email: `${name}@example.com` });
      await owner.knex('console_members').insert({ organization_id: id, user_id: user, role: 'admin' });
      await owner
        .knex('console_roles')
        .insert({ organization_id: id, role: name, label: name, permission: '{}' });
      await owner
        .knex('console_accounts')
        .insert({ user_id: user, account_id: user, provider_id: 'credential', password: `hash of ${name}` });
      await owner
        .knex('console_sessions')
        .insert({ user_id: user, token: `session of ${name}`, expires_at: new Date(Date.now() + 60_000) });
      await owner.knex('console_invitations').insert({
        ...{ organization_id: id, email: 'x@example.com', inviter_id: user, token_hash: `link of ${name}` },
        expires_at: new Date(Date.now() + 60_000),
      });
      if (name === 'mine') mine = id;
      else other = id;
    }
    otherUser = users[1]!;
    const { password } = new URL(url);
    const settings = loginSettings(url, password);
    db = connectApiDatabase(
      {
        organization: settings.api['DATABASE_URL']!,
        across: settings.api['DATABASE_ACROSS_URL']!,
        accounts: settings.api['DATABASE_ACCOUNTS_URL']!,
      },
      2,
      true,
    );
    for (const role of Object.values(databaseRoles)) {
      const as = new URL(url);
      as.username = role;
      const client = new pg.Client(as.href);
      await client.connect();
      clients.set(role, client);
    }
  });
  after(async () => {
    await Promise.all([...clients.values()].map((client) => client.end()));
    await Promise.all([db.close(), owner.close()]);
  });

  const as = async <Row extends object>(role: string, sql: string, values: unknown[] = []): Promise<Row[]> =>
    (await clients.get(role)!.query<Row>(sql, values)).rows;
  const signed = async (organization: string) => {
    const { rows } = await owner.pool.query<{ key: Buffer }>('select key from scope_keys');
    return `${organization}:${signatureOf(rows[0]!.key, organization)}`;
  };
  /** Runs a query within my organization, as if an attacker had changed its text. */
  const inject = async <Row extends object>(sql: string) =>
    (await inOrganization(mine, () => db.pool.query<Row>(sql))).rows;
  const tablesOf = async (role: string) =>
    (
      await owner.pool.query<{ name: string; all: boolean }>(
        `select relname::text as name, has_table_privilege($1, oid, 'select') as all from pg_class
           where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
        [role],
      )
    ).rows;
  /** Statements that must fail with any login. */
  const attacks = [
    'set role postgres',
    ...Object.values(databaseRoles).map((role) => `set role ${role}`),
    'set session authorization postgres',
    'alter table agents disable row level security',
    'alter policy of_one_organization on agents using (true)',
    'drop policy of_one_organization on agents',
    'create policy mine on agents using (true)',
    ...Object.values(databaseRoles).map((role) => `alter role ${role} password 'mine'`),
    'create role mine superuser',
    'create table mine (id integer)',
    'create temporary table agents (id integer)',
    'create schema mine',
    'create function mine() returns integer language sql as $$ select 1 $$',
    'create or replace function parley_organization() returns uuid language sql as $$ select null::uuid $$',
    'create function pg_temp.mine() returns integer language sql as $$ select 1 $$',
    'alter function parley_organization() owner to current_user',
    'create trigger mine before insert on agents for each row execute function refuse_audit_change()',
    'truncate agents',
    'drop table agents',
    "copy agents to program 'cat'",
    "copy agents from '/etc/passwd'",
    "select pg_read_file('/etc/passwd')",
    'alter table audit_log disable trigger all',
    "update audit_log set action = 'nothing'",
    'set session_replication_role = replica',
    'create extension dblink',
    'create publication mine for all tables',
    "select lo_import('/etc/passwd')",
    'select * from pg_authid',
  ];

  it('confine an attacker who changes a query of an organization to that organization, in every table', async () => {
    const tables = await tablesOf(api);
    assert.ok(tables.filter(({ all }) => all).length > 30);
    for (const { name, all } of tables) {
      if (!all) {
        await assert.rejects(inject(`select * from ${name}`), /permission denied/, name);
        continue;
      }
      const rows = await inject<Record<string, unknown>>(`select * from ${name}`);
      for (const row of rows) {
        const text = JSON.stringify(row);
        assert.ok(!text.includes(other) && !text.includes(otherUser), `${name}: ${text}`);
      }
    }
    assert.equal((await inject('select from agents')).length, 1);
    assert.equal((await inject('select from organizations')).length, 1);
    assert.deepEqual(await inject('select email from console_users'), [{ email: 'mine@example.com' }]);
    assert.deepEqual(await inject('select email from console_invitations'), [{ email: 'x@example.com' }]);
    await assert.rejects(inject('select token_hash from console_invitations'), /permission denied/);
    await assert.rejects(inject('select * from scope_keys'), /permission denied/);
  });

  it('let nobody name another organization: the setting counts with its signature only', async () => {
    const { key } = (await owner.pool.query<{ key: Buffer }>('select key from scope_keys')).rows[0]!;
    const signatures = [
      '',
      ':',
      `:${'0'.repeat(64)}`,
      `:${signatureOf(key, mine)}`,
      `:${signatureOf(Buffer.alloc(32), other)}`,
    ];
    for (const signature of signatures) {
      await as(api, `select set_config('parley.organization', $1, false)`, [`${other}${signature}`]);
      assert.deepEqual(await as(api, 'select parley_organization() as found'), [{ found: null }], signature);
      for (const { name } of (await tablesOf(api)).filter(({ all }) => all))
        if (!['approval_reasons', 'installation', 'mcp_clients'].includes(name))
          assert.deepEqual(await as(api, `select * from ${name}`), [], name);
    }
    // In one statement with what it is to open, and afterwards on the same connection.
    const sql = `with named as materialized (select set_config('parley.organization', '${other}', true) as id)
                   select a.name from named cross join lateral (select name, named.id from agents) a`;
    assert.deepEqual(
      (await inject<{ name: string }>(sql)).filter(({ name }) => name !== 'of mine'),
      [],
    );
    assert.deepEqual(await inject('select id from organizations'), [{ id: mine }]);
    // The settings that an injected statement leaves behind end with the next organization.
    for (const [organization, name] of [
      [other, 'of other'],
      [mine, 'of mine'],
    ] as const) {
      const names = await inOrganization(organization, () =>
        db.knex('agents').pluck<string[]>('name').then(),
      );
      assert.deepEqual(names, [name]);
    }
    await as(api, `select set_config('parley.organization', $1, false)`, [await signed(mine)]);
    assert.deepEqual(await as(api, 'select name from agents'), [{ name: 'of mine' }]);
  });

  it('write nothing for another organization', async () => {
    assert.deepEqual(
      await inject(`update agents set name = 'taken' where organization_id = '${other}' returning id`),
      [],
    );
    assert.deepEqual(
      await inject(`delete from api_tokens where organization_id = '${other}' returning id`),
      [],
    );
    assert.deepEqual(
      await inject(`update organizations set name = 'taken' where id = '${other}' returning id`),
      [],
    );
    for (const sql of [
      `update agents set organization_id = '${other}'`,
      `update console_roles set organization_id = '${other}'`,
      `insert into console_roles (organization_id, role, label, permission) values ('${other}', 'x', 'x', '{}')`,
      `insert into audit_log (id, organization_id, actor, action, target) values (gen_random_uuid(), '${other}', 'x', 'x', 'x')`,
    ])
      await assert.rejects(inject(sql), /row-level security/, sql);
    for (const sql of [
      `update console_members set role = 'admin'`,
      `insert into console_members (organization_id, user_id, role) values ('${mine}', '${otherUser}', 'admin')`,
      `update console_users set email = 'x'`,
      'delete from console_users',
      'delete from organizations',
    ])
      await assert.rejects(inject(sql), /permission denied/, sql);
  });

  it('get no further access through functions, whatever role these run as', async () => {
    const { rows } = await owner.pool.query<{ proname: string }>(
      `select proname from pg_proc where pronamespace = 'public'::regnamespace and prosecdef order by 1`,
    );
    assert.deepEqual(
      rows.map(({ proname }) => proname),
      ['parley_organization', 'search_messages'],
    );
    await as(api, `select set_config('parley.organization', $1, false)`, [other]);
    assert.deepEqual(await as(api, `select * from search_messages('hello', now())`), []);
    for (const sql of [
      `select request_erasure(gen_random_uuid(), '${other}', 'organization', '') as found`,
      `select erase_organization('${other}')`,
      `select close_organization('${other}')`,
    ]) {
      const [row] = await inject<{ found?: unknown }>(sql).catch((error: unknown) => {
        assert.match(String(error), /permission denied/, sql);
        return [{ found: null }];
      });
      assert.equal(row?.found ?? null, null, sql);
    }
    assert.equal((await owner.knex('organizations').where({ id: other })).length, 1);
    assert.equal((await owner.knex('agents').where({ organization_id: other, active: true })).length, 1);
  });

  it('change no role, policy, function or table, and gain nothing by RESET ROLE', async () => {
    for (const role of Object.values(databaseRoles)) {
      for (const sql of attacks) {
        // A role may set its own password, which lets nobody read more: docs/security.md.
        if (sql === `set role ${role}` || sql === `alter role ${role} password 'mine'`) continue;
        if (sql.startsWith('update audit_log') && role === worker) {
          // Its rights are those of the upkeep; the trigger refuses the rest.
          await owner.pool.query(
            `insert into audit_log (id, organization_id, actor, action, target) values (gen_random_uuid(), '${mine}', 'x', 'x', 'x')`,
          );
        }
        await assert.rejects(as(role, sql), `${role}: ${sql}`);
      }
      for (const sql of ['reset role', 'reset session authorization', 'discard all']) await as(role, sql);
      assert.deepEqual(await as(role, 'select current_user, session_user'), [
        { current_user: role, session_user: role },
      ]);
      // A role that has a right without the option to grant it gets a warning, not an error.
      await as(role, 'grant select on console_accounts to public').catch(() => undefined);
      if (role !== accounts)
        for (const table of secretTables)
          await assert.rejects(as(role, `select * from ${table}`), /permission denied/, `${role}: ${table}`);
    }
    assert.deepEqual(await as(api, 'select from agents'), []);
  });

  it('show passwords and sessions only to the login for accounts, which reads no text, key or token', async () => {
    const passwords = await forAccounts(() => db.knex('console_accounts').pluck<string[]>('password').then());
    assert.deepEqual(passwords.sort(), ['hash of mine', 'hash of other']);
    for (const [role, sql] of [
      [worker, 'select token from console_sessions'],
      [worker, 'select value from console_verifications'],
      [worker, 'select user_id from console_two_factors'],
      [worker, 'delete from console_two_factors'],
      [api, 'select secret from console_two_factors'],
      [across, 'select user_id from console_two_factors'],
      [across, `update console_two_factors set secret = 'x'`],
      [across, 'select name from console_users'],
      [across, `update agents set name = 'x'`],
      [across, 'delete from conversations'],
      [accounts, 'select secret_hash from api_tokens'],
      [accounts, 'select instructions from agents'],
      [accounts, 'select text from messages'],
      [accounts, 'select instance_token from channels'],
      [accounts, 'select access_token from tool_connections'],
      [accounts, 'select key from scope_keys'],
      [worker, 'select key from scope_keys'],
      [accounts, `update api_tokens set scopes = null`],
    ] as const)
      await assert.rejects(as(role, sql), /permission denied/, `${role}: ${sql}`);
    const ids = await acrossOrganizations(() => db.knex('agents').pluck<string[]>('id').then());
    assert.equal(ids.length, 2);
    assert.equal((await as(worker, 'select id from agents')).length, 2);
  });

  it('are chosen by scope: code without an organization is refused', async () => {
    await assert.rejects(async () => await db.pool.query('select 1'), /for no organization/);
    await assert.rejects(async () => {
      await db.knex('agents').select('id');
    }, /for no organization/);
    const who = 'select current_user::text as who, session_user::text as login';
    for (const [role, run] of [
      [api, (work: () => Promise<unknown>) => inOrganization(mine, work)],
      [across, acrossOrganizations<Promise<unknown>>],
      [accounts, forAccounts<Promise<unknown>>],
    ] as const) {
      await run(async () => {
        assert.deepEqual((await db.pool.query(who)).rows, [{ who: role, login: role }]);
        const { rows } = await db.knex.transaction(async (trx) => await trx.raw<{ rows: object[] }>(who));
        assert.deepEqual(rows, [{ who: role, login: role }]);
      });
    }
    assert.equal(db.poolUse().queries.used + db.poolUse().statements.used, 0, 'all are given back');
  });

  it('receive nothing by LISTEN that a statement could read', async () => {
    // Any login may listen: Postgres has no right for it. What is sent names identifiers alone, and to the client.
    await as(api, 'listen run_answered');
    await owner.pool.query(`select pg_notify('run_answered', 'secret')`);
    const [found] = await as<{ channels: string[] }>(
      api,
      'select array(select pg_listening_channels()) as channels',
    );
    assert.deepEqual(found?.channels, ['run_answered']);
    await as(api, 'unlisten *');
  });
});
