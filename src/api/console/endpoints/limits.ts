/** How much a month may cost and bring: set by people, never by a token itself. */
import { z } from 'zod';
import { changeOrganization } from '../../../adapters/db/organizations.ts';
import { setTokenLimit } from '../../../adapters/db/usage.ts';
import { PublicError } from '../../../contract/errors.ts';
import { monthlyLimits } from '../../../contract/usage.ts';
import { defineConsoleEndpoint } from '../console-endpoint.ts';

export const limitOrganization = defineConsoleEndpoint({
  method: 'put',
  path: '/limit',
  capability: 'data.manage',
  body: monthlyLimits,
  answers: { 200: monthlyLimits },
  handle: async ({ person, body, visit: { address } }, { db }, respond) => {
    await changeOrganization(db, person.organizationId, body, { userId: person.userId, address });
    return respond(200, body);
  },
});

export const limitApiToken = defineConsoleEndpoint({
  method: 'put',
  path: '/tokens/{id}/limit',
  capability: 'data.manage',
  params: z.object({ id: z.uuid() }),
  body: monthlyLimits,
  answers: { 200: monthlyLimits },
  handle: async ({ person, params: { id }, body, visit: { address } }, { db }, respond) => {
    const { organizationId, userId } = person;
    if (!(await setTokenLimit(db, organizationId, id, body, { userId, address }))) {
      throw new PublicError('not_found');
    }
    return respond(200, body);
  },
});
