import { z } from 'zod';
import { switchOrganization as setActive } from '../../../adapters/accounts/invitations.ts';
import { switchForm } from '../../../contract/accounts/session.ts';
import { PublicError } from '../../../contract/errors.ts';
import { defineEndpoint } from '../../endpoint.ts';

/** Switches the session to another of the user's organizations. */
export const switchOrganization = defineEndpoint({
  auth: 'session',
  method: 'post',
  path: '/organization',
  capability: 'member',
  body: switchForm,
  answers: { 204: z.undefined() },
  handle: async ({ caller: person, body, visit }, { auth }, respond) => {
    const id = body.organization_id.toLowerCase();
    if (!person.organizations.some((one) => one.id === id)) throw new PublicError('not_found');
    visit.setCookies(await setActive(auth, visit.headers, id));
    return respond(204, undefined);
  },
});
