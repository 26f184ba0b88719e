/** Endpoints for signing in at an OpenID Connect provider, also to accept an invitation. */
import { z } from 'zod';
import type { Identity } from '../../../adapters/accounts/identity-providers.ts';
import {
  findPending,
  forgetPending,
  keepPending,
  signInIdentified,
} from '../../../adapters/accounts/identity-sign-in.ts';
import {
  createPersonWithoutPassword,
  findAccount,
  type SignedIn,
} from '../../../adapters/accounts/people.ts';
import type { Challenged } from '../../../adapters/accounts/people.ts';
import { lockAccount } from '../../../adapters/postgres/accounts/accounts.ts';
import { recordForAccount } from '../../../adapters/postgres/accounts/audit-log.ts';
import {
  findSubject,
  findUserOfIdentity,
  linkIdentity,
} from '../../../adapters/postgres/accounts/identities.ts';
import { membershipsOf } from '../../../adapters/postgres/accounts/members.ts';
import { inAccountTransaction, type Transaction } from '../../../adapters/postgres/database.ts';
import {
  beginForm,
  begunSignIn,
  finishForm,
  offeredProvider,
  type IdentityProvider,
} from '../../../contract/accounts/identity-providers.ts';
import { codeNeeded, personName } from '../../../contract/accounts/session.ts';
import { PublicError } from '../../../contract/errors.ts';
import { recordFailedSignIn } from '../../accounts/record-failed-sign-in.ts';
import type { ApiDeps } from '../../deps.ts';
import { defineEndpoint, type Visit } from '../../endpoint.ts';
import { findOffer, join } from './accept-invitation.ts';

const params = z.object({ id: z.string().max(32) });

export const listProviders = defineEndpoint({
  auth: 'open',
  method: 'get',
  path: '/sign-in-providers',
  answers: { 200: z.object({ data: z.array(offeredProvider) }) },
  handle: ({ body: _ }, { providers }, respond) =>
    Promise.resolve(respond(200, { data: providers.all.map(({ id, label }) => ({ id, label })) })),
});

/** Answers with the provider's page. The browser keeps what the answer to it must match. */
export const beginSignIn = defineEndpoint({
  auth: 'open',
  method: 'post',
  path: '/sign-in-providers/{id}',
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

/** Completes a sign-in with what the provider's redirect contains. */
export const finishSignIn = defineEndpoint({
  auth: 'open',
  method: 'post',
  path: '/sign-in-providers/{id}/finish',
  params,
  body: finishForm,
  answers: { 200: codeNeeded, 204: z.undefined() },
  handle: async ({ params: { id }, body: { parameters }, visit }, deps, respond) => {
    const provider = providerOf(deps, id);
    const pending = await findPending(deps.auth, visit.headers);
    // A sign-in can be finished once: the next attempt must begin again.
    visit.setCookies([await forgetPending(deps.auth)]);
    if (pending?.provider !== id)
      throw new PublicError('invalid_state', { sentence: 'This sign-in has expired. Begin again.' });
    const person = await deps.passwords.visit(visit.address, async () => {
      const finished = await deps.providers.finish(provider, pending, parameters);
      if (finished.outcome === 'unreachable') throw away(provider);
      if (finished.outcome === 'refused')
        throw refusal(`${provider.label} did not confirm this sign-in. Begin again.`);
      return await signInWith(deps, visit, provider, finished.identity, pending.invitation);
    });
    visit.setCookies(person.cookies);
    return 'needsCode' in person ? respond(200, { second_factor: true }) : respond(204, undefined);
  },
});

function providerOf({ providers }: ApiDeps, id: string): IdentityProvider {
  const provider = providers.find(id);
  if (provider === undefined) throw new PublicError('not_found');
  return provider;
}

const away = ({ label }: IdentityProvider) =>
  new PublicError('unavailable', { sentence: `${label} does not answer. Try again in a minute.` });

const refusal = (sentence: string) => new PublicError('unauthorized', { sentence });

/**
 * Signs in with the account of the email that the provider vouches for. Accounts come from invitations alone.
 * @param invitation secret of the invitation that the person accepts
 * @throws PublicError unauthorized if no account may be opened with this identity
 */
async function signInWith(
  deps: ApiDeps,
  visit: Visit,
  provider: IdentityProvider,
  identity: Identity,
  invitation: string | undefined,
): Promise<SignedIn | Challenged> {
  const email = identity.email.toLowerCase();
  if (!identity.isVerified)
    throw refusal(`${provider.label} does not say that your email is verified. Verify it there first.`);
  const domain = email.slice(email.lastIndexOf('@') + 1);
  if (!provider.email_domains.some((one) => one === '*' || one === domain))
    throw refusal(`Emails of ${domain} cannot sign in with ${provider.label}.`);
  const offer = invitation === undefined ? undefined : await findOffer(deps, invitation);
  if (offer !== undefined && offer.email.toLowerCase() !== email)
    throw refusal(`The invitation is for ${offer.email}, but ${provider.label} states ${email}.`);
  try {
    return await inAccountTransaction(deps.db, async (tx) => {
      const auth = deps.authIn(tx);
      const known = await findAccount(auth, email);
      if (known === undefined && offer === undefined)
        throw refusal(`There is no account for ${email}. Ask an administrator for an invitation.`);
      const userId =
        known ??
        (await createPersonWithoutPassword(auth, {
          email,
          name: nameFrom(identity.name) ?? email.split('@')[0] ?? email,
        }));
      await lockAccount(tx, userId);
      if (offer === undefined && (await membershipsOf(tx, userId)).length === 0)
        throw refusal(`There is no account for ${email}. Ask an administrator for an invitation.`);
      const isNew = await linkOnce(tx, userId, identity);
      const person = await signInIdentified(auth, visit.headers, userId);
      if ('needsCode' in person && offer !== undefined)
        throw new PublicError('invalid_state', {
          sentence: 'This account has a second factor. Sign in with it, then open this link again.',
        });
      const actor = { kind: 'person', userId, address: visit.address } as const;
      const target = `${email} with ${provider.label}`;
      const joined =
        offer === undefined || 'needsCode' in person ? person : await join(auth, tx, person, offer, visit);
      if (isNew) await recordForAccount(tx, userId, actor, 'provider_linked', target);
      if (!('needsCode' in person)) await recordForAccount(tx, userId, actor, 'signed_in', target);
      return joined;
    });
  } catch (error) {
    if (!(error instanceof OtherIdentity)) throw error;
    void recordFailedSignIn(deps, email, visit.address);
    throw refusal(
      `This account belongs to another identity at ${provider.label}. Ask the operator of Parley to unlink it.`,
    );
  }
}

/** @returns undefined for a name that is empty or cannot be stored */
function nameFrom(stated: string | undefined): string | undefined {
  const parsed = personName.safeParse(stated?.slice(0, 100));
  return parsed.success ? parsed.data : undefined;
}

/** The account belongs to another identity of the provider, or the identity to another account. */
class OtherIdentity extends Error {}

/** Links the account with its first identity of the provider. @returns false if they are linked already */
async function linkOnce(tx: Transaction, userId: string, { issuer, subject }: Identity): Promise<boolean> {
  const [linked, owner] = [
    await findSubject(tx, userId, issuer),
    await findUserOfIdentity(tx, issuer, subject),
  ];
  if (linked === undefined && owner === undefined) {
    await linkIdentity(tx, userId, issuer, subject);
    return true;
  }
  if (linked !== subject || owner !== userId) throw new OtherIdentity();
  return false;
}
