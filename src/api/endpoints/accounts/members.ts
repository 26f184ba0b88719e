/** Endpoints for the organization's members. Users cannot grant more capabilities than they have. */
import { actorOf, recordAudit, recordForAccount } from '../../../adapters/postgres/accounts/audit-log.ts';
import { inAccountTransaction, type Transaction } from '../../../adapters/postgres/database.ts';
import { z } from 'zod';
import { makeResetLink } from '../../../adapters/accounts/password-resets.ts';
import {
  deleteAccountWithoutMembership,
  dropPasswordReset,
  dropPasswordResetsOfMembers,
  endSessions,
  lockAccount,
} from '../../../adapters/postgres/accounts/accounts.ts';
import { listIssuers } from '../../../adapters/postgres/accounts/identities.ts';
import { revokeInvitationsOf } from '../../../adapters/postgres/accounts/invitations.ts';
import {
  changeMemberRole,
  removeMember as deleteMember,
} from '../../../adapters/postgres/accounts/change-members.ts';
import {
  listMembers as findMembers,
  listRoles as findRoles,
} from '../../../adapters/postgres/accounts/members.ts';
import { revokeTokensOf } from '../../../adapters/postgres/accounts/tokens.ts';
import {
  changeMemberForm,
  member,
  removeMemberQuery,
  type Member,
} from '../../../contract/accounts/members.ts';
import type { AuditAction } from '../../../contract/accounts/audit.ts';
import { passwordReset } from '../../../contract/accounts/password-reset.ts';
import { orNotFound, PublicError } from '../../../contract/errors.ts';
import { defineEndpoint } from '../../endpoint.ts';
import type { ApiDeps } from '../../deps.ts';
import type { PersonCaller } from '../../caller.ts';
import { demand } from '../../accounts/person.ts';
import { roleToGive } from '../../accounts/role-to-give.ts';

const shared = { auth: 'session', capability: 'members.manage' } as const;
const params = z.object({ id: z.uuid() });

async function findMember({ db }: ApiDeps, person: PersonCaller, id: string): Promise<Member> {
  const all = await findMembers(db, person.organizationId, person.userId);
  return orNotFound(all.find((one) => one.id === id.toLowerCase()));
}

/**
 * Finds a member, and checks that the user may change them: the user must have each of the member's capabilities.
 * @throws PublicError not_found if there is no such member; forbidden if the user lacks a capability of the member
 */
async function memberToChange(deps: ApiDeps, person: PersonCaller, id: string): Promise<Member> {
  const found = await findMember(deps, person, id);
  const role = (await findRoles(deps.db, person.organizationId)).find((one) => one.id === found.role_id);
  for (const capability of role?.capabilities ?? []) demand(person, capability);
  return found;
}

export const listMembers = defineEndpoint({
  ...shared,
  request: 'GET /members',
  answers: { 200: z.object({ data: z.array(member) }) },
  handle: async ({ caller: person }, { db }, respond) =>
    respond(200, { data: await findMembers(db, person.organizationId, person.userId) }),
});

export const changeMember = defineEndpoint({
  ...shared,
  request: 'PATCH /members/{id}',
  sometimes: 'each capability of the member, before and after',
  params,
  body: changeMemberForm,
  answers: { 200: member },
  handle: async ({ caller: person, params: { id }, body }, deps, respond) => {
    const found = await memberToChange(deps, person, id);
    const role = await roleToGive(deps, person, body.role_id);
    await inAccountTransaction(deps.db, async (tx) => {
      if (!(await changeMemberRole(tx, person.organizationId, found.id, role.id)))
        throw new PublicError('not_found');
      // Whoever has an administrator's earlier reset link of the account must not get the capabilities of its new role.
      await dropPasswordReset(tx, found.user_id, 'given');
      const target = `${found.email}: ${found.role_name} → ${role.name}`;
      await recordAudit(tx, person, 'member_role_changed', target);
    });
    return respond(200, await findMember(deps, person, id));
  },
});

export const removeMember = defineEndpoint({
  ...shared,
  request: 'DELETE /members/{id}',
  sometimes: 'each capability of the member; `tokens.create`, to revoke their tokens too',
  params,
  query: removeMemberQuery,
  handle: async ({ caller: person, params: { id }, query }, deps) => {
    const revokes = query.revoke_tokens === 'true';
    if (revokes) demand(person, 'tokens.create');
    const found = await memberToChange(deps, person, id);
    await inAccountTransaction(deps.db, async (tx) => {
      if (!(await deleteMember(tx, person.organizationId, found.id))) throw new PublicError('not_found');
      // Must precede the deletion of the account, which clears `created_by` and `rotated_by` of the tokens. Otherwise,
      // the tokens would not be found and would stay valid.
      const revoked = revokes ? await revokeTokensOf(tx, person.organizationId, found.user_id) : [];
      const uninvited = await revokeInvitationsOf(tx, person.organizationId, found.user_id);
      await dropPasswordResetsOfMembers(tx, person.organizationId);
      const deleted = await deleteAccountWithoutMembership(tx, found.user_id);
      await recordAudit(tx, person, 'member_removed', `${found.email}${deleted ? ', with the account' : ''}`);
      for (const { name, prefix } of revoked)
        await recordAudit(tx, person, 'token_revoked', `${name} (${prefix}…)`);
      for (const email of uninvited) await recordAudit(tx, person, 'invitation_revoked', email);
    });
  },
});

/**
 * Creates a link with which the member chooses a new password. Mails the link to the member or, without a mail server,
 * returns it.
 */
export const resetMember = defineEndpoint({
  ...shared,
  request: 'POST /members/{id}/reset',
  sometimes: 'each capability of the member',
  params,
  answers: { 201: passwordReset },
  handle: async ({ caller: person, params: { id } }, deps, respond) => {
    const found = await memberToChange(deps, person, id);
    await deps.mails.demand(person.organizationId, found.email);
    const action = 'password_reset_created';
    const { link, expires_at } = await changeAccountOf(
      deps,
      person,
      found,
      action,
      async (tx, organizations) => {
        // Without a mail server, the caller gets the link, and could enter the member's other organizations with it.
        if (organizations > 1 && !deps.mails.areSent)
          throw new PublicError('invalid_state', {
            sentence:
              'This person belongs to other organizations too, which the link would open. Ask the operator for `parley admin reset`.',
          });
        // Without a mail server, the caller gets the link and could choose the password. A member who signs in at an
        // identity provider would not notice.
        if (!deps.mails.areSent && (await listIssuers(tx, found.user_id)).length > 0)
          throw new PublicError('invalid_state', {
            sentence:
              'This person signs in at an identity provider. Ask the operator for `parley admin reset` if they need a password.',
          });
        return await makeResetLink(tx, found.user_id, actorOf(person), deps.origin);
      },
    );
    const mail = await deps.mails.reset(person.organizationId, found.email, link);
    return respond(201, { link: mail === 'off' ? link : null, mail, expires_at });
  },
});

/** Ends all sessions of the member, and sign-ins that wait for a second factor. The member can sign in again. */
export const signOutMember = defineEndpoint({
  ...shared,
  request: 'POST /members/{id}/sign-out',
  sometimes: 'each capability of the member',
  params,
  handle: async ({ caller: person, params: { id } }, deps) => {
    const found = await memberToChange(deps, person, id);
    await changeAccountOf(deps, person, found, 'sessions_ended', (tx) => endSessions(tx, found.user_id));
  },
});

/**
 * Changes a member's account, which all of the member's organizations share, and records the audit event in each of
 * these organizations.
 * @param change makes the change; gets the number of these organizations. If it throws, nothing is recorded.
 * @returns the result of `change`
 */
async function changeAccountOf<T>(
  { db }: ApiDeps,
  person: PersonCaller,
  { user_id: userId, email }: Member,
  action: AuditAction,
  change: (tx: Transaction, organizations: number) => Promise<T>,
): Promise<T> {
  return await inAccountTransaction(db, async (tx) => {
    // Until the transaction ends, this account cannot be added to another organization.
    await lockAccount(tx, userId);
    return await change(tx, await recordForAccount(tx, userId, person, action, email));
  });
}
