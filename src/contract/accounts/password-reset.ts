/**
 * Links with which a person chooses a new password. Each link works once: within a day if an administrator made it,
 * within an hour if the person asked for it on the sign-in page.
 */
import { z } from 'zod';
import { timestamp } from '../page.ts';
import { text } from '../text.ts';
import { mailState } from './invitations.ts';
import { email, password } from './session.ts';

/** The response to the creation of a link. No other response contains the link. */
export const passwordReset = z.object({
  link: z.string().nullable().describe('Null if it is sent by mail'),
  mail: mailState,
  expires_at: timestamp,
});
export type PasswordReset = z.infer<typeof passwordReset>;

export const askForReset = z.strictObject({ email });

const token = text(200).min(1).describe('The part of the link after #');
export const resetToken = z.strictObject({ token });

/** The account whose password the link resets. The reset page shows its email address. */
export const offeredReset = z.object({ email: z.string() });
export type OfferedReset = z.infer<typeof offeredReset>;

export const useResetForm = z.strictObject({ token, password });
