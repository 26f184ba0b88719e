import { z } from 'zod';
import { changePassword as setPassword } from '../../../adapters/accounts/people.ts';
import { changePasswordForm } from '../../../contract/accounts/session.ts';
import { invalidField } from '../../../contract/errors.ts';
import { defineEndpoint } from '../../endpoint.ts';

/** Changes the password and ends every other session of the user. */
export const changePassword = defineEndpoint({
  auth: 'session',
  method: 'post',
  path: '/password',
  capability: 'member',
  body: changePasswordForm,
  answers: { 204: z.undefined() },
  handle: async ({ visit, caller: person, body, note }, { auth }, respond) => {
    const passwords = { current: body.current_password, next: body.new_password };
    const cookies = await setPassword(auth, visit.headers, passwords);
    if (cookies === undefined) throw invalidField('current_password', 'is wrong');
    visit.setCookies(cookies);
    note('password_changed', person.email);
    return respond(204, undefined);
  },
});
