import { z } from 'zod';
import { session } from '../../../contract/accounts/session.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { findPerson } from '../../accounts/person.ts';
import { sessionView } from '../../accounts/session-view.ts';

/** Answers 200 even if nobody is signed in, because every page asks this first. */
export const getSession = defineEndpoint({
  auth: 'open',
  method: 'get',
  path: '/session',
  answers: { 200: z.object({ session: session.nullable() }) },
  handle: async ({ visit }, deps, respond) => {
    const found = await findPerson(deps.auth, deps.db, visit);
    if (found === undefined) return respond(200, { session: null });
    visit.setCookies(found.cookies);
    return respond(200, { session: sessionView(found.person, deps) });
  },
});
