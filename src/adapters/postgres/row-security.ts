/**
 * The second layer of isolation: row security shows the API's queries the rows of one organization only. The first
 * layer is the condition in each query. The worker and the command line use the database's own user, who sees all rows.
 *
 * There are two roles instead of one with a flag, so that a policy is one plain condition. A condition such as
 * `flag or organization_id = …` cannot use an index, so each listing would read the rows of all organizations.
 */
import type { ClientBase } from 'pg';
import { apiRole, everyOrganizationRole } from './database.ts';

/**
 * Tables without row security: those of better-auth, whose users may belong to several organizations, and those of the
 * whole installation.
 */
const withoutOrganization = [
  'schema_migrations',
  'console_%',
  'organizations',
  '%_attempts',
  'rate_limits',
  'sign_in_counters',
  'tool_rates',
  'gateway_rates',
  'worker_processes',
  'installation',
  'mcp_clients',
];

/**
 * Creates the roles, grants them the tables, and creates the policies of tables that have none. Idempotent.
 * @throws Error if a new table belongs to no organization, or the user may not create the roles
 */
export async function secureRows(client: ClientBase): Promise<void> {
  await client.query(policies);
}

const policies = `
do $security$
declare
  v_table record;
  v_parent record;
  v_rule text;
  v_role text;
begin
  foreach v_role in array array['${apiRole}', '${everyOrganizationRole}'] loop
    begin
      if not exists (select from pg_roles where rolname = v_role) then
        execute format('create role %I nologin', v_role);
      end if;
    exception
      when duplicate_object or unique_violation then null;
      when insufficient_privilege then
        raise exception 'The user % may not create roles. Have an administrator run: create role % nologin; grant % to %;',
          current_user, v_role, v_role, current_user;
    end;
    if not pg_has_role(current_user, v_role, 'set') then
      execute format('grant %I to %I', v_role, current_user);
    end if;
  end loop;

  for v_table in
    select c.oid, c.relname from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
        and not has_table_privilege('${everyOrganizationRole}', c.oid, 'delete')
        and c.relname not in ('schema_migrations', 'audit_log', 'audit_chains')
  loop
    execute format('grant select, insert, update, delete on %I to ${apiRole}, ${everyOrganizationRole}', v_table.relname);
  end loop;

  -- Only a worker gives entries their places in the hash chain and deletes old ones.
  grant select, insert on audit_log to ${apiRole}, ${everyOrganizationRole};
  revoke update, delete on audit_log from ${apiRole}, ${everyOrganizationRole};
  if to_regclass('audit_chains') is not null then
    grant select on audit_chains to ${apiRole}, ${everyOrganizationRole};
  end if;

  -- Tables that name their organization, then those that hang on one of them.
  for v_table in
    select c.oid, c.relname,
           exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'organization_id' and not a.attisdropped) as named
      from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
        and not exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'of_every_organization')
        and not c.relname like any (array[${withoutOrganization.map((name) => `'${name.replaceAll('_', '\\_')}'`).join(', ')}])
      order by named desc, c.oid
  loop
    if v_table.named then
      v_rule := 'organization_id = (select parley_organization())';
    else
      select k.confrelid::regclass::text as parent, f.attname as foreign_key, p.attname as key into v_parent
        from pg_constraint k
        join pg_class c on c.oid = k.confrelid and c.relrowsecurity
        join pg_attribute f on f.attrelid = k.conrelid and f.attnum = k.conkey[1]
        join pg_attribute p on p.attrelid = k.confrelid and p.attnum = k.confkey[1]
        where k.conrelid = v_table.oid and k.contype = 'f' order by k.oid limit 1;
      if not found then
        raise exception 'The table % belongs to no organization: give it a column organization_id, or a reference to a table that has one.',
          v_table.relname;
      end if;
      v_rule := format('exists (select from %s parent where parent.%I = %I.%I)',
                       v_parent.parent, v_parent.key, v_table.relname, v_parent.foreign_key);
    end if;
    execute format('alter table %I enable row level security', v_table.relname);
    execute format('drop policy if exists of_one_organization on %I', v_table.relname);
    execute format('create policy of_one_organization on %I to ${apiRole} using (%s)', v_table.relname, v_rule);
    execute format('create policy of_every_organization on %I to ${everyOrganizationRole} using (true)', v_table.relname);
  end loop;
end $security$;
`;
