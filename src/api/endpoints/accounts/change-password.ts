import { recordAudit } from '../../../adapters/postgres/accounts/audit-log.ts';
import { inTransaction } from '../../../adapters/postgres/database.ts';
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
  handle: async ({ visit, caller: person, body }, deps, respond) => {
    const passwords = { current: body.current_password, next: body.new_password };
    const cookies = await inTransaction(deps.db, async (tx) => {
      const renewed = await setPassword(deps.authIn(tx), visit.headers, passwords);
      if (renewed === undefined) throw invalidField('current_password', 'is wrong');
      await recordAudit(tx, person, 'password_changed', person.email);
      return renewed;
    });
    visit.setCookies(cookies);
    return respond(204, undefined);
  },
});
