/** Reads members and roles directly from Postgres; change-members.ts and better-auth write them. */
import { z } from 'zod';
import { capabilitiesOf } from '../../accounts/access.ts';
import {
  administratorRole,
  allCapabilities,
  type Capability,
} from '../../../contract/accounts/capabilities.ts';
import type { Member, Role } from '../../../contract/accounts/members.ts';
import { rowsOf, type Database } from '../database.ts';
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
  created_at: z.date(),
  active_tokens: z.number(),
  second_factor: z.boolean(),
});
const memberCount = z.object({ role: z.string(), members: z.number() });

/** Reads the name and the capabilities of a role. A deleted role grants nothing. */
function roleFrom(row: RoleColumns): { roleName: string; capabilities: readonly Capability[] } {
  if (row.role === administratorRole) return { roleName: administratorName, capabilities: allCapabilities };
  if (row.label === null || row.permission === null) return { roleName: 'No role', capabilities: [] };
  return {
    roleName: row.label,
    capabilities: capabilitiesOf(statements.parse(JSON.parse(row.permission))),
  };
}

/** @returns the user's memberships in all organizations, oldest first */
export async function membershipsOf(db: Database, userId: string): Promise<Membership[]> {
  const rows = await rowsOf(
    membershipRow,
    db
      .knex('console_members as m')
      .join('organizations as o', 'o.id', 'm.organization_id')
      .leftJoin('console_roles as r', { 'r.organization_id': 'm.organization_id', 'r.role': 'm.role' })
      .where('m.user_id', userId)
      .orderBy(['m.created_at', 'm.id'])
      .select('m.organization_id', 'o.name as organization_name', 'm.role', 'r.label', 'r.permission'),
  );
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
export async function organizationsOfEmail(db: Database, email: string): Promise<string[]> {
  return await rowsOf(
    z.string(),
    db
      .knex('console_members as m')
      .join('console_users as u', 'u.id', 'm.user_id')
      .where('u.email', email)
      .orderBy('m.created_at')
      .pluck('m.organization_id'),
  );
}

/**
 * @param you id of the user to whom the list is shown
 * @returns the members, in the order in which they joined
 */
export async function listMembers(db: Database, organizationId: string, you: string): Promise<Member[]> {
  const rows = await rowsOf(
    memberRow,
    db
      .knex('console_members as m')
      .join('console_users as u', 'u.id', 'm.user_id')
      .leftJoin('console_roles as r', { 'r.organization_id': 'm.organization_id', 'r.role': 'm.role' })
      .where('m.organization_id', organizationId)
      .orderBy(['m.created_at', 'm.id'])
      .select(
        ...['m.id', 'm.user_id', 'u.name', 'u.email', 'm.role', 'r.label', 'r.permission', 'm.created_at'],
        'u.two_factor_enabled as second_factor',
        db.knex
          .raw(`(select count(*) from api_tokens t where t.organization_id = m.organization_id and (t.created_by = m.user_id or t.rotated_by = m.user_id)
        and ${isActiveToken}) as active_tokens`),
      ),
  );
  return rows.map(({ role, label, permission, created_at, ...row }) => ({
    ...row,
    role_id: role,
    role_name: roleFrom({ role, label, permission }).roleName,
    created_at: created_at.toISOString(),
    is_you: row.user_id === you,
  }));
}

/** @returns the built-in administrator first, then the custom roles by name, each with its number of members */
export async function listRoles(db: Database, organizationId: string): Promise<Role[]> {
  const counts = await rowsOf(
    memberCount,
    db
      .knex('console_members')
      .where({ organization_id: organizationId })
      .groupBy('role')
      .select('role')
      .count('* as members'),
  );
  const members = new Map(counts.map((row) => [row.role, row.members]));
  const rows = await rowsOf(
    roleColumns,
    db
      .knex('console_roles')
      .where({ organization_id: organizationId })
      .orderByRaw('lower(label)')
      .select('role', 'label', 'permission'),
  );
  return [{ role: administratorRole, label: null, permission: null }, ...rows].map((row) => {
    const { roleName, capabilities } = roleFrom(row);
    return {
      id: row.role,
      name: roleName,
      built_in: row.role === administratorRole,
      capabilities: [...capabilities],
      members: members.get(row.role) ?? 0,
    };
  });
}
