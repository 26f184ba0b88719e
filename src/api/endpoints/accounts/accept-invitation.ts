/** Endpoints for the page of an invitation link: show the invitation, and accept it. */
import { recordAudit, recordForAccount } from '../../../adapters/postgres/accounts/audit-log.ts';
import {
  inAccountTransaction,
  type Database,
  type Transaction,
} from '../../../adapters/postgres/database.ts';
import type { Auth } from '../../../adapters/accounts/auth.ts';
import { dropPasswordReset, lockAccount } from '../../../adapters/postgres/accounts/accounts.ts';
import { z } from 'zod';
import { acceptInvitation, hashOfInvitation } from '../../../adapters/accounts/invitations.ts';
import {
  createPerson,
  findSession,
  signIn as openSession,
  withCookies,
  type SignedIn,
} from '../../../adapters/accounts/people.ts';
import {
  findOpenInvitation,
  lockInvitation,
  type OpenInvitation,
} from '../../../adapters/postgres/accounts/invitations.ts';
import { listRoles, membershipsOf } from '../../../adapters/postgres/accounts/members.ts';
import { acceptForm, invitationToken, offeredInvitation } from '../../../contract/accounts/invitations.ts';
import { invalidField, PublicError } from '../../../contract/errors.ts';
import { recordFailedSignIn } from '../../accounts/record-failed-sign-in.ts';
import { defineEndpoint, type Visit } from '../../endpoint.ts';
import type { ApiDeps } from '../../deps.ts';

const closed = () =>
  new PublicError('not_found', {
    sentence:
      'This invitation is no longer open: it was accepted or revoked, or it has expired. Ask for a new one.',
  });

/** @returns the error for an account with a second factor: the page of an invitation cannot ask for a code */
export const codeFirst = () =>
  new PublicError('invalid_state', {
    sentence: 'This account has a second factor. Sign in with it, then open this link again.',
  });

/**
 * Finds an open invitation by the secret in its link.
 * @throws PublicError not_found if the invitation is not open, or its inviter may no longer give the role
 */
export async function findOffer({ db }: ApiDeps, token: string): Promise<OpenInvitation> {
  const found = await findOpenInvitation(db, hashOfInvitation(token));
  if (found === undefined) throw closed();
  if (!(await mayStillInvite(db, found))) {
    throw new PublicError('not_found', {
      sentence: `${found.invited_by} may no longer invite you with this role. Ask somebody else for an invitation.`,
    });
  }
  return found;
}

/**
 * True if the inviter may still give the role. Without this check, someone who lost a role could still give it with a
 * link.
 */
async function mayStillInvite(
  db: Database,
  { organizationId, inviterId, role_id }: OpenInvitation,
): Promise<boolean> {
  const inviter = (await membershipsOf(db, inviterId)).find((one) => one.organizationId === organizationId);
  const role = (await listRoles(db, organizationId)).find(({ id }) => id === role_id);
  return ['members.manage' as const, ...(role?.capabilities ?? [])].every((capability) =>
    inviter?.capabilities.includes(capability),
  );
}

/** @returns the browser's session; undefined if nobody is signed in, or the user's email is not the invited one */
async function sessionOf({ auth }: ApiDeps, email: string, visit: Visit): Promise<SignedIn | undefined> {
  const session = await findSession(auth, visit.headers);
  return session?.email.toLowerCase() === email.toLowerCase() ? session : undefined;
}

export const getOffer = defineEndpoint({
  auth: 'open',
  request: 'POST /invitation',
  body: invitationToken,
  answers: { 200: offeredInvitation },
  handle: async ({ body, visit }, deps, respond) => {
    const { email, role_name, invited_by, expires_at, organizationName } = await findOffer(deps, body.token);
    return respond(200, {
      email,
      role_name,
      invited_by,
      expires_at,
      organization: organizationName,
      signed_in: (await sessionOf(deps, email, visit)) !== undefined,
    });
  },
});

export const acceptOffer = defineEndpoint({
  auth: 'open',
  request: 'POST /invitation/accept',
  body: acceptForm,
  handle: async ({ body, visit }, deps) => {
    const offer = await findOffer(deps, body.token);
    const session = await sessionOf(deps, offer.email, visit);
    const person =
      session === undefined
        ? await signInAndJoin(deps, offer, body, visit)
        : await inAccountTransaction(deps.db, (tx) => join(deps.authIn(tx), tx, session, offer, visit));
    if (person === undefined) {
      void recordFailedSignIn(deps, offer.email, visit.address);
      throw invalidField('password', 'is wrong');
    }
    visit.setCookies(person.cookies);
  },
});

/**
 * Creates the account of the invited email if there is none, signs in with it, and joins the organization. All of this
 * is one transaction, so that no account without an organization remains if a step fails.
 * @returns the signed-in user; undefined if the password is wrong
 * @throws PublicError validation_failed without a password; rate_limited as `PasswordGuard.attempt` does; invalid_state
 * if the account has a second factor; the errors of `demandOpen` and `join`
 */
async function signInAndJoin(
  deps: ApiDeps,
  offer: OpenInvitation,
  { name, password }: z.output<typeof acceptForm>,
  visit: Visit,
): Promise<SignedIn | undefined> {
  const { email } = offer;
  if (password === undefined) throw invalidField('password', 'must not be empty');
  return await deps.passwords.attempt(visit.address, email, () =>
    inAccountTransaction(deps.db, async (tx) => {
      const auth = deps.authIn(tx);
      await demandOpen(tx, offer);
      await createPerson(auth, { email, password, name: name ?? email.split('@')[0] ?? email });
      const person = await openSession(auth, visit.headers, { email, password });
      if (person === undefined) return undefined;
      // Thrown instead of returned, so that the transaction is rolled back.
      if ('needsCode' in person) throw codeFirst();
      const { userId } = person;
      const actor = { kind: 'person', userId, address: visit.address } as const;
      await recordForAccount(tx, userId, actor, 'signed_in', email);
      return await join(auth, tx, person, offer, visit);
    }),
  );
}

/**
 * Locks the invitation until the transaction ends. Must be called before the invited account is created, because two
 * concurrent calls could otherwise create the same account.
 * @throws PublicError not_found if the invitation was accepted or revoked
 */
export async function demandOpen(tx: Transaction, { id }: OpenInvitation): Promise<void> {
  if (!(await lockInvitation(tx, id))) throw closed();
}

/**
 * Accepts the invitation: makes the signed-in person a member, and deletes an administrator's reset link of the account.
 * @returns the person, unchanged
 * @throws PublicError conflict if the person is a member already; not_found if the invitation is no longer open
 */
export async function join(
  auth: Auth,
  tx: Transaction,
  person: SignedIn,
  { id, email, role_name, organizationId }: OpenInvitation,
  visit: Visit,
): Promise<SignedIn> {
  const { userId, cookies } = person;
  await lockAccount(tx, userId);
  if ((await membershipsOf(tx, userId)).some((one) => one.organizationId === organizationId)) {
    throw new PublicError('conflict', { sentence: 'You are already a member of this organization.' });
  }
  if (!(await acceptInvitation(auth, withCookies(visit.headers, cookies), id))) throw closed();
  // An administrator of another organization may have a reset link of this account. It must not give them access to
  // this organization.
  await dropPasswordReset(tx, userId, 'given');
  const actor = { kind: 'person', organizationId, userId, address: visit.address } as const;
  await recordAudit(tx, actor, 'invitation_accepted', `${email} as ${role_name}`);
  return person;
}
