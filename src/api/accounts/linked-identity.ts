/**
 * Refuses an account that belongs to another identity: at a sign-in by an identity provider, and at the code that
 * completes such a sign-in.
 */
import { OtherIdentity } from '../../adapters/accounts/identity-sign-in.ts';
import { PublicError } from '../../contract/errors.ts';
import type { ApiDeps } from '../deps.ts';
import { recordFailedSignIn } from './record-failed-sign-in.ts';

/** @returns the name of an account and its provider in an audit event */
export const linkedTarget = (email: string, label: string): string => `${email} with ${label}`;

/**
 * Runs the work.
 * @throws PublicError unauthorized if the work throws OtherIdentity, which also records a failed sign-in; every other
 * error of the work
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
