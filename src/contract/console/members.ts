/** Members of an organization, their roles and the invitations that are open. */
import { z } from 'zod';
import { text, timestamp } from '../page.ts';
import { capability } from './capabilities.ts';
import { email, password } from './session.ts';

export const member = z.object({
  id: z.string(),
  user_id: z.string(),
  name: z.string(),
  email: z.string(),
  role_id: z.string(),
  role_name: z.string(),
  created_at: timestamp,
  is_you: z.boolean(),
});
export type Member = z.infer<typeof member>;

export const addMemberForm = z.strictObject({
  email,
  password,
  name: text(100).optional(),
  role_id: text(100).min(1),
});
export const changeMemberForm = z.strictObject({ role_id: text(100).min(1) });

export const invitation = z.object({
  id: z.string(),
  email: z.string(),
  role_name: z.string(),
  expires_at: timestamp,
});
export type Invitation = z.infer<typeof invitation>;
export const inviteForm = z.strictObject({ email, role_id: text(100).min(1) });

/** What somebody who holds the link may know before joining. */
export const openInvitation = z.object({
  email: z.string(),
  organization_name: z.string(),
  has_account: z.boolean().describe('True: joining asks for the password of that account'),
});
export type OpenInvitation = z.infer<typeof openInvitation>;
export const acceptInvitationForm = z.strictObject({ name: text(100).optional(), password });

export const role = z.object({
  id: z.string().describe('What a member carries'),
  name: z.string(),
  built_in: z.boolean(),
  capabilities: z.array(capability),
  members: z.int(),
});
export type Role = z.infer<typeof role>;

export const roleForm = z.strictObject({
  name: text(60).trim().min(1, 'must not be empty'),
  capabilities: z.array(capability),
});
