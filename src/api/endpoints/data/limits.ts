/** Monthly limits of cost and messages, set by users, never by a token itself. */
import { z } from 'zod';
import { changeOrganization } from '../../../adapters/postgres/accounts/organizations.ts';
import { setTokenLimit } from '../../../adapters/postgres/data/usage.ts';
import { PublicError } from '../../../contract/errors.ts';
import { limitState, monthlyLimits, organizationLimits } from '../../../contract/data/usage.ts';
import { nextMonth } from '../../../app/data/monthly-limits.ts';
import { defineEndpoint } from '../../endpoint.ts';

const reachedBy = { credit_limit_reached: 'credits', message_limit_reached: 'messages' } as const;

/** For the warning on every page: every user needs to know why nothing is answered. */
export const getLimitState = defineEndpoint({
  auth: 'session',
  method: 'get',
  path: '/limit',
  capability: 'member',
  answers: { 200: limitState },
  handle: async ({ caller: person }, { monthlyLimits: limits }, respond) => {
    const code = await limits.reached(person.organizationId);
    return respond(200, { reached: code === undefined ? null : reachedBy[code], resets_at: nextMonth() });
  },
});

export const limitOrganization = defineEndpoint({
  auth: 'session',
  method: 'put',
  path: '/limit',
  capability: 'data.manage',
  body: organizationLimits,
  answers: { 200: organizationLimits },
  handle: async ({ caller: person, body }, { db }, respond) => {
    await changeOrganization(db, person.organizationId, body, person);
    return respond(200, body);
  },
});

export const limitApiToken = defineEndpoint({
  auth: 'session',
  method: 'put',
  path: '/tokens/{id}/limit',
  capability: 'data.manage',
  params: z.object({ id: z.uuid() }),
  body: monthlyLimits,
  answers: { 200: monthlyLimits },
  handle: async ({ caller: person, params: { id }, body }, { db }, respond) => {
    if (!(await setTokenLimit(db, person.organizationId, id, body, person))) {
      throw new PublicError('not_found');
    }
    return respond(200, body);
  },
});
