/**
 * Signs in users whom an identity provider has identified, links accounts with identities, and stores the state of a
 * sign-in in a cookie until the browser returns from the provider.
 */
import { parseCookies } from 'better-auth/cookies';
import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import { z } from 'zod';
import { dropPasswordResets } from '../postgres/accounts/accounts.ts';
import type { Actor } from '../postgres/accounts/audit-log.ts';
import {
  findSubject,
  findUserOfIdentity,
  linkIdentity,
  removePassword,
} from '../postgres/accounts/identities.ts';
import type { Database, Transaction } from '../postgres/database.ts';
import type { PendingSignIn } from './identity-providers.ts';
import type { Auth } from './auth.ts';
import { endAccess } from './password-resets.ts';
import { endPreviousSession, type Challenged, type SignedIn } from './people.ts';

/** Identifies a person at a provider: `subject` is unique within `issuer`. */
export const identityKey = z.object({ issuer: z.string(), subject: z.string() });
export type IdentityKey = z.infer<typeof identityKey>;

/**
 * Signs the user in and ends the browser's previous session.
 * @returns the signed-in user; if the user has a second factor, a challenge, which `findChallenge` then finds together
 * with the identity
 * @throws Error if there is no such user
 */
export async function signInIdentified(
  auth: Auth,
  headers: Headers,
  userId: string,
  { issuer, subject }: IdentityKey,
): Promise<SignedIn | Challenged> {
  const { response, headers: answered } = await auth.api.signInIdentified({
    body: { userId, identity: JSON.stringify({ issuer, subject }) },
    headers,
    returnHeaders: true,
  });
  await endPreviousSession(auth, headers);
  const cookies = answered.getSetCookie();
  const { needsCode, name, email } = response;
  return needsCode ? { needsCode, cookies } : { userId, name, email, cookies };
}

/** Thrown if the account is linked with another identity of the provider, or the identity with another account. */
export class OtherIdentity extends Error {}

/**
 * Checks whether an account is linked with an identity.
 * @returns true if they are linked with each other; false if the account has no identity of this provider, and the
 * identity has no account
 * @throws OtherIdentity
 */
export async function isLinked(
  db: Database,
  userId: string,
  { issuer, subject }: IdentityKey,
): Promise<boolean> {
  const linked = await findSubject(db, userId, issuer);
  const owner = await findUserOfIdentity(db, issuer, subject);
  if (linked === undefined && owner === undefined) return false;
  if (linked !== subject || owner !== userId) throw new OtherIdentity();
  return true;
}

/**
 * Links the account with an identity of the provider. The caller must have locked the account.
 * @returns true if this call has linked them; false if they were linked before
 * @throws OtherIdentity
 */
export async function linkOnce(
  tx: Transaction,
  userId: string,
  { issuer, subject }: IdentityKey,
): Promise<boolean> {
  if (await isLinked(tx, userId, { issuer, subject })) return false;
  if (!(await linkIdentity(tx, userId, issuer, subject))) throw new OtherIdentity();
  return true;
}

/**
 * Removes the user's password, sessions, consents for MCP clients and reset links. They may belong to somebody else:
 * whoever had the invitation's link could choose the account's password without access to the account's mailbox.
 * Writes an audit event for each consent.
 *
 * @returns true if the account had a password
 */
export async function leaveToIdentity(tx: Transaction, userId: string, by: Actor): Promise<boolean> {
  await dropPasswordResets(tx, userId);
  await endAccess(tx, userId, by);
  return await removePassword(tx, userId);
}

const pendingSeconds = 10 * 60;

const pendingCookie = z.object({
  provider: z.string(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  invitation: z.string().optional(),
  until: z.number(),
});
/** A sign-in in progress. `invitation` is the secret of the invitation that the person accepts by signing in. */
export type PendingVisit = PendingSignIn & { invitation?: string | undefined };

/**
 * Encrypts a sign-in in progress for a cookie. Only the browser that has this cookie can complete the sign-in, within
 * `pendingSeconds`.
 * @returns the Set-Cookie header
 */
export async function keepPending(auth: Auth, pending: PendingVisit): Promise<string> {
  const context = await auth.$context;
  const until = Date.now() + pendingSeconds * 1000;
  const data = await symmetricEncrypt({
    key: context.secretConfig,
    data: JSON.stringify({ ...pending, until }),
  });
  return cookieWith(await nameOf(auth), data, pendingSeconds);
}

/** @returns the sign-in in the cookie of `keepPending`; undefined if the cookie is missing, invalid or expired */
export async function findPending(auth: Auth, headers: Headers): Promise<PendingVisit | undefined> {
  const data = parseCookies(headers.get('cookie') ?? '').get(await nameOf(auth));
  if (data === undefined || data === '') return undefined;
  const context = await auth.$context;
  try {
    const text = await symmetricDecrypt({ key: context.secretConfig, data });
    const { until, ...pending } = pendingCookie.parse(JSON.parse(text));
    return until > Date.now() ? pending : undefined;
  } catch {
    return undefined;
  }
}

/** @returns a Set-Cookie header that deletes the cookie of `keepPending` */
export async function forgetPending(auth: Auth): Promise<string> {
  return cookieWith(await nameOf(auth), '', 0);
}

/**
 * Returns the name of the cookie. Over https, the name begins with `__Host-`, which prevents other hosts of the same
 * domain from setting the cookie.
 */
async function nameOf(auth: Auth): Promise<string> {
  const { secure } = (await auth.$context).authCookies.sessionToken.attributes;
  return secure === true ? '__Host-parley.pending' : 'parley.pending';
}

function cookieWith(name: string, value: string, seconds: number): string {
  const secure = name.startsWith('__Host-') ? '; Secure' : '';
  return `${name}=${value}; Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Lax${secure}`;
}
