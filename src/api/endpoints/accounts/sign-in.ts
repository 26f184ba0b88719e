import { signIn as openSession, type SignedIn } from '../../../adapters/accounts/people.ts';
import { writeAudit } from '../../../adapters/postgres/accounts/audit-log.ts';
import { membershipsOf } from '../../../adapters/postgres/accounts/members.ts';
import { signInForm } from '../../../contract/accounts/session.ts';
import { PublicError } from '../../../contract/errors.ts';
import { NoTurn, Turns } from '../../../limits/limiter.ts';
import { z } from 'zod';
import { countSignIn, forgetSignIns } from '../../accounts/count-sign-in.ts';
import { defineEndpoint } from '../../endpoint.ts';
import type { ApiDeps } from '../../deps.ts';

export const signIn = defineEndpoint({
  auth: 'open',
  method: 'post',
  path: '/sign-in',
  body: signInForm,
  answers: { 204: z.undefined() },
  handle: async ({ body, visit }, deps, respond) => {
    const attempt = await countSignIn(deps, visit, body.email);
    const person = await oneAfterAnother(visit.address ?? '', () =>
      openSession(deps.auth, visit.headers, body),
    );
    if (person === undefined) {
      throw new PublicError('unauthorized', { sentence: 'Email or password is wrong.' });
    }
    await forgetSignIns(deps, attempt);
    await record(deps, person, visit.address);
    visit.setCookies(person.cookies);
    return respond(204, undefined);
  },
});

/** A password hash takes a thread and its memory, as it should: two at once, one per address. */
const hashing = new Turns({ atOnce: 2, perOrganization: 1, maxWaiting: 10, maxWaitMs: 10_000 });

/** @throws PublicError rate_limited if too many attempts wait */
async function oneAfterAnother<T>(address: string, work: () => Promise<T>): Promise<T> {
  try {
    return await hashing.use(address, work);
  } catch (error) {
    if (!(error instanceof NoTurn)) throw error;
    const sentence = 'Too many attempts to sign in at once. Wait a few seconds, then try again.';
    throw new PublicError('rate_limited', { sentence, retryAfterSeconds: 5 });
  }
}

async function record({ db }: ApiDeps, person: SignedIn, address: string | undefined): Promise<void> {
  for (const { organizationId } of await membershipsOf(db, person.userId)) {
    await writeAudit(db, {
      ...{ organizationId, address, actorId: person.userId, actor: person.email },
      ...{ action: 'signed_in', target: person.email },
    });
  }
}
