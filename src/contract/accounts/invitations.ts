/** Invitations. The inviter passes on a link, which can be used once within a week. */
import { z } from 'zod';
import { text, timestamp } from '../page.ts';
import { roleId } from './members.ts';
import { email, personName } from './session.ts';

export const invitation = z.object({
  id: z.uuid(),
  email: z.string(),
  role_name: z.string(),
  invited_by: z.string().describe('Email'),
  created_at: timestamp,
  expires_at: timestamp,
  expired: z.boolean(),
});
export type Invitation = z.infer<typeof invitation>;

export const inviteForm = z.strictObject({ email, role_id: roleId });

/** The only response that contains the link. */
export const createdInvitation = invitation.extend({ link: z.string() });
export type CreatedInvitation = z.infer<typeof createdInvitation>;

const token = text(200).min(1).describe('The part of the link after #');
export const invitationToken = z.strictObject({ token });

/** The invitation, as shown on the page that its link opens. */
export const offeredInvitation = z.object({
  email: z.string(),
  organization: z.string(),
  role_name: z.string(),
  invited_by: z.string(),
  expires_at: timestamp,
  account: z
    .enum(['new', 'known', 'signed_in'])
    .describe('Whether the email has an account, and whether it is the one that is signed in here'),
});
export type OfferedInvitation = z.infer<typeof offeredInvitation>;

export const acceptForm = z.strictObject({
  token,
  name: personName.optional().describe('Name for a new account'),
  password: text(128)
    .optional()
    .describe('Password of the account, or for the new one; absent if already signed in'),
});
