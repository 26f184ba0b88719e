/** Sets up, checks and removes a user's second factor, with better-auth's plug-in. */
import { createHmac } from 'node:crypto';
import { parseCookies } from 'better-auth/cookies';
import { symmetricDecrypt } from 'better-auth/crypto';
import { z } from 'zod';
import {
  endOtherSessions,
  findSecondFactor,
  lockAccount,
  useTimeStep,
} from '../postgres/accounts/accounts.ts';
import type { Transaction } from '../postgres/database.ts';
import type { Auth } from './auth.ts';
import { identityOfChallenge } from './identified-sign-in.ts';
import { identityKey, type IdentityKey } from './identity-sign-in.ts';
import { findSession, hasPassword, unlessRefused, withCookies, type SignedIn } from './people.ts';
import type { OfferedSecondFactor } from '../../contract/accounts/second-factor.ts';

/**
 * Milliseconds of a time step, and number of digits of a code: the values that authenticator apps assume (RFC 6238, RFC
 * 4226).
 */
const stepMs = 30_000;
const digits = 6;
const totpForm = /^\d{6}$/;
const challengeForm = /^2fa-[\w-]{20}$/;

/**
 * Begins to set up a second factor. Replaces a set-up that was not confirmed.
 *
 * @param given.password required if the user has a password; otherwise ignored
 * @param given.issuer the name that the authenticator app shows
 * @returns the key; undefined if the required password is missing or wrong, or the user already has a second factor
 */
export async function offerSecondFactor(
  auth: Auth,
  headers: Headers,
  given: { password?: string | undefined; issuer: string },
): Promise<OfferedSecondFactor | undefined> {
  const made = await unlessRefused(() => auth.api.enableTwoFactor({ body: bodyOf(given), headers }));
  if (made === undefined || !('totpURI' in made)) return undefined;
  return { uri: made.totpURI, secret: new URL(made.totpURI).searchParams.get('secret') ?? '' };
}

/**
 * Confirms a set-up with a code, and ends the user's other sessions.
 * @returns the recovery codes, and the cookies of the renewed session; undefined if the code is wrong or was used, or
 * no set-up waits for confirmation
 */
export async function confirmSecondFactor(
  tx: Transaction,
  auth: Auth,
  { userId, headers, code }: { userId: string; headers: Headers; code: string },
): Promise<{ recoveryCodes: string[]; cookies: string[] } | undefined> {
  await lockAccount(tx, userId);
  if ((await findSecondFactor(tx, userId))?.isConfirmed !== false) return undefined;
  const given = plain(code);
  const step = await stepOf(tx, auth, userId, given);
  if (step === undefined) return undefined;
  const verified = await unlessRefused(() =>
    auth.api.verifyTOTP({ body: { code: given }, headers, returnHeaders: true }),
  );
  if (verified === undefined) return undefined;
  await useTimeStep(tx, userId, step);
  const cookies = verified.headers.getSetCookie();
  await keepSession(tx, auth, withCookies(headers, cookies));
  const { backupCodes } = await auth.api.viewBackupCodes({ body: { userId } });
  return { recoveryCodes: z.array(z.string()).parse(backupCodes), cookies };
}

/** A user who has given the right password, or has signed in at an identity provider, and must now give a code. */
export interface Challenge {
  userId: string;
  email: string;
  /** The identity at the provider; absent after a sign-in with a password. */
  identity?: IdentityKey;
}

/** @returns the challenge of the request's cookies; undefined if there is none, or if the challenge has ended */
export async function findChallenge(auth: Auth, headers: Headers): Promise<Challenge | undefined> {
  const [, value] = await challengeCookie(auth, headers);
  const [identifier = ''] = value.split('.', 1);
  if (!challengeForm.test(identifier)) return undefined;
  const { internalAdapter } = await auth.$context;
  const found = await internalAdapter.findVerificationValue(identifier);
  if (!found || found.expiresAt.getTime() <= Date.now()) return undefined;
  const user = await internalAdapter.findUserById(found.value);
  if (user === null) return undefined;
  const identity = await internalAdapter.findVerificationValue(`${identityOfChallenge}${identifier}`);
  return {
    userId: user.id,
    email: user.email,
    ...(identity && { identity: identityKey.parse(JSON.parse(identity.value)) }),
  };
}

/**
 * Answers a challenge with a code of the authenticator app, or with a recovery code. Each code works once. The
 * challenge ends after five wrong codes, the maximum that better-auth allows.
 *
 * @returns the signed-in user, and whether the code was a recovery code; undefined if the code is wrong or was used, or
 * the challenge has ended
 */
export async function answerChallenge(
  tx: Transaction,
  auth: Auth,
  { challenge: { userId }, headers, code }: { challenge: Challenge; headers: Headers; code: string },
): Promise<(SignedIn & { isRecovery: boolean }) | undefined> {
  await lockAccount(tx, userId);
  const given = plain(code);
  const isRecovery = !totpForm.test(given);
  // Sends only the challenge's cookie. If a session's cookie were sent too, better-auth would check the code of that
  // session's user.
  const answering = new Headers(headers);
  const [name, value] = await challengeCookie(auth, headers);
  answering.set('cookie', `${name}=${encodeURIComponent(value)}`);
  const step = isRecovery ? undefined : await stepOf(tx, auth, userId, given);
  // If the code is wrong or was used, sends an empty code, so that better-auth counts a failed attempt.
  const body = { code: isRecovery || step !== undefined ? given : '' };
  const options = { body, headers: answering, returnHeaders: true } as const;
  const verified = await unlessRefused(() =>
    isRecovery ? auth.api.verifyBackupCode(options) : auth.api.verifyTOTP(options),
  );
  if (verified === undefined) return undefined;
  if (step !== undefined) await useTimeStep(tx, userId, step);
  const { user } = verified.response;
  const cookies = verified.headers.getSetCookie();
  return { userId: user.id, name: user.name, email: user.email, cookies, isRecovery };
}

/** Proof that a user may change their second factor: the password or, if they have none, a code. */
export interface Proof {
  userId: string;
  headers: Headers;
  password?: string | undefined;
  code?: string | undefined;
}

/**
 * Removes the second factor, and ends the user's other sessions.
 * @returns cookies of the renewed session; undefined if the proof is wrong
 */
export async function removeSecondFactor(
  tx: Transaction,
  auth: Auth,
  proof: Proof,
): Promise<string[] | undefined> {
  const { headers } = proof;
  if (!(await hasProofOfCode(tx, auth, proof))) return undefined;
  const removed = await unlessRefused(() =>
    auth.api.disableTwoFactor({ body: bodyOf(proof), headers, returnHeaders: true }),
  );
  if (removed === undefined) return undefined;
  const cookies = removed.headers.getSetCookie();
  await keepSession(tx, auth, withCookies(headers, cookies));
  return cookies;
}

/**
 * Replaces the recovery codes.
 * @returns the new ones; undefined if the proof is wrong, or the user has no second factor
 */
export async function renewRecoveryCodes(
  tx: Transaction,
  auth: Auth,
  proof: Proof,
): Promise<string[] | undefined> {
  if (!(await hasProofOfCode(tx, auth, proof))) return undefined;
  const made = await unlessRefused(() =>
    auth.api.generateBackupCodes({ body: bodyOf(proof), headers: proof.headers }),
  );
  return made?.backupCodes;
}

/**
 * @returns how many recovery codes are left
 * @throws better-auth's error if the user has no second factor
 */
export async function countRecoveryCodes(auth: Auth, userId: string): Promise<number> {
  const { backupCodes } = await auth.api.viewBackupCodes({ body: { userId } });
  return backupCodes.length;
}

/**
 * Checks the code of a user without a password, and uses up a correct code.
 * @returns true if the code is right, or if the user has a password, which better-auth checks later
 */
async function hasProofOfCode(
  tx: Transaction,
  auth: Auth,
  { userId, headers, code }: Proof,
): Promise<boolean> {
  await lockAccount(tx, userId);
  if (await hasPassword(auth, userId)) return true;
  const given = plain(code ?? '');
  if (!totpForm.test(given)) {
    const options = { body: { code: given, disableSession: true }, headers };
    return (await unlessRefused(() => auth.api.verifyBackupCode(options))) !== undefined;
  }
  const step = await stepOf(tx, auth, userId, given);
  if (step !== undefined) await useTimeStep(tx, userId, step);
  return step !== undefined;
}

/** Returns the body without undefined values, because better-auth refuses a body whose password is undefined. */
function bodyOf({ password, issuer }: { password?: string | undefined; issuer?: string }) {
  return { ...(password !== undefined && { password }), ...(issuer !== undefined && { issuer }) };
}

/** @returns the code without white space and in lower case, the form in which recovery codes are stored */
const plain = (code: string): string => code.replaceAll(/\s/g, '').toLowerCase();

/**
 * Finds the time step of a code, so that the caller can record it as used. better-auth alone would accept the same code
 * again while it is valid.
 *
 * @returns the step of the code, if it is the current time step, the one before or the one after it; undefined if the
 * code belongs to none of them, its step or a later one was used, or the user has no second factor
 */
async function stepOf(
  tx: Transaction,
  auth: Auth,
  userId: string,
  code: string,
): Promise<number | undefined> {
  const { adapter, secretConfig } = await auth.$context;
  const where = [{ field: 'userId', value: userId }];
  const row = await adapter.findOne<{ secret: string }>({ model: 'twoFactor', where });
  if (row === null) return undefined;
  const secret = await symmetricDecrypt({ key: secretConfig, data: row.secret });
  const now = Math.floor(Date.now() / stepMs);
  const step = [now - 1, now, now + 1].find((one) => hotp(secret, one) === code);
  const lastStep = (await findSecondFactor(tx, userId))?.lastStep ?? 0;
  return step !== undefined && step > lastStep ? step : undefined;
}

/** Computes the code of a time step as in RFC 4226. */
function hotp(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const value = mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fffffff;
  return String(value % 10 ** digits).padStart(digits, '0');
}

/**
 * @returns the name and the decoded value of the cookie that contains the challenge; the value is empty if there is no
 * cookie
 */
async function challengeCookie(auth: Auth, headers: Headers): Promise<[name: string, value: string]> {
  const { name } = (await auth.$context).createAuthCookie('two_factor');
  return [name, parseCookies(headers.get('cookie') ?? '').get(name) ?? ''];
}

/**
 * Ends all sessions of the user except the session of these headers, and the user's sign-ins that wait for a second
 * factor. Does nothing if the headers have no valid session.
 */
async function keepSession(tx: Transaction, auth: Auth, headers: Headers): Promise<void> {
  const session = await findSession(auth, headers);
  if (session !== undefined) await endOtherSessions(tx, session.userId, session.sessionId);
}
