/** Endpoints for invitations by email. Without a mail server, the response contains the link, to be passed on. */
import { recordAudit } from '../../../adapters/postgres/accounts/audit-log.ts';
import { inAccountTransaction } from '../../../adapters/postgres/database.ts';
import { z } from 'zod';
import { cancelInvitation, invite as makeInvitation } from '../../../adapters/accounts/invitations.ts';
import {
  listInvitations as findInvitations,
  revokeExpiredInvitations,
} from '../../../adapters/postgres/accounts/invitations.ts';
import {
  createdInvitation,
  invitation,
  inviteForm,
  type Invitation,
} from '../../../contract/accounts/invitations.ts';
import { orNotFound, PublicError } from '../../../contract/errors.ts';
import { defineEndpoint } from '../../endpoint.ts';
import type { ApiDeps } from '../../deps.ts';
import { roleToGive } from '../../accounts/role-to-give.ts';

const params = z.object({ id: z.uuid() });
const shared = { auth: 'session', capability: 'members.manage' } as const;

async function findInvitation({ db }: ApiDeps, organizationId: string, id: string): Promise<Invitation> {
  return orNotFound((await findInvitations(db, organizationId)).find((one) => one.id === id.toLowerCase()));
}

export const listInvitations = defineEndpoint({
  ...shared,
  request: 'GET /invitations',
  answers: { 200: z.object({ data: z.array(invitation) }) },
  handle: async ({ caller: person }, { db }, respond) =>
    respond(200, { data: await findInvitations(db, person.organizationId) }),
});

export const inviteMember = defineEndpoint({
  ...shared,
  request: 'POST /invitations',
  sometimes: 'each capability of the role',
  body: inviteForm,
  answers: { 201: createdInvitation },
  handle: async ({ caller: person, body, visit }, deps, respond) => {
    const { organizationId } = person;
    const role = await roleToGive(deps, person, body.role_id);
    await deps.mails.demand(organizationId, body.email);
    const made = await inAccountTransaction(deps.db, async (tx) => {
      await revokeExpiredInvitations(tx, organizationId, body.email);
      const wanted = { organizationId, email: body.email, role: role.id };
      const invited = await makeInvitation(deps.authIn(tx), visit.headers, wanted);
      if (invited.outcome === 'invited')
        await recordAudit(tx, person, 'invitation_created', `${body.email} as ${role.name}`);
      return invited;
    });
    if (made.outcome === 'member') {
      throw new PublicError('conflict', { sentence: 'This person is already a member.' });
    }
    if (made.outcome === 'too_many') {
      throw new PublicError('invalid_state', {
        sentence: 'Too many invitations are open. Revoke some first.',
      });
    }
    // Browsers do not send the part after the #, so the secret appears in no server log and no Referer header.
    const link = `${deps.origin}/invitation#${made.secret}`;
    const mail = await deps.mails.invite(organizationId, body.email, link);
    return respond(201, {
      ...(await findInvitation(deps, organizationId, made.id)),
      link: mail === 'off' ? link : null,
      mail,
    });
  },
});

export const revokeInvitation = defineEndpoint({
  ...shared,
  request: 'DELETE /invitations/{id}',
  params,
  handle: async ({ caller: person, params: { id }, visit }, deps) => {
    const found = await findInvitation(deps, person.organizationId, id);
    await inAccountTransaction(deps.db, async (tx) => {
      await cancelInvitation(deps.authIn(tx), visit.headers, found.id);
      await recordAudit(tx, person, 'invitation_revoked', found.email);
    });
  },
});
