/** Signs users in and out, finds the user of a session cookie, creates users and changes passwords. */
import { isAPIError } from 'better-auth/api';
import { sessionMs, type Auth } from './auth.ts';

export interface SignedIn {
  userId: string;
  name: string;
  email: string;
  /** Set-Cookie headers for the response. */
  cookies: string[];
}

/** A sign-in that needs a code of the second factor. `cookies` contain the challenge that the code answers. */
export interface Challenged {
  needsCode: true;
  cookies: string[];
}

/**
 * Signs a user in and ends the browser's previous session. An unknown email takes as long as a wrong password, so that
 * the time of the answer does not reveal which emails have accounts.
 * @returns the signed-in user; a challenge if the user has a second factor; undefined if email or password is wrong
 */
export async function signIn(
  auth: Auth,
  headers: Headers,
  given: { email: string; password: string },
): Promise<SignedIn | Challenged | undefined> {
  return await unlessRefused(async () => {
    const { response, headers: answered } = await auth.api.signInEmail({
      body: { email: given.email, password: given.password, rememberMe: true },
      headers,
      returnHeaders: true,
    });
    await endPreviousSession(auth, headers);
    const cookies = answered.getSetCookie();
    if (!('user' in response)) return { needsCode: true, cookies };
    const { user } = response;
    return { userId: user.id, name: user.name, email: user.email, cookies };
  });
}

/**
 * Calls better-auth.
 * @returns the call's result; undefined if better-auth refuses the call with a status below 500
 * @throws every other error of the call
 */
export async function unlessRefused<T>(call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    if (isAPIError(error) && error.statusCode < 500) return undefined;
    throw error;
  }
}

/** Ends the session of the request's cookies, if there is one. */
export async function endPreviousSession(auth: Auth, headers: Headers): Promise<void> {
  const previous = await auth.api.getSession({ headers, query: { disableRefresh: true } });
  if (previous === null) return;
  const { internalAdapter } = await auth.$context;
  await internalAdapter.deleteSession(previous.session.token);
}

export interface FoundSession extends SignedIn {
  sessionId: string;
  activeOrganizationId: string | undefined;
}

/**
 * Finds the session of the request's cookies, and ends it if it is older than `sessionMs`.
 * @returns the session and its user, with cookies for the response; undefined if there is no valid session
 */
export async function findSession(auth: Auth, headers: Headers): Promise<FoundSession | undefined> {
  const { response, headers: answered } = await auth.api.getSession({ headers, returnHeaders: true });
  if (response === null) return undefined;
  const { session, user } = response;
  if (Date.now() - session.createdAt.getTime() > sessionMs) {
    await signOut(auth, headers);
    return undefined;
  }
  return {
    sessionId: session.id,
    userId: user.id,
    name: user.name,
    email: user.email,
    activeOrganizationId: session.activeOrganizationId ?? undefined,
    cookies: answered.getSetCookie(),
  };
}

/** Ends the session of the request's cookies. @returns cookies that delete the session's cookies */
export async function signOut(auth: Auth, headers: Headers): Promise<string[]> {
  const { headers: answered } = await auth.api.signOut({ headers, returnHeaders: true });
  return answered.getSetCookie();
}

/**
 * Creates a user with a password, and marks the email as verified.
 * @returns the user's id; undefined if the email already has an account
 */
export async function createPerson(
  auth: Auth,
  person: { email: string; name: string; password: string },
): Promise<{ userId: string } | undefined> {
  if ((await findAccount(auth, person.email)) !== undefined) return undefined;
  const userId = await createPersonWithoutPassword(auth, person);
  await setPassword(auth, userId, person.password);
  return { userId };
}

/**
 * Creates a user without a password, and marks the email as verified. The caller must have checked that the email has
 * no account.
 * @returns the user's id
 */
export async function createPersonWithoutPassword(
  auth: Auth,
  { email, name }: { email: string; name: string },
): Promise<string> {
  const { internalAdapter } = await auth.$context;
  const user = await internalAdapter.createUser(
    { email: email.toLowerCase(), name, emailVerified: true },
    { method: 'admin' },
  );
  return user.id;
}

/** @returns the id of the account with this email, ignoring case; undefined if there is none */
export async function findAccount(auth: Auth, email: string): Promise<string | undefined> {
  const { internalAdapter } = await auth.$context;
  return (await internalAdapter.findUserByEmail(email.toLowerCase()))?.user.id;
}

/**
 * Returns a copy of a request's headers, with the cookies of `setCookies` instead of the request's. If `setCookies` is
 * empty, the copy has the request's cookies.
 */
export function withCookies(headers: Headers, setCookies: readonly string[]): Headers {
  const given = new Headers(headers);
  if (setCookies.length > 0) {
    given.set('cookie', setCookies.map((cookie) => cookie.split(';', 1)[0] ?? '').join('; '));
  }
  return given;
}

/**
 * Changes the password, ends all sessions of the user, and creates a new session for this browser.
 * @returns cookies of the new session; undefined if the current password is wrong, the user has no password, the
 * request has no valid session, or better-auth refuses the new password
 */
export async function changePassword(
  auth: Auth,
  headers: Headers,
  passwords: { current: string; next: string },
): Promise<string[] | undefined> {
  const body = { currentPassword: passwords.current, newPassword: passwords.next, revokeOtherSessions: true };
  const changed = await unlessRefused(() => auth.api.changePassword({ body, headers, returnHeaders: true }));
  return changed?.headers.getSetCookie();
}

/** @returns true if the user has a password; users who sign in only at an identity provider have none */
export async function hasPassword(auth: Auth, userId: string): Promise<boolean> {
  const { internalAdapter } = await auth.$context;
  const account = await internalAdapter.findCredentialAccount(userId);
  return typeof account?.password === 'string';
}

/** Sets the password of a user. Existing sessions stay valid. */
export async function setPassword(auth: Auth, userId: string, text: string): Promise<void> {
  const { internalAdapter, password } = await auth.$context;
  const hash = await password.hash(text);
  const accounts = await internalAdapter.findAccounts(userId);
  if (accounts.some(({ providerId }) => providerId === 'credential'))
    await internalAdapter.updatePassword(userId, hash);
  else
    await internalAdapter.linkAccount({
      userId,
      providerId: 'credential',
      accountId: userId,
      password: hash,
    });
}
