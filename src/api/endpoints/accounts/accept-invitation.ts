/** Opens an invitation link: shows the invitation and accepts it. */
import { recordAudit } from '../../../adapters/postgres/accounts/audit-log.ts';
import { inTransaction } from '../../../adapters/postgres/database.ts';
import { z } from 'zod';
import { acceptInvitation, hashOfInvitation } from '../../../adapters/accounts/invitations.ts';
import {
  createPerson,
  findSession,
  hasAccount,
  signIn as openSession,
  withCookies,
  type SignedIn,
} from '../../../adapters/accounts/people.ts';
import { findOpenInvitation, type OpenInvitation } from '../../../adapters/postgres/accounts/invitations.ts';
import { membershipsOf } from '../../../adapters/postgres/accounts/members.ts';
import {
  acceptForm,
  invitationToken,
  offeredInvitation,
  type OfferedInvitation,
} from '../../../contract/accounts/invitations.ts';
import { invalidField, PublicError } from '../../../contract/errors.ts';
import { password as passwordForm, personName } from '../../../contract/accounts/session.ts';
import { countSignIn } from '../../accounts/count-sign-in.ts';
import { defineEndpoint, type Visit } from '../../endpoint.ts';
import type { ApiDeps } from '../../deps.ts';

async function findOffer({ db }: ApiDeps, token: string): Promise<OpenInvitation> {
  const found = await findOpenInvitation(db, hashOfInvitation(token));
  if (found === undefined) {
    throw new PublicError('not_found', {
      sentence:
        'This invitation is no longer open: it was accepted or revoked, or it has expired. Ask for a new one.',
    });
  }
  return found;
}

async function accountOf(
  { auth }: ApiDeps,
  email: string,
  visit: Visit,
): Promise<OfferedInvitation['account']> {
  const session = await findSession(auth, visit.headers);
  if (session?.email.toLowerCase() === email.toLowerCase()) return 'signed_in';
  return (await hasAccount(auth, email)) ? 'known' : 'new';
}

export const getOffer = defineEndpoint({
  auth: 'open',
  method: 'post',
  path: '/invitation',
  body: invitationToken,
  answers: { 200: offeredInvitation },
  handle: async ({ body, visit }, deps, respond) => {
    const { email, role_name, invited_by, expires_at, organizationName } = await findOffer(deps, body.token);
    return respond(200, {
      ...{ email, role_name, invited_by, expires_at, organization: organizationName },
      account: await accountOf(deps, email, visit),
    });
  },
});

export const acceptOffer = defineEndpoint({
  auth: 'open',
  method: 'post',
  path: '/invitation/accept',
  body: acceptForm,
  answers: { 204: z.undefined() },
  handle: async ({ body, visit }, deps, respond) => {
    const offer = await findOffer(deps, body.token);
    const person = await personFor(deps, offer, body, visit);
    const { organizationId } = offer;
    if ((await membershipsOf(deps.db, person.userId)).some((one) => one.organizationId === organizationId)) {
      throw new PublicError('conflict', { sentence: 'You are already a member of this organization.' });
    }
    await inTransaction(deps.db, async (tx) => {
      const headers = withCookies(visit.headers, person.cookies);
      if (!(await acceptInvitation(deps.authIn(tx), headers, offer.id))) throw new PublicError('not_found');
      const actor = {
        kind: 'person',
        organizationId,
        userId: person.userId,
        address: visit.address,
      } as const;
      await recordAudit(tx, actor, 'invitation_accepted', `${offer.email} as ${offer.role_name}`);
    });
    visit.setCookies(person.cookies);
    return respond(204, undefined);
  },
});

/**
 * Returns the user who is signed in with the invited email. Otherwise signs in, and first creates an account if there
 * is none.
 */
async function personFor(
  deps: ApiDeps,
  { email }: OpenInvitation,
  { name, password = '' }: z.output<typeof acceptForm>,
  visit: Visit,
): Promise<SignedIn> {
  const { auth } = deps;
  const account = await accountOf(deps, email, visit);
  if (account === 'signed_in') {
    const session = await findSession(auth, visit.headers);
    if (session !== undefined) return session;
  }
  if (account === 'new') {
    const problem = passwordForm.safeParse(password).error?.issues[0]?.message;
    if (problem !== undefined) throw invalidField('password', problem);
    const named = personName.safeParse(name);
    if (!named.success) throw invalidField('name', 'must not be empty');
    await createPerson(auth, { email, password, name: named.data });
  }
  const attempt = await countSignIn(deps, visit, email);
  const person = await openSession(auth, visit.headers, { email, password });
  if (person === undefined) throw invalidField('password', 'is wrong');
  await deps.signInRate.forget(attempt);
  return person;
}
