import { signIn as openSession, type SignedIn } from '../../../adapters/auth/people.ts';
import { writeAudit } from '../../../adapters/db/audit-log.ts';
import { membershipsOf } from '../../../adapters/db/members.ts';
import { signInForm } from '../../../contract/console/session.ts';
import { PublicError } from '../../../contract/errors.ts';
import { z } from 'zod';
import { countSignIn, forgetSignIns } from '../count-sign-in.ts';
import { defineOpenEndpoint } from '../console-endpoint.ts';
import type { ConsoleDeps } from '../deps.ts';

export const signIn = defineOpenEndpoint({
  method: 'post',
  path: '/sign-in',
  body: signInForm,
  answers: { 204: z.undefined() },
  handle: async ({ body, visit }, deps, respond) => {
    const attempt = await countSignIn(deps, visit, body.email);
    const person = await openSession(deps.auth, visit.headers, body);
    if (person === undefined) {
      throw new PublicError('unauthorized', { sentence: 'Email or password is wrong.' });
    }
    await forgetSignIns(deps, attempt);
    await record(deps, person, visit.address);
    visit.setCookies(person.cookies);
    return respond(204, undefined);
  },
});

async function record({ db }: ConsoleDeps, person: SignedIn, address: string | undefined): Promise<void> {
  for (const { organizationId } of await membershipsOf(db, person.userId)) {
    await writeAudit(db, {
      ...{ organizationId, address, actorId: person.userId, actor: person.email },
      ...{ action: 'signed_in', target: person.email },
    });
  }
}
