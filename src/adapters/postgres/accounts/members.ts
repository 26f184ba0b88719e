/** Reads members and roles directly from Postgres; change-members.ts and better-auth write them. */
import { z } from 'zod';
import { capabilitiesOf } from '../../accounts/access.ts';
import {
  administratorRole,
  allCapabilities,
  type Capability,
} from '../../../contract/accounts/capabilities.ts';
import type { Member, Role } from '../../../contract/accounts/members.ts';
import { isoDate, queryRows, statement, type Database } from '../database.ts';
import { isActiveToken } from './tokens.ts';

export const administratorName = 'Administrator';
const statements = z.record(z.string(), z.array(z.string()));

export interface Membership {
  organizationId: string;
  organizationName: string;
  roleName: string;
  capabilities: readonly Capability[];
}

const roleColumns = z.object({
  role: z.string(),
  label: z.string().nullable(),
  permission: z.string().nullable(),
});
type RoleColumns = z.infer<typeof roleColumns>;
const membershipRow = roleColumns.extend({ organization_id: z.string(), organization_name: z.string() });
const memberRow = roleColumns.extend({
  id: z.string(),
  user_id: z.string(),
  name: z.string(),
  email: z.string(),
  created_at: isoDate,
  active_tokens: z.number(),
  second_factor: z.boolean(),
});

/** Reads the name and the capabilities of a role. A deleted role grants nothing. */
function roleFrom(row: RoleColumns): { roleName: string; capabilities: readonly Capability[] } {
  if (row.role === administratorRole) return { roleName: administratorName, capabilities: allCapabilities };
  if (row.label === null || row.permission === null) return { roleName: 'No role', capabilities: [] };
  return {
    roleName: row.label,
    capabilities: capabilitiesOf(statements.parse(JSON.parse(row.permission))),
  };
}

const memberships = statement('memberships', membershipRow)`
  select m.organization_id, o.name as organization_name, m.role, r.label, r.permission
    from console_members m join organizations o on o.id = m.organization_id
      left join console_roles r on r.organization_id = m.organization_id and r.role = m.role
    where m.user_id = $1 order by m.created_at, m.id`;

/** @returns the user's memberships in all organizations, oldest first */
export async function membershipsOf(db: Database, userId: string): Promise<Membership[]> {
  const rows = await queryRows(db, memberships, [userId]);
  return rows.map((row) => ({
    organizationId: row.organization_id,
    organizationName: row.organization_name,
    ...roleFrom(row),
  }));
}

/**
 * @param email in lower case
 * @returns ids of the organizations that have a member with this email, oldest membership first
 */
export const organizationsOfEmail = statement('organizations-of-email').ids<[email: string]>`
  select m.organization_id as id from console_members m join console_users u on u.id = m.user_id
    where u.email = $1 order by m.created_at`;

const members = statement('list-members', memberRow)`
  select m.id, m.user_id, u.name, u.email, m.role, r.label, r.permission, m.created_at, u.two_factor_enabled as second_factor,
      (select count(*) from api_tokens t where t.organization_id = m.organization_id
        and (t.created_by = m.user_id or t.rotated_by = m.user_id) and ${isActiveToken}) as active_tokens
    from console_members m join console_users u on u.id = m.user_id
      left join console_roles r on r.organization_id = m.organization_id and r.role = m.role
    where m.organization_id = $1 order by m.created_at, m.id`;

/**
 * @param you id of the user to whom the list is shown
 * @returns the members, in the order in which they joined
 */
export async function listMembers(db: Database, organizationId: string, you: string): Promise<Member[]> {
  const rows = await queryRows(db, members, [organizationId]);
  return rows.map(({ role, label, permission, ...row }) => ({
    ...row,
    role_id: role,
    role_name: roleFrom({ role, label, permission }).roleName,
    is_you: row.user_id === you,
  }));
}

const named = statement(
  'list-members-by-name',
  roleColumns.extend({ id: z.string(), name: z.string(), email: z.string(), mails_waiting: z.boolean() }),
)`
  select m.user_id as id, u.name, u.email, m.mails_waiting, m.role, r.label, r.permission
    from console_members m join console_users u on u.id = m.user_id
      left join console_roles r on r.organization_id = m.organization_id and r.role = m.role
    where m.organization_id = $1 order by lower(u.name), m.user_id`;

/** @returns the users who have the capability as members of the organization, by name */
export async function listMembersWith(
  db: Database,
  organizationId: string,
  capability: Capability,
): Promise<{ id: string; name: string; email: string; mails_waiting: boolean }[]> {
  const rows = await queryRows(db, named, [organizationId]);
  return rows.filter((row) => roleFrom(row).capabilities.includes(capability));
}

const roles = statement('list-roles', roleColumns.extend({ members: z.number() }))`
  select r.role, r.label, r.permission,
      (select count(*) from console_members m where m.organization_id = $1 and m.role = r.role) as members
    from (select '${administratorRole}' as role, null as label, null as permission
      union all select role, label, permission from console_roles where organization_id = $1) r
    order by lower(r.label) nulls first`;

/** @returns the built-in administrator first, then the custom roles by name, each with its number of members */
export async function listRoles(db: Database, organizationId: string): Promise<Role[]> {
  const rows = await queryRows(db, roles, [organizationId]);
  return rows.map((row) => {
    const { roleName, capabilities } = roleFrom(row);
    return {
      id: row.role,
      name: roleName,
      built_in: row.role === administratorRole,
      capabilities: [...capabilities],
      members: row.members,
    };
  });
}
