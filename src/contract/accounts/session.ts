/** Sign-in to the console, and the signed-in user. */
import { z } from 'zod';
import { text } from '../text.ts';
import { capability } from './capabilities.ts';

export const password = text(128).min(10, 'must have at least 10 characters');
export const email = z.email().max(254);
export const personName = text(100).trim().min(1, 'must not be empty');

export const signInForm = z.strictObject({ email: text(254).min(1), password: text(128).min(1) });

/** The response to a correct password, or to a sign-in at an identity provider, if the account has a second factor. */
export const codeNeeded = z.object({ second_factor: z.literal(true) });

export const session = z.object({
  user: z.object({ id: z.string(), name: z.string(), email: z.string() }),
  organization: z.object({ id: z.uuid(), name: z.string() }),
  organizations: z.array(z.object({ id: z.uuid(), name: z.string() })),
  role: z.string().describe('Display name of the role'),
  capabilities: z.array(capability),
  base_url: z.string().describe('Base URL of the public API'),
  sends_mail: z.boolean().describe('Whether invitations and reset links are sent by mail'),
  offers_workspace_oauth: z
    .boolean()
    .describe(
      'Whether a document workspace can be connected by OAuth 2.0, for which a client must be configured',
    ),
  temporal_ui: z
    .object({ url: z.string(), namespace: z.string() })
    .optional()
    .describe("Temporal's UI, which shows a conversation's workflow"),
});
export type ConsoleSession = z.infer<typeof session>;

/** The body of a request that switches the session to another of the user's organizations. */
export const switchForm = z.strictObject({ organization_id: z.uuid() });

export const changePasswordForm = z.strictObject({
  current_password: text(128).min(1),
  new_password: password,
});
