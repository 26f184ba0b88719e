/** Creates, revokes and accepts invitations with better-auth. Only the hash of a link's secret is stored. */
import { createHash, randomBytes } from 'node:crypto';
import { isAPIError } from 'better-auth/api';
import type { Auth } from './auth.ts';

const secretBytes = 24;

/** Returns the SHA-256 of an invitation's secret in hex, as the database stores it. */
export const hashOfInvitation = (secret: string): string => createHash('sha256').update(secret).digest('hex');

export type Invited =
  { outcome: 'invited'; id: string; secret: string } | { outcome: 'member' } | { outcome: 'too_many' };

/**
 * Creates an invitation, and cancels an open invitation of the same email to the organization.
 * @param headers the request headers with the inviter's session
 * @returns `invited` with the secret of the link; `member` if the email belongs to a member; `too_many` if the
 * organization has too many open invitations
 * @throws better-auth's error if it refuses for another reason, for example because the inviter may not invite
 */
export async function invite(
  auth: Auth,
  headers: Headers,
  form: { organizationId: string; email: string; role: string },
): Promise<Invited> {
  const secret = randomBytes(secretBytes).toString('base64url');
  try {
    const { id } = await auth.api.createInvitation({
      body: { ...form, tokenHash: hashOfInvitation(secret) },
      headers,
    });
    return { outcome: 'invited', id, secret };
  } catch (error) {
    const code = isAPIError(error) ? error.body?.code : undefined;
    if (code === 'USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION') return { outcome: 'member' };
    if (code === 'INVITATION_LIMIT_REACHED') return { outcome: 'too_many' };
    throw error;
  }
}

/**
 * Revokes an invitation.
 * @param headers the request headers with the session of a user who may revoke it
 * @throws better-auth's error if the user may not revoke it, or the invitation does not exist
 */
export async function cancelInvitation(auth: Auth, headers: Headers, id: string): Promise<void> {
  await auth.api.cancelInvitation({ body: { invitationId: id }, headers });
}

/**
 * Makes the session's user a member and switches the session to the new organization.
 * @returns true if the user is now a member; false if the invitation does not exist or is no longer open
 * @throws better-auth's error if it refuses for another reason, for example because the invitation is for another email
 */
export async function acceptInvitation(auth: Auth, headers: Headers, id: string): Promise<boolean> {
  try {
    await auth.api.acceptInvitation({ body: { invitationId: id }, headers });
    return true;
  } catch (error) {
    if (isAPIError(error) && error.body?.code === 'INVITATION_NOT_FOUND') return false;
    throw error;
  }
}

/**
 * Switches the session to another organization.
 * @returns cookies for the response
 * @throws better-auth's error if the user is not a member of that organization. better-auth then also removes the
 * session's current organization, so the caller must check the membership first
 */
export async function switchOrganization(
  auth: Auth,
  headers: Headers,
  organizationId: string,
): Promise<string[]> {
  const { headers: answered } = await auth.api.setActiveOrganization({
    body: { organizationId },
    headers,
    returnHeaders: true,
  });
  return answered.getSetCookie();
}
