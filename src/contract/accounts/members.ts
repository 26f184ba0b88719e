/** Members of an organization and their roles. */
import { z } from 'zod';
import { timestamp } from '../page.ts';
import { text } from '../text.ts';
import { capability } from './capabilities.ts';

export const member = z.object({
  id: z.string(),
  user_id: z.string(),
  name: z.string(),
  email: z.string(),
  role_id: z.string(),
  role_name: z.string(),
  created_at: timestamp,
  is_you: z.boolean(),
  second_factor: z.boolean().describe('Whether a second factor is asked for when they sign in'),
  active_tokens: z
    .int()
    .describe('Number of API tokens that they created or last rotated, and that still work'),
});
export type Member = z.infer<typeof member>;

export const roleId = text(100).min(1);

export const removeMemberQuery = z.strictObject({
  revoke_tokens: z
    .enum(['true', 'false'])
    .default('false')
    .describe('true: also revokes the API tokens that they created'),
});
export const changeMemberForm = z.strictObject({ role_id: roleId });

export const role = z.object({
  id: z.string().describe('The id that members refer to'),
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
