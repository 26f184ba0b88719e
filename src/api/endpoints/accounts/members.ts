/** Members of the organization. Nobody can grant more capabilities than they have. */
import { recordAudit } from '../../../adapters/postgres/accounts/audit-log.ts';
import { inTransaction } from '../../../adapters/postgres/database.ts';
import { z } from 'zod';
import { createPerson } from '../../../adapters/accounts/people.ts';
import {
  addMember as insertMember,
  changeMemberRole,
  removeMember as deleteMember,
} from '../../../adapters/postgres/accounts/change-members.ts';
import {
  listMembers as findMembers,
  listRoles as findRoles,
} from '../../../adapters/postgres/accounts/members.ts';
import { revokeTokensOf } from '../../../adapters/postgres/accounts/tokens.ts';
import {
  addMemberForm,
  changeMemberForm,
  member,
  removeMemberQuery,
  type Member,
} from '../../../contract/accounts/members.ts';
import { PublicError } from '../../../contract/errors.ts';
import { defineEndpoint } from '../../endpoint.ts';
import type { ApiDeps } from '../../deps.ts';
import type { PersonCaller } from '../../caller.ts';
import { demand } from '../../accounts/person.ts';
import { roleToGive } from '../../accounts/role-to-give.ts';

const params = z.object({ id: z.uuid() });

async function findMember({ db }: ApiDeps, person: PersonCaller, id: string): Promise<Member> {
  const all = await findMembers(db, person.organizationId, person.userId);
  const found = all.find((one) => one.id === id.toLowerCase());
  if (found === undefined) throw new PublicError('not_found');
  return found;
}

/** A user cannot change a member who has capabilities that the user cannot grant. */
async function memberToChange(deps: ApiDeps, person: PersonCaller, id: string): Promise<Member> {
  const found = await findMember(deps, person, id);
  const role = (await findRoles(deps.db, person.organizationId)).find((one) => one.id === found.role_id);
  for (const capability of role?.capabilities ?? []) demand(person, capability);
  return found;
}

export const listMembers = defineEndpoint({
  auth: 'session',
  method: 'get',
  path: '/members',
  capability: 'members.manage',
  answers: { 200: z.object({ data: z.array(member) }) },
  handle: async ({ caller: person }, { db }, respond) =>
    respond(200, { data: await findMembers(db, person.organizationId, person.userId) }),
});

export const addMember = defineEndpoint({
  auth: 'session',
  method: 'post',
  path: '/members',
  capability: 'members.manage',
  body: addMemberForm,
  answers: { 201: member },
  handle: async ({ caller: person, body }, deps, respond) => {
    const role = await roleToGive(deps, person, body.role_id);
    const name = body.email.split('@')[0] ?? body.email;
    const made = await inTransaction(deps.db, async (tx) => {
      const account = { email: body.email, password: body.password, name };
      const created = await createPerson(deps.authIn(tx), account);
      if (created === undefined) {
        throw new PublicError('conflict', {
          sentence: 'An account with this email already exists. Invite the person instead.',
        });
      }
      await insertMember(tx, person.organizationId, created.userId, role.id);
      await recordAudit(tx, person, 'member_added', `${body.email} as ${role.name}`);
      return created;
    });
    const all = await findMembers(deps.db, person.organizationId, person.userId);
    const added = all.find((one) => one.user_id === made.userId);
    if (added === undefined) throw new Error('the new member is not among the members');
    return respond(201, added);
  },
});

export const changeMember = defineEndpoint({
  auth: 'session',
  method: 'patch',
  path: '/members/{id}',
  capability: 'members.manage',
  params,
  body: changeMemberForm,
  answers: { 200: member },
  handle: async ({ caller: person, params: { id }, body }, deps, respond) => {
    const found = await memberToChange(deps, person, id);
    const role = await roleToGive(deps, person, body.role_id);
    await inTransaction(deps.db, async (tx) => {
      if (!(await changeMemberRole(tx, person.organizationId, found.id, role.id)))
        throw new PublicError('not_found');
      const target = `${found.email}: ${found.role_name} → ${role.name}`;
      await recordAudit(tx, person, 'member_role_changed', target);
    });
    return respond(200, await findMember(deps, person, id));
  },
});

export const removeMember = defineEndpoint({
  auth: 'session',
  method: 'delete',
  path: '/members/{id}',
  capability: 'members.manage',
  params,
  query: removeMemberQuery,
  answers: { 204: z.undefined() },
  handle: async ({ caller: person, params: { id }, query }, deps, respond) => {
    const revokes = query.revoke_tokens === 'true';
    if (revokes) demand(person, 'tokens.create');
    const found = await memberToChange(deps, person, id);
    await inTransaction(deps.db, async (tx) => {
      if (!(await deleteMember(tx, person.organizationId, found.id))) throw new PublicError('not_found');
      await recordAudit(tx, person, 'member_removed', found.email);
      const revoked = revokes ? await revokeTokensOf(tx, person.organizationId, found.user_id) : [];
      for (const { name, prefix } of revoked)
        await recordAudit(tx, person, 'token_revoked', `${name} (${prefix}…)`);
    });
    return respond(204, undefined);
  },
});
