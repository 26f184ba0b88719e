/** Endpoints for the session and the password of a console user. */
import { z } from 'zod';
import { switchOrganization as setActive } from '../../../adapters/accounts/invitations.ts';
import {
  changePassword as setPassword,
  type Challenged,
  type SignedIn,
  signIn as openSession,
  signOut as endSession,
} from '../../../adapters/accounts/people.ts';
import { recordAudit, recordForAccount } from '../../../adapters/postgres/accounts/audit-log.ts';
import { dropChallenges, dropPasswordResets } from '../../../adapters/postgres/accounts/accounts.ts';
import { inAccountTransaction } from '../../../adapters/postgres/database.ts';
import { forAccounts } from '../../../adapters/postgres/organization-scope.ts';
import {
  changePasswordForm,
  codeNeeded,
  type ConsoleSession,
  session,
  signInForm,
  switchForm,
} from '../../../contract/accounts/session.ts';
import { invalidField, PublicError } from '../../../contract/errors.ts';
import { recordFailedSignIn } from '../../accounts/record-failed-sign-in.ts';
import { findPerson } from '../../accounts/person.ts';
import type { PersonCaller } from '../../caller.ts';
import type { ApiDeps } from '../../deps.ts';
import { defineEndpoint, type Visit } from '../../endpoint.ts';

/**
 * Returns the session. If nobody is signed in, or the user belongs to no organization, returns null instead of an
 * error, because every page calls this first.
 */
export const getSession = defineEndpoint({
  auth: 'open',
  request: 'GET /session',
  answers: { 200: z.object({ session: session.nullable() }) },
  handle: async ({ visit }, deps, respond) => {
    const found = await findPerson(deps.auth, deps.db, visit);
    if (found === undefined) return respond(200, { session: null });
    visit.setCookies(found.cookies);
    return respond(200, { session: sessionView(found.person, deps) });
  },
});

/**
 * @returns the session for the console: the user, the current organization and all organizations of the user, the role
 * and capabilities in the current one, and what the console must know about the installation
 */
function sessionView(person: PersonCaller, { config, mails, origin, tools }: ApiDeps): ConsoleSession {
  return {
    user: { id: person.userId, name: person.name, email: person.email },
    organization: { id: person.organizationId, name: person.organizationName },
    organizations: person.organizations,
    role: person.roleName,
    capabilities: [...person.capabilities],
    base_url: `${origin}/v1`,
    sends_mail: mails.areSent,
    offers_workspace_oauth: tools.connections.offersOAuth,
    ...(config.TEMPORAL_UI_URL !== undefined && {
      temporal_ui: { url: config.TEMPORAL_UI_URL, namespace: config.TEMPORAL_NAMESPACE },
    }),
  };
}

export const signIn = defineEndpoint({
  auth: 'open',
  request: 'POST /sign-in',
  body: signInForm,
  answers: { 200: codeNeeded, 204: z.undefined() },
  handle: async ({ body, visit }, deps, respond) => {
    const { email } = body;
    const person = await deps.passwords.attempt(
      visit.address,
      email,
      () => signInAndRecord(deps, visit, body),
      (found) => 'needsCode' in found,
    );
    if (person === undefined) {
      void recordFailedSignIn(deps, email, visit.address);
      throw new PublicError('unauthorized', { sentence: 'Email or password is wrong.' });
    }
    visit.setCookies(person.cookies);
    return 'needsCode' in person ? respond(200, { second_factor: true }) : respond(204, undefined);
  },
});

/**
 * Signs in and records an audit event in each of the user's organizations, in one transaction. If a code must follow,
 * signInWithCode records the event instead, once the code is right.
 * @returns the signed-in user; a challenge if a code must follow; undefined if email or password is wrong
 */
async function signInAndRecord(
  { db, authIn }: ApiDeps,
  { headers, address }: Visit,
  given: z.output<typeof signInForm>,
): Promise<SignedIn | Challenged | undefined> {
  return await inAccountTransaction(db, async (tx) => {
    const person = await openSession(authIn(tx), headers, given);
    if (person === undefined || 'needsCode' in person) return person;
    const { userId, email } = person;
    await recordForAccount(tx, userId, { kind: 'person', userId, address }, 'signed_in', email);
    return person;
  });
}

const own = { auth: 'session', capability: 'member' } as const;

export const signOut = defineEndpoint({
  ...own,
  request: 'POST /sign-out',
  handle: async ({ visit, caller: person }, deps) => {
    const cookies = await inAccountTransaction(deps.db, async (tx) => {
      await recordAudit(tx, person, 'signed_out', person.email);
      return await endSession(deps.authIn(tx), visit.headers);
    });
    visit.setCookies(cookies);
  },
});

/**
 * Changes the password. Also ends the user's other sessions and the sign-ins that wait for a code, and deletes the
 * user's reset links.
 */
export const changePassword = defineEndpoint({
  ...own,
  request: 'POST /password',
  body: changePasswordForm,
  handle: async ({ visit, caller: person, body }, deps) => {
    const passwords = { current: body.current_password, next: body.new_password };
    const cookies = await deps.passwords.attempt(visit.address, person.email, () =>
      inAccountTransaction(deps.db, async (tx) => {
        const renewed = await setPassword(deps.authIn(tx), visit.headers, passwords);
        if (renewed === undefined) return undefined;
        await dropPasswordResets(tx, person.userId);
        await dropChallenges(tx, person.userId);
        await recordAudit(tx, person, 'password_changed', person.email);
        return renewed;
      }),
    );
    if (cookies === undefined) throw invalidField('current_password', 'is wrong');
    visit.setCookies(cookies);
  },
});

/** Switches the session to another of the user's organizations. */
export const switchOrganization = defineEndpoint({
  ...own,
  request: 'POST /organization',
  body: switchForm,
  handle: async ({ caller: person, body, visit }, { auth }) => {
    const id = body.organization_id.toLowerCase();
    if (!person.organizations.some((one) => one.id === id)) throw new PublicError('not_found');
    visit.setCookies(await forAccounts(() => setActive(auth, visit.headers, id)));
  },
});
