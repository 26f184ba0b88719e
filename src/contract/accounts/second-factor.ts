/** The second factor of a user's account: codes of an authenticator app (TOTP), and recovery codes. */
import { z } from 'zod';
import { text } from '../text.ts';

const code = text(64)
  .min(1)
  .describe('A code from the authenticator app, or a recovery code, which works once');
export const codeForm = z.strictObject({ code });

export const account = z.object({
  has_password: z.boolean(),
  second_factor: z
    .object({ recovery_codes_left: z.int() })
    .nullable()
    .describe('Null if no second factor is set up'),
  providers: z.array(z.string()).describe('Names of the identity providers at which the person signs in'),
  mails_waiting: z
    .boolean()
    .describe('True if the member gets an email when a conversation of this organization waits for a person'),
});
export const waitingMailsForm = account.pick({ mails_waiting: true }).strict();
export type Account = z.infer<typeof account>;

/**
 * Proof that the account's owner makes the request: the password or, for an account without one, a code of its second
 * factor.
 */
const proof = { password: text(128).min(1).optional(), code: code.optional() };
export const setUpForm = z.strictObject({ password: proof.password });
export const proofForm = z.strictObject(proof);

/** The response that offers a second factor. No other response contains its secret. */
export const offeredSecondFactor = z.object({
  uri: z.string().describe('otpauth:// URI, for a QR code'),
  secret: z.string().describe('The same secret in base32, to type it in'),
});
export type OfferedSecondFactor = z.infer<typeof offeredSecondFactor>;

/** The response with new recovery codes. No other response contains them. */
export const recoveryCodes = z.object({ recovery_codes: z.array(z.string()) });
export type RecoveryCodes = z.infer<typeof recoveryCodes>;
