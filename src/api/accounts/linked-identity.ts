/** Shared by sign-ins at an identity provider, and by the code of the second factor that completes them. */
import { OtherIdentity } from '../../adapters/accounts/identity-sign-in.ts';
import { PublicError } from '../../contract/errors.ts';
import type { ApiDeps } from '../deps.ts';
import { recordFailedSignIn } from './record-failed-sign-in.ts';

/** @returns the target of an audit event */
export const linkedTarget = (email: string, label: string): string => `${email} with ${label}`;

/** @throws PublicError unauthorized if `work` throws OtherIdentity, and records a failed sign-in; other errors of `work` */
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
