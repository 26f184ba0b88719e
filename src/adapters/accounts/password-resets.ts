/** Creates and uses one-time links for choosing a new password. Only the hash of a link's secret is stored. */
import { createHash, randomBytes } from 'node:crypto';
import {
  createPasswordReset,
  endSessions,
  findPasswordReset,
  lockAccount,
  type ResetKind,
  usePasswordReset,
} from '../postgres/accounts/accounts.ts';
import { recordAudit, type Actor } from '../postgres/accounts/audit-log.ts';
import { findEmailWithPassword } from '../postgres/accounts/identities.ts';
import { endConsentsOf } from '../postgres/accounts/mcp-grants.ts';
import { uuidForm } from '../postgres/cursor.ts';
import type { Database, Transaction } from '../postgres/database.ts';
import type { Auth } from './auth.ts';
import { setPassword } from './people.ts';

/** Lifetime of a link in seconds: one that an administrator made, and one asked for on the sign-in page. Chosen. */
const resetSeconds = { given: 24 * 60 * 60, asked: 60 * 60 };

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/**
 * Creates a link for a user, invalidates the previous ones, and ends all of the user's sessions and consents.
 * @param by the actor of the audit events
 * @param origin the console's origin
 * @returns the link, and the time at which it expires, in ISO 8601
 */
export async function makeResetLink(
  tx: Transaction,
  userId: string,
  by: Actor,
  origin: string,
): Promise<{ link: string; expires_at: string }> {
  const made = await createLink(tx, userId, 'given', origin);
  await endAccess(tx, userId, by);
  return made;
}

/**
 * Creates the link that somebody who is not signed in asked for, and invalidates the previous one of this kind. Changes
 * nothing else: the sessions, the password and an administrator's link stay valid. The link must reach nobody but the
 * owner of the account's mailbox.
 * @param origin the console's origin
 * @returns the link, and the account's email; undefined if the user has no password
 */
export async function makeAskedResetLink(
  tx: Transaction,
  userId: string,
  origin: string,
): Promise<{ link: string; email: string } | undefined> {
  // Locks the account first, so that a concurrent transaction cannot remove the password before the link exists.
  await lockAccount(tx, userId);
  const email = await findEmailWithPassword(tx, userId);
  if (email === undefined) return undefined;
  return { email, link: (await createLink(tx, userId, 'asked', origin)).link };
}

async function createLink(
  tx: Transaction,
  userId: string,
  kind: ResetKind,
  origin: string,
): Promise<{ link: string; expires_at: string }> {
  const secret = randomBytes(24).toString('base64url');
  const stored = { hash: hashOf(secret), seconds: resetSeconds[kind], kind };
  const expires = await createPasswordReset(tx, userId, stored);
  // The secret follows a #, so that no server log and no Referer header contains it.
  return { link: `${origin}/reset#${userId}.${secret}`, expires_at: expires.toISOString() };
}

export interface OpenReset {
  userId: string;
  hash: string;
  email: string;
}

/**
 * Finds the user of a link.
 * @param token the part of the link after #
 * @returns the user's id and email, and the hash of the link's secret; undefined if the link is unknown, used, replaced
 * or expired
 */
export async function findReset(db: Database, token: string): Promise<OpenReset | undefined> {
  const [userId = '', secret = ''] = token.split('.');
  if (!uuidForm.test(userId)) return undefined;
  const hash = hashOf(secret);
  const email = await findPasswordReset(db, userId, hash);
  return email === undefined ? undefined : { userId, hash, email };
}

/**
 * Ends all sessions of a user, the user's sign-ins that wait for a second factor, and the user's consents for MCP
 * clients in every organization, because somebody else may have known the password and given these consents. Writes an
 * audit event for each consent. The transaction must not be limited to one organization.
 */
export async function endAccess(tx: Transaction, userId: string, by: Actor): Promise<void> {
  await endSessions(tx, userId);
  for (const { organization_id: organizationId, client_name: client } of await endConsentsOf(tx, userId))
    await recordAudit(tx, { ...by, organizationId }, 'mcp_client_removed', client);
}

/**
 * Sets the password and ends all sessions and consents of the user.
 * @returns true if the password was set; false if the link was used or replaced, or has expired
 */
export async function resetPassword(
  tx: Transaction,
  auth: Auth,
  { userId, hash }: OpenReset,
  password: string,
  by: Actor,
): Promise<boolean> {
  if (!(await usePasswordReset(tx, userId, hash))) return false;
  await setPassword(auth, userId, password);
  await endAccess(tx, userId, by);
  return true;
}
