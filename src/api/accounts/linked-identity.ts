/**
 * Refuses a sign-in if the account is linked to another identity of the provider, or the identity to another account.
 * Called when an identity provider redirects back, and when a code completes such a sign-in.
 */
import { OtherIdentity } from '../../adapters/accounts/identity-sign-in.ts';
import { PublicError } from '../../contract/errors.ts';
import type { ApiDeps } from '../deps.ts';
import { recordFailedSignIn } from './record-failed-sign-in.ts';

/** @returns the target of an audit event about an account's sign-in at, or link with, an identity provider */
export const linkedTarget = (email: string, label: string): string => `${email} with ${label}`;

/**
 * Runs the work of a sign-in. If it throws OtherIdentity, records a failed sign-in, without waiting for the record.
 * @returns the result of the work
 * @throws PublicError unauthorized instead of OtherIdentity; any other error of the work
 */
export async function refuseOtherIdentity<T>(
  deps: ApiDeps,
  { email, label, address }: { email: string; label: string; address: string | undefined },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof OtherIdentity)) throw error;
    void recordFailedSignIn(deps, email, address);
    throw new PublicError('unauthorized', {
      sentence: `This account belongs to another identity at ${label}. Ask the operator of Parley to unlink it.`,
    });
  }
}
