/** Changes accounts in ways that better-auth does not offer: reset links, sessions, second factors, deletion. */
import { z } from 'zod';
import { idRow, rowOf, rowsOf, type Database, type Transaction } from '../database.ts';

interface VerificationRow {
  id: string;
  identifier: string;
  value: string;
  expires_at: Date;
}

const verifications = (db: Database) => db.knex<VerificationRow>('console_verifications');
const emailRow = z.object({ email: z.string() });
const nameRow = z.object({ name: z.string() });

/**
 * The kinds of reset links: `given` by an administrator or the operator, who may have seen the link; or `asked` for on
 * the sign-in page, which reaches only the owner of the account's mailbox. An account can have one of each.
 */
export type ResetKind = 'given' | 'asked';
const resetOf = (userId: string, kind: ResetKind) =>
  `${kind === 'given' ? 'password-reset' : 'asked-password-reset'}:${userId}`;
const resetsOf = (userId: string) => [resetOf(userId, 'given'), resetOf(userId, 'asked')];

/**
 * Locks an account until the transaction ends. Other transactions that lock the account, or add a session or a
 * membership to it, wait.
 */
export async function lockAccount(tx: Transaction, userId: string): Promise<void> {
  await tx.knex('console_users').where({ id: userId }).forUpdate().first('id');
}

/**
 * Stores the hash of a new reset link, and invalidates the user's previous one of the same kind. A `given` link also
 * invalidates the `asked` one, because an administrator's reset ends all access.
 *
 * @param seconds lifetime of the link
 * @returns when the new link expires
 */
export async function createPasswordReset(
  tx: Transaction,
  userId: string,
  { hash, seconds, kind }: { hash: string; seconds: number; kind: ResetKind },
): Promise<Date> {
  await lockAccount(tx, userId);
  if (kind === 'given') await dropPasswordResets(tx, userId);
  else await dropPasswordReset(tx, userId, kind);
  const expires = new Date(Date.now() + seconds * 1000);
  await verifications(tx).insert({ identifier: resetOf(userId, kind), value: hash, expires_at: expires });
  return expires;
}

/** @returns the email of the user; undefined if the user has no reset link with this hash, or the link has expired */
export async function findPasswordReset(
  db: Database,
  userId: string,
  hash: string,
): Promise<string | undefined> {
  const reset = await rowOf(
    idRow,
    verifications(db)
      .whereIn('identifier', resetsOf(userId))
      .where({ value: hash })
      .whereRaw('expires_at > clock_timestamp()')
      .first('id'),
  );
  if (reset === undefined) return undefined;
  const user = await rowOf(emailRow, db.knex('console_users').where({ id: userId }).first('email'));
  return user?.email;
}

/**
 * Consumes a reset link: if it is valid, deletes all of the user's reset links, so that it works once and no other
 * replaces the new password.
 * @returns true if the link was valid; false if it is unknown, used, replaced or expired
 */
export async function usePasswordReset(tx: Transaction, userId: string, hash: string): Promise<boolean> {
  await lockAccount(tx, userId);
  const open = await findPasswordReset(tx, userId, hash);
  if (open !== undefined) await dropPasswordResets(tx, userId);
  return open !== undefined;
}

/** Deletes a user's reset link of this kind, if there is one. */
export async function dropPasswordReset(tx: Transaction, userId: string, kind: ResetKind): Promise<void> {
  await verifications(tx)
    .where({ identifier: resetOf(userId, kind) })
    .delete();
}

/** Deletes all of a user's reset links. */
export async function dropPasswordResets(tx: Transaction, userId: string): Promise<void> {
  await verifications(tx).whereIn('identifier', resetsOf(userId)).delete();
}

/**
 * Deletes the reset links that administrators made for an organization's members. Called when a member is removed,
 * because that member may have seen one of the links.
 */
export async function dropPasswordResetsOfMembers(tx: Transaction, organizationId: string): Promise<void> {
  const resets = tx
    .knex('console_members')
    .where({ organization_id: organizationId })
    .select(tx.knex.raw(`'${resetOf('', 'given')}' || user_id`));
  await verifications(tx).whereIn('identifier', resets).delete();
}

/** Ends all sessions of a user, and the user's sign-ins that wait for the second factor. */
export async function endSessions(tx: Transaction, userId: string): Promise<void> {
  await tx.knex('console_sessions').where({ user_id: userId }).delete();
  await dropChallenges(tx, userId);
}

/**
 * Ends all sessions of a user except `sessionId`, and the user's sign-ins that wait for the second factor.
 * @returns the number of ended sessions
 */
export async function endOtherSessions(tx: Transaction, userId: string, sessionId: string): Promise<number> {
  const ended = await tx
    .knex('console_sessions')
    .where({ user_id: userId })
    .whereNot({ id: sessionId })
    .delete();
  await dropChallenges(tx, userId);
  return ended;
}

/** Changes the name of a user. @returns the previous name; undefined if it is the same, or the user does not exist */
export async function renameUser(tx: Transaction, userId: string, name: string): Promise<string | undefined> {
  const users = () => tx.knex('console_users').where({ id: userId });
  const before = await rowOf(nameRow, users().forUpdate().first('name'));
  if (before === undefined || before.name === name) return undefined;
  await users().update({ name, updated_at: tx.knex.fn.now() });
  return before.name;
}

/** Ends a user's sign-ins that wait for the second factor. */
export async function dropChallenges(tx: Transaction, userId: string): Promise<void> {
  await verifications(tx).where({ value: userId }).whereRaw(`identifier like '2fa-%'`).delete();
}

const confirmation = z.object({ verified: z.boolean() });
const secondFactorRow = confirmation.extend({ last_step: z.number() });

const secondFactors = (db: Database, userId: string) =>
  db.knex('console_two_factors').where({ user_id: userId });

/**
 * Finds a user's second factor. `isConfirmed` is true if a code has confirmed the second factor. `lastStep` is the time
 * step of the last accepted code, or 0 if no code was accepted.
 * @returns undefined if the user has set up no second factor
 */
export async function findSecondFactor(
  db: Database,
  userId: string,
): Promise<{ isConfirmed: boolean; lastStep: number } | undefined> {
  const row = await rowOf(secondFactorRow, secondFactors(db, userId).first('verified', 'last_step'));
  return row && { isConfirmed: row.verified, lastStep: row.last_step };
}

/** Records the time step of an accepted code, so that this code and older ones are refused from now on. */
export async function useTimeStep(tx: Transaction, userId: string, step: number): Promise<void> {
  await secondFactors(tx, userId).update({ last_step: step });
}

/** Removes a user's second factor, confirmed or not. @returns true if it was confirmed */
export async function deleteSecondFactor(tx: Transaction, userId: string): Promise<boolean> {
  const deleted = await rowsOf(confirmation, secondFactors(tx, userId).delete('verified'));
  await tx.knex('console_users').where({ id: userId }).update({ two_factor_enabled: false });
  return deleted.some(({ verified }) => verified);
}

/**
 * Deletes the account of a user who belongs to no organization, with its password, its sessions and its reset links.
 * @returns true if the account was deleted; false if the user belongs to an organization or does not exist
 */
export async function deleteAccountWithoutMembership(tx: Transaction, userId: string): Promise<boolean> {
  // Waits for concurrent transactions that add a membership, so that the next statement sees the membership.
  await lockAccount(tx, userId);
  const deleted = await tx
    .knex('console_users')
    .where({ id: userId })
    .whereNotExists(tx.knex('console_members').where({ user_id: userId }))
    .delete();
  if (deleted > 0) await dropPasswordResets(tx, userId);
  return deleted > 0;
}
