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
  summary: 'Messages, runs and credits by day, the limits of this month, and storage',
  description:
    'Once a limit is reached, POST /chat is refused with 402 until the month is over or the limit is raised; what was accepted before is answered. Once storage is full, files are refused: a call that carries one with 402, one that is fetched from a URL is left out and the agent is told. Limits are set in the console or by the command line.',
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
