/** The rights of each role of the database on each table: all of them are listed here. */
import assert from 'node:assert/strict';
import { databaseRoles } from '../../../src/adapters/postgres/organization-scope.ts';
import { rulesOf } from '../../../src/adapters/postgres/row-security.ts';
import { useSharedStack } from '../../support/stack.ts';

/**
 * Tables without row security, and what of each role reaches them. A new table belongs here with a reason, or has
 * policies.
 */
const unrestricted = [
  'approval_reasons',
  'installation',
  'mcp_clients',
  'paces',
  'rate_limits',
  'schema_migrations',
  'scope_keys',
  'sign_in_counters',
  'work_attempts',
  'worker_processes',
];

/** Columns of accounts that each role but `parley_accounts` may read. */
const readable: Record<string, Partial<Record<string, string[]>>> = {
  console_accounts: {},
  console_sessions: { parley_worker: ['expires_at'] },
  console_verifications: { parley_worker: ['expires_at'] },
  console_two_factors: {
    parley_api_across: ['backup_codes', 'secret'],
    parley_worker: ['backup_codes', 'secret'],
  },
  console_users: {
    parley_api: [
      'created_at',
      'email',
      'email_verified',
      'id',
      'image',
      'name',
      'two_factor_enabled',
      'updated_at',
    ],
    parley_api_across: ['email', 'id'],
    parley_worker: ['email', 'id'],
  },
  console_invitations: {
    parley_api: [
      'created_at',
      'email',
      'expires_at',
      'id',
      'inviter_id',
      'organization_id',
      'role',
      'status',
    ],
    parley_worker: ['expires_at'],
  },
};

describe('The rights on tables', () => {
  const stack = useSharedStack();
  const ask = async <Row extends object>(sql: string) => (await stack().db.pool.query<Row>(sql)).rows;

  it('are by row, unless a table is listed with a reason', async () => {
    const tables = await ask<{ relname: string; relrowsecurity: boolean; policies: string[] }>(
      `select relname, relrowsecurity, array(select polname::text from pg_policy where polrelid = c.oid order by 1) as policies
         from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f') order by 1`,
    );
    assert.deepEqual(
      tables.filter((one) => !one.relrowsecurity).map((one) => one.relname),
      unrestricted,
    );
    for (const name of unrestricted) assert.ok(rulesOf(name).unrestricted, name);
    for (const { relname, policies } of tables.filter((one) => one.relrowsecurity))
      assert.deepEqual(policies, ['of_every_organization', 'of_one_organization'], relname);
  });

  it('on accounts belong to parley_accounts: no other role reads a password, a session or a link', async () => {
    const columns = await ask<{ relname: string; attname: string; rolname: string }>(
      `select relname::text, attname::text, rolname::text from pg_class c join pg_attribute a on a.attrelid = c.oid and attnum > 0
         and not attisdropped cross join pg_roles r
         where relnamespace = 'public'::regnamespace and relkind = 'r' and relname like 'console\\_%'
           and rolname in ('parley_api', 'parley_api_across', 'parley_worker')
           and has_column_privilege(rolname, c.oid, attnum, 'select') order by 1, 3, 2`,
    );
    const found: Record<string, Record<string, string[]>> = {};
    for (const { relname, attname, rolname } of columns)
      if (!['console_members', 'console_roles'].includes(relname))
        ((found[relname] ??= {})[rolname] ??= []).push(attname);
    const expected = Object.entries(readable).filter(([, roles]) => Object.keys(roles).length > 0);
    assert.deepEqual(found, Object.fromEntries(expected));
  });

  it('allow no role to own, create or reference anything', async () => {
    const roles = Object.values(databaseRoles);
    assert.deepEqual(
      await ask(
        `select relname from pg_class where pg_get_userbyid(relowner) in (${roles.map((role) => `'${role}'`).join()})`,
      ),
      [],
    );
    const more = roles.map(
      (role) =>
        `select '${role}' as role where has_schema_privilege('${role}', 'public', 'create')
           or (select rolsuper or rolcreaterole or rolcreatedb or rolbypassrls or rolreplication from pg_roles where rolname = '${role}')
           or exists (select from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
                        and has_table_privilege('${role}', oid, 'truncate, references, trigger, maintain'))`,
    );
    assert.deepEqual(await ask(more.join(' union all ')), []);
    const memberships = await ask(
      `select r.rolname from pg_auth_members m join pg_roles r on r.oid = m.member
         where r.rolname in (${roles.map((role) => `'${role}'`).join()})`,
    );
    assert.deepEqual(memberships, []);
  });
});
