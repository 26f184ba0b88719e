/** Reads, locks and revokes pending invitations directly in Postgres; better-auth creates and accepts them. */
import { z } from 'zod';
import type { Invitation } from '../../../contract/accounts/invitations.ts';
import { administratorRole } from '../../../contract/accounts/capabilities.ts';
import {
  queryRow,
  queryRows,
  rowOf,
  rowsOf,
  statement,
  type Database,
  type Transaction,
} from '../database.ts';
import { administratorName } from './members.ts';

const pendingRow = z.object({
  id: z.string(),
  organization_id: z.string(),
  organization_name: z.string(),
  email: z.string(),
  role: z.string(),
  label: z.string().nullable(),
  inviter_id: z.string(),
  invited_by: z.string(),
  created_at: z.date(),
  expires_at: z.date(),
});
const emailRow = z.object({ email: z.string() });

/** Selects pending invitations, except those whose role was deleted. */
const pending = `
  select i.id, i.organization_id, o.name as organization_name, i.email, i.role, r.label, i.inviter_id, u.email as invited_by,
      i.created_at, i.expires_at
    from console_invitations i join organizations o on o.id = i.organization_id join console_users u on u.id = i.inviter_id
      left join console_roles r on r.organization_id = i.organization_id and r.role = i.role
    where i.status = 'pending' and (i.role = '${administratorRole}' or r.role is not null)`;
const ofOrganization = statement('list-invitations', pendingRow)`
  ${pending} and i.organization_id = $1 order by i.created_at desc, i.id desc`;
const open = statement('find-open-invitation', pendingRow)`
  ${pending} and i.token_hash = $1 and i.expires_at > clock_timestamp()`;

/** @returns the invitations that `pending` selects for the organization, newest first, including expired ones */
export async function listInvitations(db: Database, organizationId: string): Promise<Invitation[]> {
  return (await queryRows(db, ofOrganization, [organizationId])).map(viewOf);
}

export interface OpenInvitation extends Invitation {
  organizationId: string;
  organizationName: string;
  inviterId: string;
}

/**
 * Finds an invitation that can be accepted.
 * @param tokenHash the hash of the secret in the invitation's link
 * @returns undefined if the invitation is unknown, accepted, revoked or expired, or its role was deleted
 */
export async function findOpenInvitation(
  db: Database,
  tokenHash: string,
): Promise<OpenInvitation | undefined> {
  const row = await queryRow(db, open, [tokenHash]);
  if (row === undefined) return undefined;
  const { organization_id: organizationId, organization_name: organizationName } = row;
  return { ...viewOf(row), organizationId, organizationName, inviterId: row.inviter_id };
}

/**
 * Locks an invitation and its email until the transaction ends. Other transactions that lock an invitation for the same
 * email wait, because two of them could otherwise create the same account.
 * @returns true if the invitation is pending; false if it is not, or does not exist
 */
export async function lockInvitation(tx: Transaction, id: string): Promise<boolean> {
  const open = await rowOf(
    emailRow,
    tx.knex('console_invitations').where({ id, status: 'pending' }).forUpdate().first('email'),
  );
  if (open === undefined) return false;
  const account = `account of ${open.email.toLowerCase()}`;
  await tx.knex.raw('select pg_advisory_xact_lock(hashtextextended(?, 0))', [account]);
  return true;
}

/**
 * Revokes the expired invitations of an email to an organization, so that a new one replaces them; better-auth revokes
 * only one that has not expired.
 */
export async function revokeExpiredInvitations(
  tx: Transaction,
  organizationId: string,
  email: string,
): Promise<void> {
  await tx
    .knex('console_invitations')
    .where({ organization_id: organizationId, email: email.toLowerCase(), status: 'pending' })
    .where('expires_at', '<=', tx.knex.fn.now())
    .update({ status: 'canceled' });
}

/** Revokes the pending invitations that a member made in an organization. @returns the invited emails */
export async function revokeInvitationsOf(
  db: Database,
  organizationId: string,
  userId: string,
): Promise<string[]> {
  const revoked = await rowsOf(
    emailRow,
    db
      .knex('console_invitations')
      .where({ organization_id: organizationId, inviter_id: userId, status: 'pending' })
      .update({ status: 'canceled' })
      .returning('email'),
  );
  return revoked.map(({ email }) => email);
}

function viewOf(row: z.infer<typeof pendingRow>): Invitation {
  return {
    id: row.id,
    email: row.email,
    role_id: row.role,
    role_name: row.label ?? administratorName,
    invited_by: row.invited_by,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    expired: row.expires_at.getTime() <= Date.now(),
  };
}
