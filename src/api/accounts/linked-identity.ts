/**
 * Refuses sign-ins to an account that belongs to another identity: at the redirect from an identity provider, and at
 * the code that completes such a sign-in.
 */
import { OtherIdentity } from '../../adapters/accounts/identity-sign-in.ts';
import { PublicError } from '../../contract/errors.ts';
import type { ApiDeps } from '../deps.ts';
import { recordFailedSignIn } from './record-failed-sign-in.ts';

/** @returns the target of an audit event about an account and its identity provider */
export const linkedTarget = (email: string, label: string): string => `${email} with ${label}`;

/**
 * Runs the work.
 * @throws PublicError unauthorized if the work throws OtherIdentity, after recording a failed sign-in; every other
 * error of the work unchanged
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
