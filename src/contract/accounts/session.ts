/** Signing in, and who is signed in. */
import { z } from 'zod';
import { text } from '../page.ts';
import { capability } from './capabilities.ts';

export const password = text(128).min(10, 'must have at least 10 characters');
export const email = z.email().max(254);
export const personName = text(100).trim().min(1, 'must not be empty');

export const signInForm = z.strictObject({ email: text(254).min(1), password: text(128).min(1) });

export const session = z.object({
  user: z.object({ id: z.string(), name: z.string(), email: z.string() }),
  organization: z.object({ id: z.uuid(), name: z.string() }),
  organizations: z.array(z.object({ id: z.uuid(), name: z.string() })),
  role: z.string().describe('Name of the role, as it is shown'),
  capabilities: z.array(capability),
  base_url: z.string().describe('Base URL of the public API'),
  default_model: z.string().describe('What agents use for which nobody has chosen a model'),
  temporal_ui: z
    .object({ url: z.string(), namespace: z.string() })
    .optional()
    .describe("Where a conversation's workflow can be looked at"),
});
export type ConsoleSession = z.infer<typeof session>;

/** Which of their organizations somebody wants to see. */
export const switchForm = z.strictObject({ organization_id: z.uuid() });

export const changePasswordForm = z.strictObject({
  current_password: text(128).min(1),
  new_password: password,
});
