/** Who calls, and whether they may call so often. */
import type { Request } from 'express';
import { PublicError } from '../contract/errors.ts';
import type { Caller, TokenAuthentication } from './authenticate.ts';
import type { CallRates } from './call-rates.ts';

export interface Gate {
  authentication: TokenAuthentication;
  rates: { token: CallRates | undefined; organization: CallRates | undefined };
}

/** @throws PublicError unauthorized, rate_limited */
export async function admit(request: Request, { authentication, rates }: Gate): Promise<Caller> {
  const caller = await authentication.authenticate(request.headers.authorization);
  const { tokenId, organizationId } = caller;
  const takes = [() => rates.token?.take(tokenId), () => rates.organization?.take(organizationId)];
  // In this order: a call that its token has no more of costs the organization's other tokens nothing.
  for (const take of takes) {
    const wait = (await take()) ?? 0;
    if (wait > 0) throw new PublicError('rate_limited', { retryAfterSeconds: wait });
  }
  return caller;
}
