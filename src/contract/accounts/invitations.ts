/**
 * Invitations to an organization. The link of an invitation works once, within a week. Parley sends the link by mail.
 * If no mail server is set, the inviter gets the link and passes it on. If the mail server does not accept the mail,
 * the link is lost, and the inviter must invite the person again.
 */
import { z } from 'zod';
import { timestamp } from '../page.ts';
import { text } from '../text.ts';
import { roleId } from './members.ts';
import { email, password, personName } from './session.ts';

export const invitation = z.object({
  id: z.uuid(),
  email: z.string(),
  role_id: z.string(),
  role_name: z.string(),
  invited_by: z.string().describe('Email'),
  created_at: timestamp,
  expires_at: timestamp,
  expired: z.boolean(),
});
export type Invitation = z.infer<typeof invitation>;

export const inviteForm = z.strictObject({ email, role_id: roleId });

export const mailState = z
  .enum(['off', 'sent', 'failed'])
  .describe('off: the operator has set no mail server. failed: the mail server has not accepted the mail');
export type MailState = z.infer<typeof mailState>;

/** The response to the creation of an invitation. No other response contains the link. */
export const createdInvitation = invitation.extend({
  link: z.string().nullable().describe('Null if it is sent by mail'),
  mail: mailState,
});
export type CreatedInvitation = z.infer<typeof createdInvitation>;

const token = text(200).min(1).describe('The part of the link after #');
export const invitationToken = z.strictObject({ token });

/** The data of an invitation that the page behind its link shows. */
export const offeredInvitation = z.object({
  email: z.string(),
  organization: z.string(),
  role_name: z.string(),
  invited_by: z.string(),
  expires_at: timestamp,
  signed_in: z
    .boolean()
    .describe(
      'True if this browser is signed in with the invited email. Whether the email has an account is not shown',
    ),
});
export type OfferedInvitation = z.infer<typeof offeredInvitation>;

export const acceptForm = z.strictObject({
  token,
  name: personName
    .optional()
    .describe('Name for a new account; by default the part of the email before the @'),
  password: password
    .optional()
    .describe('Password of the account, or for the new one; absent if already signed in'),
});
