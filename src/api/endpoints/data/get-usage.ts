import { findStorage } from '../../../adapters/postgres/data/storage.ts';
import { findAllowances, findUsedDays } from '../../../adapters/postgres/data/usage.ts';
import { PublicError } from '../../../contract/errors.ts';
import { usage, usageQuery } from '../../../contract/data/usage.ts';
import { tokenIdOf } from '../../caller.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { nextMonth } from '../../../app/data/monthly-limits.ts';

export const getUsage = defineEndpoint({
  auth: 'token',
  method: 'get',
  path: '/usage',
  tag: 'Organization',
  summary: "Read usage by day, this month's limits, and storage",
  description:
    'At a limit, POST /chat returns 402 until the month is over or the limit is raised; messages accepted before are answered. When storage is full, a call that carries a file gets 402, and a file given by URL is not fetched: the model reads that it is missing. Set limits in the console or on the command line.',
  query: usageQuery,
  answers: { 200: usage },
  handle: async ({ query, caller }, { db }, respond) => {
    const { organizationId } = caller;
    const token = tokenIdOf(caller);
    const [limits, storage, days] = await Promise.all([
      findAllowances(db, organizationId, token),
      findStorage(db, organizationId),
      findUsedDays(db, organizationId, query.days, query.of === 'token' ? token : undefined),
    ]);
    if (limits === undefined || storage === undefined) throw new PublicError('not_found');
    return respond(200, {
      organization: limits.organization,
      ...(limits.token && { token: limits.token }),
      storage,
      resets_at: nextMonth(),
      days,
    });
  },
});
