/** Changes accounts in ways that better-auth does not offer: reset links, sessions, second factors, deletion. */
import type { Database, Transaction } from '../database.ts';

interface VerificationRow {
  id: string;
  identifier: string;
  value: string;
  expires_at: Date;
}

const verifications = (db: Database) => db.knex<VerificationRow>('console_verifications');
const resetOf = (userId: string) => `password-reset:${userId}`;

/**
 * Locks an account until the transaction ends. Other transactions that lock the account, or add a session or a
 * membership to it, wait.
 */
export async function lockAccount(tx: Transaction, userId: string): Promise<void> {
  await tx.knex('console_users').where({ id: userId }).forUpdate().first('id');
}

/**
 * Stores the hash of a new reset link and invalidates the user's previous one.
 *
 * @param seconds lifetime of the link
 * @returns when the new link expires
 */
export async function createPasswordReset(
  tx: Transaction,
  userId: string,
  hash: string,
  seconds: number,
): Promise<Date> {
  await lockAccount(tx, userId);
  await dropPasswordReset(tx, userId);
  const expires = new Date(Date.now() + seconds * 1000);
  await verifications(tx).insert({ identifier: resetOf(userId), value: hash, expires_at: expires });
  return expires;
}

/** @returns the email of the user; undefined if the user has no reset link with this hash, or the link has expired */
export async function findPasswordReset(
  db: Database,
  userId: string,
  hash: string,
): Promise<string | undefined> {
  const reset = await verifications(db)
    .where({ identifier: resetOf(userId), value: hash })
    .whereRaw('expires_at > clock_timestamp()')
    .first('id');
  if (reset === undefined) return undefined;
  const users = db.knex<{ id: string; email: string }>('console_users');
  return (await users.where({ id: userId }).first('email'))?.email;
}

/**
 * Consumes a reset link: deletes it if it is valid, so that it works once.
 * @returns true if the link was valid; false if it is unknown, used, replaced or expired
 */
export async function usePasswordReset(tx: Transaction, userId: string, hash: string): Promise<boolean> {
  await lockAccount(tx, userId);
  const open = await findPasswordReset(tx, userId, hash);
  if (open !== undefined) await dropPasswordReset(tx, userId);
  return open !== undefined;
}

/** Deletes a user's reset link, if there is one. */
export async function dropPasswordReset(tx: Transaction, userId: string): Promise<void> {
  await verifications(tx)
    .where({ identifier: resetOf(userId) })
    .delete();
}

/**
 * Deletes the reset links of an organization's members. Called when a member is removed, because that member may have
 * seen one of the links.
 */
export async function dropPasswordResetsOfMembers(tx: Transaction, organizationId: string): Promise<void> {
  const resets = tx
    .knex('console_members')
    .where({ organization_id: organizationId })
    .select(tx.knex.raw(`'${resetOf('')}' || user_id`));
  await verifications(tx).whereIn('identifier', resets).delete();
}

/** Ends all sessions of a user, and the user's sign-ins that wait for the second factor. */
export async function endSessions(tx: Transaction, userId: string): Promise<void> {
  await tx.knex('console_sessions').where({ user_id: userId }).delete();
  await dropChallenges(tx, userId);
}

/** Ends all sessions of a user except `sessionId`, and the user's sign-ins that wait for the second factor. */
export async function endOtherSessions(tx: Transaction, userId: string, sessionId: string): Promise<void> {
  await tx.knex('console_sessions').where({ user_id: userId }).whereNot({ id: sessionId }).delete();
  await dropChallenges(tx, userId);
}

/** Ends a user's sign-ins that wait for the second factor. */
export async function dropChallenges(tx: Transaction, userId: string): Promise<void> {
  await verifications(tx).where({ value: userId }).whereRaw(`identifier like '2fa-%'`).delete();
}

interface SecondFactorRow {
  user_id: string;
  verified: boolean;
  last_step: string;
}

const secondFactors = (db: Database, userId: string) =>
  db.knex<SecondFactorRow>('console_two_factors').where({ user_id: userId });

/**
 * Finds a user's second factor. `isConfirmed` is true if a code has confirmed the second factor. `lastStep` is the time
 * step of the last accepted code, or 0 if no code was accepted.
 * @returns undefined if the user has set up no second factor
 */
export async function findSecondFactor(
  db: Database,
  userId: string,
): Promise<{ isConfirmed: boolean; lastStep: number } | undefined> {
  const row = await secondFactors(db, userId).first('verified', 'last_step');
  return row && { isConfirmed: row.verified, lastStep: Number(row.last_step) };
}

/** Records the time step of an accepted code, so that this code and older ones are refused from now on. */
export async function useTimeStep(tx: Transaction, userId: string, step: number): Promise<void> {
  await secondFactors(tx, userId).update({ last_step: String(step) });
}

/** Removes a user's second factor, confirmed or not. @returns true if it was confirmed */
export async function deleteSecondFactor(tx: Transaction, userId: string): Promise<boolean> {
  const deleted = await secondFactors(tx, userId).delete('verified');
  await tx.knex('console_users').where({ id: userId }).update({ two_factor_enabled: false });
  return deleted.some(({ verified }) => verified);
}

/**
 * Deletes the account of a user who belongs to no organization, with its password and its sessions.
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
  return deleted > 0;
}
