/**
 * Restricts what each database role may read and change. This is the second layer of isolation between organizations;
 * the first is the condition in each query. The rules do not restrict the owner of the tables. The command line
 * connects as the owner.
 *
 * There are several roles, so that each policy has one simple condition. With one role and a flag, the condition would
 * be `flag or organization_id = …`, which cannot use an index: each list would read the rows of all organizations.
 */
import type { ClientBase } from 'pg';
import { z } from 'zod';
import { apiRole, databaseRoles } from './organization-scope.ts';

const scope = '(select parley_organization())';
const changeRows = 'select, insert, update, delete';
/** Privileges for deleting expired rows. Includes `update`, because the cleanup locks rows before it deletes them. */
const cleanUp = 'select, update, delete';
const expireAccountRows = 'select (ctid, expires_at), update (updated_at), delete';
const sealedFactors = 'select (secret, backup_codes)';

export interface TableRules {
  /** SQL condition for the rows that `parley_api` sees; default: the condition that `rowsOf` returns. */
  rows?: string;
  /** The reason why the table has no row security; absent if it has. */
  unrestricted?: string;
  // The privileges of each role on the table, as a GRANT statement lists them; absent: none.
  api?: string;
  across?: string;
  accounts?: string;
  worker?: string;
}

/** The rules of a table whose rows each belong to one organization. */
const ofOrganizations: TableRules = { api: changeRows, across: 'select', worker: changeRows };

/** The rules of the tables to which neither `ofOrganizations` nor `ofAccounts` applies. */
const special: Record<string, TableRules> = {
  schema_migrations: { unrestricted: 'only the migration reads it' },
  installation: {
    unrestricted: 'settings of the whole installation, without secrets',
    api: 'select',
    across: 'select, insert',
    worker: 'select, insert, update',
  },
  approval_reasons: {
    unrestricted: 'texts of the product',
    api: 'select',
    across: 'select',
    worker: 'select',
  },
  scope_keys: {
    unrestricted: 'the key that signs the organization of a connection',
    across: 'select',
  },
  rate_limits: {
    unrestricted: 'counters of the whole installation',
    // A worker counts repeated reads by tool actions, so that the audit log does not record each of them.
    across: changeRows,
    worker: changeRows,
  },
  sign_in_counters: {
    unrestricted: 'counters of the whole installation, whose keys are HMACs',
    accounts: changeRows,
    worker: cleanUp,
  },
  paces: {
    unrestricted: 'workspaces and gateways that several organizations may share',
    // The API replies to approvers through the gateway, and each reply takes a slot of the gateway's limit.
    across: 'select, insert, update',
    worker: changeRows,
  },
  worker_processes: { unrestricted: 'processes of the installation', worker: changeRows },
  work_attempts: { unrestricted: 'attempts of workers, which name identifiers only', worker: changeRows },
  mcp_clients: {
    unrestricted: 'programs that register themselves, which any organization may allow',
    api: 'select, update (consented)',
    across: changeRows,
    worker: cleanUp,
    accounts: 'select (id, name)',
  },

  organizations: {
    rows: `id = ${scope}`,
    api: 'select, update',
    across: 'select',
    accounts: 'select',
    worker: 'select, update, delete',
  },
  // Only workers add entries to the hash chain and delete old entries.
  audit_log: {
    api: 'select, insert',
    worker: changeRows,
    accounts: 'select (id, organization_id, action, target), insert',
  },
  // With `across`, one statement adds requests of several organizations to the log, and another one trims their logs.
  api_requests: { api: 'select', across: changeRows, worker: cleanUp },
  audit_chains: { api: 'select', worker: changeRows },
  api_tokens: {
    api: changeRows,
    across: 'select, update',
    worker: changeRows,
    // Removing a member can also revoke the member's tokens. `accounts` cannot read the hashes of the tokens.
    accounts:
      'select (id, organization_id, name, prefix, created_by, rotated_by, revoked_at), update (revoked_at)',
  },
  // `across` finds an OAuth authorization by its state, before the organization is known, and consumes the state.
  tool_connections: { api: changeRows, across: 'select, update', worker: changeRows },
  // As for workspaces, `across` finds the organization of a sign-in by its state, and consumes the state.
  mcp_sign_ins: { api: changeRows, across: 'select, update', worker: changeRows },
  // The actor of an audit event can be an agent, so the statement that records events also reads the names of agents.
  agents: { ...ofOrganizations, accounts: 'select (id, name)' },
  mcp_grants: {
    api: changeRows,
    across: changeRows,
    worker: changeRows,
    accounts: 'select (id, organization_id, client_id, user_id), delete',
  },

  console_users: {
    rows: 'exists (select from console_members m where m.user_id = console_users.id)',
    api: 'select',
    across: 'select (id, email)',
    accounts: changeRows,
    // To close an organization, a worker locks its users, which requires the privilege to update a column.
    worker: 'select (id, email), update (updated_at), delete',
  },
  console_members: {
    api: 'select, update (inbox_read_at, mails_waiting)',
    accounts: changeRows,
    worker: 'select, delete',
  },
  console_roles: { api: changeRows, accounts: changeRows },
  console_invitations: {
    api: 'select (id, organization_id, email, role, status, expires_at, inviter_id, created_at)',
    accounts: changeRows,
    worker: 'select (ctid, expires_at), update (created_at), delete',
  },
  console_sessions: { rows: 'false', accounts: changeRows, worker: expireAccountRows },
  console_verifications: { rows: 'false', accounts: changeRows, worker: expireAccountRows },
  // At its start, each process verifies that it has all encryption keys. For this, `across` and `worker` read the
  // encrypted values, which contain the ids of their keys.
  console_two_factors: {
    rows: 'false',
    across: sealedFactors,
    accounts: changeRows,
    worker: sealedFactors,
  },
};

/** The rules of each table `console_…` that `special` does not list, such as console_accounts with its passwords. */
const ofAccounts: TableRules = { rows: 'false', accounts: changeRows };

/** @returns the rules of a table: its entry in `special`, or else the rules of its kind, which its name determines */
export function rulesOf(table: string): TableRules {
  return special[table] ?? (table.startsWith('console_') ? ofAccounts : ofOrganizations);
}

const table = z.object({
  name: z.string(),
  /** True if the table has a column organization_id. */
  named: z.boolean(),
  references: z.array(z.object({ parent: z.string(), key: z.string(), column: z.string() })).nullable(),
  secured: z.boolean(),
  /** The roles of each policy, by the policy's name. */
  policies: z.record(z.string(), z.array(z.string())),
});
type Table = z.infer<typeof table>;
const foundTables = z.object({ rows: z.array(table) });

const findTables = `
  select c.relname as name, c.relrowsecurity as secured,
         exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'organization_id' and not a.attisdropped) as named,
         (select json_agg(json_build_object('parent', p.relname, 'key', pa.attname, 'column', a.attname) order by k.oid)
            from pg_constraint k join pg_class p on p.oid = k.confrelid
            join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
            join pg_attribute pa on pa.attrelid = k.confrelid and pa.attnum = k.confkey[1]
            where k.conrelid = c.oid and k.contype = 'f') as references,
         coalesce((select json_object_agg(p.polname, array(select r.rolname from pg_roles r where r.oid = any(p.polroles) order by 1))
            from pg_policy p where p.polrelid = c.oid), '{}') as policies
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by c.oid`;

/**
 * Creates the roles, revokes the right to create objects from PUBLIC, sets each role's privileges on each table,
 * enables row security, creates missing policies, and updates the roles of existing ones. Idempotent.
 * @throws Error if a new table belongs to no organization, or a role is missing and the user may not create it
 */
export async function secureRows(client: ClientBase): Promise<void> {
  await client.query(createRoles);
  const { rows: tables } = foundTables.parse(await client.query(findTables));
  const byName = new Map(tables.map((table) => [table.name, table]));
  await client.query(tables.flatMap((table) => statementsFor(table, byName)).join(';\n'));
}

const everyRole = Object.values(databaseRoles);
const unbounded = everyRole.filter((role) => role !== apiRole);

/**
 * SQL that creates the roles, and revokes the right to create objects from PUBLIC. With that right, a role could create
 * objects that shadow the product's own tables and functions.
 */
const createRoles = `
do $security$
declare
  v_role text;
begin
  foreach v_role in array array[${everyRole.map((role) => `'${role}'`).join(', ')}] loop
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
  execute format('revoke create, temporary on database %I from public', current_database());
  revoke create on schema public from public;
  grant usage on schema public to ${everyRole.join(', ')};
end $security$`;

function statementsFor(table: Table, tables: ReadonlyMap<string, Table>): string[] {
  const { name, secured, policies } = table;
  const rules = rulesOf(name);
  const statements = [`revoke all on ${name} from ${everyRole.join(', ')}`];
  for (const key of ['api', 'across', 'accounts', 'worker'] as const) {
    const rights = rules[key];
    if (rights !== undefined) statements.push(`grant ${rights} on ${name} to ${databaseRoles[key]}`);
  }
  if (rules.unrestricted !== undefined) return statements;
  if (!secured) statements.push(`alter table ${name} enable row level security`);
  if (policies[onlyOne] === undefined)
    statements.push(
      `create policy ${onlyOne} on ${name} to ${apiRole} using (${rules.rows ?? rowsOf(table, tables)})`,
    );
  const roles = unbounded.join(', ');
  if (policies[every] === undefined)
    statements.push(`create policy ${every} on ${name} to ${roles} using (true)`);
  else if (policies[every].join() !== unbounded.toSorted().join())
    statements.push(`alter policy ${every} on ${name} to ${roles}`);
  return statements;
}

const onlyOne = 'of_one_organization';
const every = 'of_every_organization';

/**
 * @returns the SQL condition for the rows of the current organization
 * @throws Error if the table has neither a column organization_id nor a reference to a table with row security
 */
function rowsOf({ name, named, references }: Table, tables: ReadonlyMap<string, Table>): string {
  if (named) return `organization_id = ${scope}`;
  const found = references?.find(
    ({ parent }) => tables.has(parent) && rulesOf(parent).unrestricted === undefined,
  );
  if (found === undefined)
    throw new Error(
      `The table ${name} belongs to no organization: give it a column organization_id, or a reference to a table that has one, or rules in row-security.ts.`,
    );
  const { parent, key, column } = found;
  return `exists (select from ${parent} parent where parent.${key} = ${name}.${column})`;
}
