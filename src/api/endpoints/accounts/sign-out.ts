import { recordAudit } from '../../../adapters/postgres/accounts/audit-log.ts';
import { inTransaction } from '../../../adapters/postgres/database.ts';
import { z } from 'zod';
import { signOut as endSession } from '../../../adapters/accounts/people.ts';
import { defineEndpoint } from '../../endpoint.ts';

export const signOut = defineEndpoint({
  auth: 'session',
  method: 'post',
  path: '/sign-out',
  capability: 'member',
  answers: { 204: z.undefined() },
  handle: async ({ visit, caller: person }, deps, respond) => {
    const cookies = await inTransaction(deps.db, async (tx) => {
      await recordAudit(tx, person, 'signed_out', person.email);
      return await endSession(deps.authIn(tx), visit.headers);
    });
    visit.setCookies(cookies);
    return respond(204, undefined);
  },
});
