/** Changes members and roles. An organization never loses its last administrator. */
import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { administratorRole, type Capability } from '../../../contract/accounts/capabilities.ts';
import { PublicError } from '../../../contract/errors.ts';
import { statementsOf } from '../../accounts/access.ts';
import { idRow, orConflict, rowOf, rowsOf, type Database, type Transaction } from '../database.ts';

interface MemberRow {
  id: string;
  organization_id: string;
  user_id: string;
  role: string;
}
interface RoleRow {
  id: string;
  organization_id: string;
  role: string;
  label: string;
  permission: string;
  updated_at: Date;
}

/**
 * Gives a member another role.
 * @returns false if there is no such member
 * @throws PublicError invalid_state if there is no such role, or if the member is the last administrator and would get
 * another role
 */
export async function changeMemberRole(
  db: Database,
  organizationId: string,
  id: string,
  role: string,
): Promise<boolean> {
  return await db.knex.transaction(async (trx) => {
    if (role !== administratorRole) {
      // The lock makes a concurrent deleteRole wait until the member has the role, so that deleteRole refuses.
      const given = await rowOf(
        idRow,
        trx<RoleRow>('console_roles').where({ organization_id: organizationId, role }).forShare().first('id'),
      );
      if (given === undefined) {
        throw new PublicError('invalid_state', {
          sentence: 'This role has been deleted. Choose another one.',
        });
      }
      await keepAnAdministrator(trx, organizationId, id);
    }
    return (await trx('console_members').where({ id, organization_id: organizationId }).update({ role })) > 0;
  });
}

/**
 * Deletes a membership.
 * @returns false if there is no such member
 * @throws PublicError invalid_state if the member is the last administrator
 */
export async function removeMember(db: Database, organizationId: string, id: string): Promise<boolean> {
  return await db.knex.transaction(async (trx) => {
    await keepAnAdministrator(trx, organizationId, id);
    return (await trx('console_members').where({ id, organization_id: organizationId }).delete()) > 0;
  });
}

/** Refuses to remove the last administrator. @throws PublicError invalid_state if the member is the only one */
async function keepAnAdministrator(trx: Knex.Transaction, organizationId: string, id: string): Promise<void> {
  // Locks the rows of all administrators. Otherwise, if two of them leave at the same time, each transaction would
  // count the other one as remaining. All transactions lock the rows in the same order, so that they do not deadlock.
  const administrators = await rowsOf(
    idRow,
    trx<MemberRow>('console_members')
      .where({ organization_id: organizationId, role: administratorRole })
      .orderBy('id')
      .forUpdate()
      .select('id'),
  );
  if (administrators.length === 1 && administrators[0]?.id === id) {
    throw new PublicError('invalid_state', {
      sentence: 'This is the last administrator. Give somebody else the role first.',
    });
  }
}

const uniqueLabel = 'console_roles_label';

interface RoleForm {
  name: string;
  capabilities: readonly Capability[];
}

/**
 * Creates a role.
 * @returns the role's id, which members with this role have in `console_members.role`
 * @throws PublicError conflict if the name is taken
 */
export async function createRole(db: Database, organizationId: string, form: RoleForm): Promise<string> {
  const role = randomUUID();
  await orConflict(uniqueLabel, () =>
    db.knex('console_roles').insert({ organization_id: organizationId, role, ...columnsOf(form) }),
  );
  return role;
}

/** Locks a role until the transaction ends, so that no other change comes between what is read and what is written. */
export async function lockRole(tx: Transaction, organizationId: string, role: string): Promise<void> {
  await tx.knex('console_roles').where({ organization_id: organizationId, role }).forUpdate().select('id');
}

/**
 * Replaces a role's name and capabilities.
 * @returns false if there is no such role
 * @throws PublicError conflict if the name is taken
 */
export async function changeRole(
  db: Database,
  organizationId: string,
  role: string,
  form: RoleForm,
): Promise<boolean> {
  const roles = db.knex<RoleRow>('console_roles').where({ organization_id: organizationId, role });
  const change = { ...columnsOf(form), updated_at: new Date() };
  return (await orConflict(uniqueLabel, () => roles.update(change))) > 0;
}

/**
 * Deletes a role.
 * @returns false if there is no such role
 * @throws PublicError invalid_state if a member has the role
 */
export async function deleteRole(db: Database, organizationId: string, role: string): Promise<boolean> {
  return await db.knex.transaction(async (trx) => {
    // Waits for a concurrent changeMemberRole that gives this role, and makes later ones wait until the role is
    // deleted. Accepting an invitation does not lock the role, so a new member can get the deleted role, which grants
    // nothing.
    await trx('console_roles').where({ organization_id: organizationId, role }).forUpdate().select('id');
    const carried = await rowOf(
      idRow,
      trx<MemberRow>('console_members').where({ organization_id: organizationId, role }).first('id'),
    );
    if (carried !== undefined) {
      throw new PublicError('invalid_state', {
        sentence: 'Members still have this role. Give them another role first.',
      });
    }
    return (await trx('console_roles').where({ organization_id: organizationId, role }).delete()) > 0;
  });
}

function columnsOf({ name, capabilities }: RoleForm): { label: string; permission: string } {
  return { label: name, permission: JSON.stringify(statementsOf(capabilities)) };
}
