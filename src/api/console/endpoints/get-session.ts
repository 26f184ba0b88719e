import { z } from 'zod';
import { session } from '../../../contract/accounts/session.ts';
import { defineOpenEndpoint } from '../console-endpoint.ts';
import { findPerson } from '../person.ts';
import { sessionView } from '../session-view.ts';

/** 200 also when nobody is signed in: that is no error, and a page asks it first of all. */
export const getSession = defineOpenEndpoint({
  method: 'get',
  path: '/session',
  answers: { 200: z.object({ session: session.nullable() }) },
  handle: async ({ visit }, deps, respond) => {
    const person = await findPerson(deps.auth, deps.db, visit.headers);
    if (person === undefined) return respond(200, { session: null });
    visit.setCookies(person.cookies);
    return respond(200, { session: sessionView(person, deps) });
  },
});
