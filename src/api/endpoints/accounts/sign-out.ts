import { z } from 'zod';
import { signOut as endSession } from '../../../adapters/accounts/people.ts';
import { defineEndpoint } from '../../endpoint.ts';

export const signOut = defineEndpoint({
  auth: 'session',
  method: 'post',
  path: '/sign-out',
  capability: 'member',
  answers: { 204: z.undefined() },
  handle: async ({ visit, caller: person, note }, { auth }, respond) => {
    visit.setCookies(await endSession(auth, visit.headers));
    note('signed_out', person.email);
    return respond(204, undefined);
  },
});
