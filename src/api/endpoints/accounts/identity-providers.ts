/** Endpoints for signing in at an OpenID Connect provider. Such a sign-in can also accept an invitation. */
import { z } from 'zod';
import type { Identity } from '../../../adapters/accounts/identity-providers.ts';
import {
  findPending,
  forgetPending,
  isLinked,
  keepPending,
  leaveToIdentity,
  linkOnce,
  signInIdentified,
} from '../../../adapters/accounts/identity-sign-in.ts';
import {
  createPersonWithoutPassword,
  findAccount,
  findSession,
  type Challenged,
  type SignedIn,
} from '../../../adapters/accounts/people.ts';
import { findSecondFactor, lockAccount } from '../../../adapters/postgres/accounts/accounts.ts';
import { recordForAccount } from '../../../adapters/postgres/accounts/audit-log.ts';
import { membershipsOf } from '../../../adapters/postgres/accounts/members.ts';
import { inAccountTransaction } from '../../../adapters/postgres/database.ts';
import {
  beginForm,
  begunSignIn,
  finishForm,
  signInOffer,
  type IdentityProvider,
} from '../../../contract/accounts/identity-providers.ts';
import { codeNeeded, email as emailForm, personName } from '../../../contract/accounts/session.ts';
import { orNotFound, PublicError } from '../../../contract/errors.ts';
import { linkedTarget, refuseOtherIdentity } from '../../accounts/linked-identity.ts';
import type { ApiDeps } from '../../deps.ts';
import { defineEndpoint, type Visit } from '../../endpoint.ts';
import { codeFirst, demandOpen, findOffer, join } from './accept-invitation.ts';

const params = z.object({ id: z.string().max(32) });

export const listProviders = defineEndpoint({
  auth: 'open',
  request: 'GET /sign-in-providers',
  answers: { 200: signInOffer },
  handle: ({ body: _ }, { providers, mails }, respond) => {
    const data = providers.all.map(({ id, label }) => ({ id, label }));
    return Promise.resolve(respond(200, { data, mails_resets: mails.areSent }));
  },
});

/** Returns the URL of the provider's sign-in page. Sets a cookie with which `finishSignIn` checks the redirect. */
export const beginSignIn = defineEndpoint({
  auth: 'open',
  request: 'POST /sign-in-providers/{id}',
  params,
  body: beginForm,
  answers: { 200: begunSignIn },
  handle: async ({ params: { id }, body: { invitation }, visit }, deps, respond) => {
    const provider = providerOf(deps, id);
    if (invitation !== undefined) await findOffer(deps, invitation);
    const begun = await deps.passwords.call(visit.address, () => deps.providers.begin(provider));
    if (begun === undefined) throw away(provider);
    visit.setCookies([await keepPending(deps.auth, { ...begun.pending, invitation })]);
    return respond(200, { url: begun.url });
  },
});

/** Completes a sign-in with the parameters of the provider's redirect. Responds with 200 if a code must follow. */
export const finishSignIn = defineEndpoint({
  auth: 'open',
  request: 'POST /sign-in-providers/{id}/finish',
  params,
  body: finishForm,
  answers: { 200: codeNeeded, 204: z.undefined() },
  handle: async ({ params: { id }, body: { parameters }, visit }, deps, respond) => {
    const provider = providerOf(deps, id);
    const pending = await findPending(deps.auth, visit.headers);
    // Deletes the cookie first, even if the sign-in then fails, so that each attempt must begin again.
    visit.setCookies([await forgetPending(deps.auth)]);
    if (pending?.provider !== id)
      throw new PublicError('invalid_state', { sentence: 'This sign-in has expired. Begin again.' });
    const person = await deps.passwords.visit(
      visit.address,
      async () => {
        const finished = await deps.providers.finish(provider, pending, parameters);
        if (finished.outcome === 'unreachable') throw away(provider);
        if (finished.outcome === 'refused')
          throw refusal(`${provider.label} did not confirm this sign-in. Begin again.`);
        return await signInWith(deps, visit, provider, finished.identity, pending.invitation);
      },
      isChallenged,
    );
    visit.setCookies(person.cookies);
    return isChallenged(person) ? respond(200, { second_factor: true }) : respond(204, undefined);
  },
});

const isChallenged = (person: SignedIn | Challenged): person is Challenged => 'needsCode' in person;

function providerOf({ providers }: ApiDeps, id: string): IdentityProvider {
  return orNotFound(providers.find(id));
}

const away = ({ label }: IdentityProvider) =>
  new PublicError('unavailable', { sentence: `${label} does not answer. Try again in a minute.` });

const refusal = (sentence: string) => new PublicError('unauthorized', { sentence });

const noAccount = (email: string) =>
  refusal(`There is no account for ${email}. Ask an administrator for an invitation.`);

/**
 * Signs in with the account whose email the provider has verified. Creates an account only for an invitation.
 * @param invitation secret of the invitation that the person accepts
 * @returns the signed-in person or, if the account has a second factor, a challenge
 * @throws PublicError unauthorized if the identity cannot sign in; not_found if the invitation cannot be accepted;
 * invalid_state if the invited account has a second factor; conflict if the account is a member already
 */
async function signInWith(
  deps: ApiDeps,
  visit: Visit,
  provider: IdentityProvider,
  identity: Identity,
  invitation: string | undefined,
): Promise<SignedIn | Challenged> {
  // Validates the email before it is converted to lower case, which turns some non-ASCII letters into ASCII letters.
  const parsed = emailForm.safeParse(identity.email);
  if (!parsed.success) throw refusal(`${provider.label} does not state a usable email.`);
  const email = parsed.data.toLowerCase();
  if (!identity.isVerified)
    throw refusal(`${provider.label} does not say that your email is verified. Verify it there first.`);
  const domain = email.slice(email.lastIndexOf('@') + 1);
  if (!provider.email_domains.some((one) => one === '*' || one === domain))
    throw refusal(`Emails of ${domain} cannot sign in with ${provider.label}.`);
  const offer = invitation === undefined ? undefined : await findOffer(deps, invitation);
  if (offer !== undefined && offer.email.toLowerCase() !== email)
    throw refusal(`The invitation is for ${offer.email}, but ${provider.label} states ${email}.`);
  return await refuseOtherIdentity(deps, { email, label: provider.label, address: visit.address }, () =>
    inAccountTransaction(deps.db, async (tx) => {
      const auth = deps.authIn(tx);
      if (offer !== undefined) await demandOpen(tx, offer);
      const known = await findAccount(auth, email);
      if (known === undefined && offer === undefined) throw noAccount(email);
      const userId =
        known ??
        (await createPersonWithoutPassword(auth, {
          email,
          name: nameFrom(identity.name) ?? email.split('@')[0] ?? email,
        }));
      await lockAccount(tx, userId);
      if (offer === undefined && (await membershipsOf(tx, userId)).length === 0) throw noAccount(email);
      const isNew = !(await isLinked(tx, userId, identity));
      const needsCode = (await findSecondFactor(tx, userId))?.isConfirmed === true;
      if (needsCode && offer !== undefined) throw codeFirst();
      const actor = { kind: 'person', userId, address: visit.address } as const;
      const target = linkedTarget(email, provider.label);
      // If the account has a second factor, it is not linked yet: signInWithCode links it after the code. Until then,
      // only the provider has confirmed who the person is.
      const links = isNew && !needsCode;
      let removed = false;
      if (links) {
        const isSignedIn = (await findSession(auth, visit.headers))?.userId === userId;
        removed = !isSignedIn && (await leaveToIdentity(tx, userId, actor));
        await linkOnce(tx, userId, identity);
      }
      const person = await signInIdentified(auth, visit.headers, userId, identity);
      if (isChallenged(person)) return person;
      const joined = offer === undefined ? person : await join(auth, tx, person, offer, visit);
      const change = removed ? `${target}, password removed` : target;
      if (links) await recordForAccount(tx, userId, actor, 'provider_linked', change);
      await recordForAccount(tx, userId, actor, 'signed_in', target);
      return joined;
    }),
  );
}

/** @returns the name that the provider states, at most 100 characters; undefined if it is missing or invalid */
function nameFrom(stated: string | undefined): string | undefined {
  const parsed = personName.safeParse(stated?.slice(0, 100));
  return parsed.success ? parsed.data : undefined;
}
