/**
 * Endpoints for custom roles, each with a name and capabilities. The role Administrator is built in and cannot be
 * changed.
 */
import { recordAudit } from '../../../adapters/postgres/accounts/audit-log.ts';
import { inTransaction, type Database } from '../../../adapters/postgres/database.ts';
import { z } from 'zod';
import {
  changeRole as updateRole,
  createRole as insertRole,
  deleteRole as removeRole,
  lockRole,
} from '../../../adapters/postgres/accounts/change-members.ts';
import { listRoles as findRoles } from '../../../adapters/postgres/accounts/members.ts';
import type { Capability } from '../../../contract/accounts/capabilities.ts';
import { role, roleForm, type Role } from '../../../contract/accounts/members.ts';
import { orNotFound, PublicError } from '../../../contract/errors.ts';
import { changeText, listChangeText } from '../../../domain/accounts/change-text.ts';
import { defineEndpoint } from '../../endpoint.ts';
import type { PersonCaller } from '../../caller.ts';
import { demand } from '../../accounts/person.ts';

const shared = { auth: 'session', capability: 'members.manage' } as const;
const params = z.object({ id: z.uuid() });

async function findRole(db: Database, { organizationId }: PersonCaller, id: string): Promise<Role> {
  return orNotFound((await findRoles(db, organizationId)).find((one) => one.id === id && !one.built_in));
}

function demandAll(person: PersonCaller, capabilities: readonly Capability[]): void {
  for (const capability of capabilities) demand(person, capability);
}

export const listRoles = defineEndpoint({
  ...shared,
  request: 'GET /roles',
  answers: { 200: z.object({ data: z.array(role) }) },
  handle: async ({ caller: person }, { db }, respond) =>
    respond(200, { data: await findRoles(db, person.organizationId) }),
});

export const createRole = defineEndpoint({
  ...shared,
  request: 'POST /roles',
  sometimes: 'each capability of the role',
  body: roleForm,
  answers: { 201: role },
  handle: async ({ caller: person, body }, deps, respond) => {
    demandAll(person, body.capabilities);
    const id = await inTransaction(deps.db, async (tx) => {
      const made = await insertRole(tx, person.organizationId, body);
      await recordAudit(tx, person, 'role_created', body.name);
      return made;
    });
    return respond(201, await findRole(deps.db, person, id));
  },
});

export const changeRole = defineEndpoint({
  ...shared,
  request: 'PATCH /roles/{id}',
  sometimes: 'each capability of the role, before and after',
  params,
  body: roleForm,
  answers: { 200: role },
  handle: async ({ caller: person, params: { id }, body }, deps, respond) => {
    const found = await findRole(deps.db, person, id.toLowerCase());
    demandAll(person, [...found.capabilities, ...body.capabilities]);
    await inTransaction(deps.db, async (tx) => {
      await lockRole(tx, person.organizationId, found.id);
      const before = await findRole(tx, person, found.id);
      await updateRole(tx, person.organizationId, found.id, body);
      const capabilities = listChangeText(before.capabilities, body.capabilities);
      const target = `${changeText(before.name, body.name)}${capabilities === '' ? '' : `: ${capabilities}`}`;
      await recordAudit(tx, person, 'role_changed', target);
    });
    return respond(200, await findRole(deps.db, person, found.id));
  },
});

export const deleteRole = defineEndpoint({
  ...shared,
  request: 'DELETE /roles/{id}',
  sometimes: 'each capability of the role',
  params,
  handle: async ({ caller: person, params: { id } }, deps) => {
    const found = await findRole(deps.db, person, id.toLowerCase());
    demandAll(person, found.capabilities);
    await inTransaction(deps.db, async (tx) => {
      if (!(await removeRole(tx, person.organizationId, found.id))) throw new PublicError('not_found');
      await recordAudit(tx, person, 'role_deleted', found.name);
    });
  },
});
