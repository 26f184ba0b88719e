import { recordAudit } from '../../../adapters/postgres/accounts/audit-log.ts';
import { inTransaction } from '../../../adapters/postgres/database.ts';
import { signIn as openSession, type SignedIn } from '../../../adapters/accounts/people.ts';
import { membershipsOf } from '../../../adapters/postgres/accounts/members.ts';
import { signInForm } from '../../../contract/accounts/session.ts';
import { PublicError } from '../../../contract/errors.ts';
import { Limiter, NoSlot } from '../../../limits/limiter.ts';
import { z } from 'zod';
import { countSignIn } from '../../accounts/count-sign-in.ts';
import { defineEndpoint, type Visit } from '../../endpoint.ts';
import type { ApiDeps } from '../../deps.ts';

export const signIn = defineEndpoint({
  auth: 'open',
  method: 'post',
  path: '/sign-in',
  body: signInForm,
  answers: { 204: z.undefined() },
  handle: async ({ body, visit }, deps, respond) => {
    const attempt = await countSignIn(deps, visit, body.email);
    const person = await oneAfterAnother(visit.address ?? '', () => signInAndRecord(deps, visit, body));
    if (person === undefined) {
      throw new PublicError('unauthorized', { sentence: 'Email or password is wrong.' });
    }
    await deps.signInRate.forget(attempt);
    visit.setCookies(person.cookies);
    return respond(204, undefined);
  },
});

/** A password hash takes a thread and its memory, as it should: two at once, one per address. */
const hashing = new Limiter({ max: 2, maxPerOwner: 1, maxWaiting: 10, maxWaitMs: 10_000 });

/** @throws PublicError rate_limited if too many attempts wait */
async function oneAfterAnother<T>(address: string, work: () => Promise<T>): Promise<T> {
  try {
    return await hashing.use(address, work);
  } catch (error) {
    if (!(error instanceof NoSlot)) throw error;
    const sentence = 'Too many attempts to sign in at once. Wait a few seconds, then try again.';
    throw new PublicError('rate_limited', { sentence, retryAfterSeconds: 5 });
  }
}

/** In one transaction with its audit event in each of the person's organizations. */
async function signInAndRecord(
  { db, authIn }: ApiDeps,
  { headers, address }: Visit,
  given: z.output<typeof signInForm>,
): Promise<SignedIn | undefined> {
  return await inTransaction(db, async (tx) => {
    const person = await openSession(authIn(tx), headers, given);
    if (person === undefined) return undefined;
    const { userId, email } = person;
    for (const { organizationId } of await membershipsOf(tx, userId))
      await recordAudit(tx, { organizationId, userId, address }, 'signed_in', email);
    return person;
  });
}
