import { RateLimiterRes } from 'rate-limiter-flexible';
import { signIn as openSession, type SignedIn } from '../../../adapters/auth/people.ts';
import { writeAudit } from '../../../adapters/db/audit-log.ts';
import { membershipsOf } from '../../../adapters/db/members.ts';
import { signInForm } from '../../../contract/console/session.ts';
import { PublicError } from '../../../contract/errors.ts';
import { z } from 'zod';
import { defineOpenEndpoint } from '../console-endpoint.ts';
import type { ConsoleDeps } from '../deps.ts';

export const signIn = defineOpenEndpoint({
  method: 'post',
  path: '/sign-in',
  body: signInForm,
  answers: { 204: z.undefined() },
  handle: async ({ body, visit }, deps, respond) => {
    const key = `${visit.address ?? ''} ${body.email.toLowerCase()}`.slice(0, 200);
    // Counted before it is known whether the password fits, so that many at once are no way around.
    await count(deps, key);
    const person = await openSession(deps.auth, visit.headers, body);
    if (person === undefined) {
      throw new PublicError('unauthorized', { sentence: 'Email or password is wrong.' });
    }
    await deps.signInThrottle.delete(key);
    await record(deps, person, visit.address);
    visit.setCookies(person.cookies);
    return respond(204, undefined);
  },
});

async function count({ signInThrottle }: ConsoleDeps, key: string): Promise<void> {
  try {
    await signInThrottle.consume(key);
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused;
    throw new PublicError('rate_limited', {
      sentence: 'Too many attempts to sign in. Wait a few minutes, then try again.',
      retryAfterSeconds: Math.ceil(refused.msBeforeNext / 1000),
    });
  }
}

async function record({ db }: ConsoleDeps, person: SignedIn, address: string | undefined): Promise<void> {
  for (const { organizationId } of await membershipsOf(db, person.userId)) {
    await writeAudit(db, {
      ...{ organizationId, address, actorId: person.userId, actor: person.email },
      ...{ action: 'signed_in', target: person.email },
    });
  }
}
