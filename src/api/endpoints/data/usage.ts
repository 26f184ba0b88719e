/**
 * Endpoints for an organization's overview, health, usage and monthly limits. Console users can set limits, API tokens
 * cannot.
 */
import { z } from 'zod';
import { changeOrganization } from '../../../adapters/postgres/accounts/organizations.ts';
import { findOverview } from '../../../adapters/postgres/data/overview.ts';
import { findStorage } from '../../../adapters/postgres/data/storage.ts';
import { findToolActivity } from '../../../adapters/postgres/data/tool-activity.ts';
import {
  findAllowances,
  findCallsOfRehearsals,
  findCostByDay,
  findUsageByAgent,
  findUsageByModel,
  findUsageByToken,
  findUsageOfRehearsals,
  findUsageWithoutModel,
  findUsedDays,
  setTokenLimit,
} from '../../../adapters/postgres/data/usage.ts';
import { limitReached, nextMonth } from '../../../domain/data/monthly-limits.ts';
import { health } from '../../../contract/data/health.ts';
import { overview, overviewQuery } from '../../../contract/data/overview.ts';
import { toolActivity, toolActivityQuery } from '../../../contract/data/tool-activity.ts';
import {
  limitState,
  modelUsage,
  modelUsageQuery,
  monthlyLimits,
  organizationLimits,
  usage,
  usageQuery,
} from '../../../contract/data/usage.ts';
import { PublicError } from '../../../contract/errors.ts';
import { defineEndpoint } from '../../endpoint.ts';

export const getUsage = defineEndpoint({
  auth: 'token',
  scope: 'data.view',
  agents: 'organization',
  request: 'GET /usage',
  tag: 'Organization',
  summary: "Read usage by day, this month's limits, and storage",
  description:
    'At a limit, POST /chat returns 402 until the month is over or the limit is raised; messages accepted before are answered. When storage is full, a call that carries a file gets 402, and a file given by URL is not fetched: the model reads that it is missing. Set limits in the console or on the command line.',
  query: usageQuery,
  answers: { 200: usage },
  handle: async ({ query, caller }, { db }, respond) => {
    const { organizationId } = caller;
    const token = caller.kind === 'token' ? caller.tokenId : undefined;
    const [limits, storage, days] = await Promise.all([
      findAllowances(db, organizationId, token),
      findStorage(db, organizationId),
      findUsedDays(db, organizationId, query.days, query.of === 'token' ? token : undefined),
    ]);
    if (limits === undefined || storage === undefined) throw new PublicError('not_found');
    return respond(200, {
      organization: limits.organization,
      ...(limits.token && { token: limits.token }),
      credit_caps: limits.credit_caps,
      storage,
      resets_at: nextMonth(new Date()),
      days,
    });
  },
});

const managed = { auth: 'session', capability: 'data.manage' } as const;
const readByMembers = { auth: 'session', capability: 'member' } as const;

/** As many days as `usageQuery` returns: two months of 31 days, and the month between or before them. */
const maxUsageMs = 91 * 24 * 60 * 60 * 1000;
/** Maximum number of API tokens in the response. Chosen. */
const maxTokens = 50;

export const getModelUsage = defineEndpoint({
  ...managed,
  request: 'GET /model-usage',
  query: modelUsageQuery,
  answers: { 200: modelUsage },
  handle: async ({ caller: { organizationId }, query }, { db }, respond) => {
    const earliest = new Date(Date.now() - maxUsageMs).toISOString().slice(0, 10);
    const { from, to } = query;
    const period = { from: from !== undefined && from < earliest ? earliest : from, to };
    const [data, agents, tokens, other, rehearsals, rehearsal_days, cost_days] = await Promise.all([
      findUsageByModel(db, organizationId, period),
      findUsageByAgent(db, organizationId, period),
      findUsageByToken(db, organizationId, period),
      findUsageWithoutModel(db, organizationId, period),
      findCallsOfRehearsals(db, organizationId, period),
      findUsageOfRehearsals(db, organizationId, period),
      findCostByDay(db, organizationId, period),
    ]);
    const costliest = [...tokens]
      .map(([id, used]) => ({ id, ...used }))
      .sort((one, another) => another.credits - one.credits || another.messages - one.messages)
      .slice(0, maxTokens);
    return respond(200, { data, agents, tokens: costliest, other, rehearsals, rehearsal_days, cost_days });
  },
});

/** Maximum age of the returned activity (ms): 25 hours, the length of the day on which daylight saving time ends. */
const maxActivityMs = 25 * 60 * 60 * 1000;

export const getToolActivity = defineEndpoint({
  ...readByMembers,
  request: 'GET /tool-activity',
  query: toolActivityQuery,
  answers: { 200: toolActivity },
  handle: async ({ caller, query }, { db }, respond) => {
    const since = new Date(Math.max(Date.parse(query.since), Date.now() - maxActivityMs));
    const activity = await findToolActivity(db, caller.organizationId, since);
    if (caller.capabilities.includes('conversations.view')) return respond(200, activity);
    // An error may quote what a customer wrote.
    const hidden = { conversation_id: null, problem: null };
    const data = activity.data.map((one) => ({ ...one, last: one.last && { ...one.last, ...hidden } }));
    return respond(200, { ...activity, data });
  },
});

/** Returns the organization's health to every member, with only the items that the member's capabilities cover. */
export const getHealth = defineEndpoint({
  ...readByMembers,
  request: 'GET /health',
  answers: { 200: health },
  handle: async ({ caller: person }, { health: checks }, respond) =>
    respond(200, await checks.view(person.organizationId, person.capabilities)),
});

export const getOverview = defineEndpoint({
  ...readByMembers,
  request: 'GET /overview',
  query: overviewQuery,
  answers: { 200: overview },
  handle: async ({ caller: person, query }, { db }, respond) =>
    respond(200, await findOverview(db, person.organizationId, query.days)),
});

const reachedBy = { credit_limit_reached: 'credits', message_limit_reached: 'messages' } as const;

/**
 * Returns whether a monthly limit of the organization is reached. Open to every member, because every console page
 * shows a warning while a limit is reached.
 */
export const getLimitState = defineEndpoint({
  ...readByMembers,
  request: 'GET /limit',
  answers: { 200: limitState },
  handle: async ({ caller: person }, { monthlyLimits: limits }, respond) => {
    const allowances = await limits.find(person.organizationId);
    const code = allowances && limitReached(allowances)?.code;
    return respond(200, {
      reached: code === undefined ? null : reachedBy[code],
      resets_at: nextMonth(new Date()),
    });
  },
});

export const limitOrganization = defineEndpoint({
  ...managed,
  request: 'PUT /limit',
  body: organizationLimits,
  answers: { 200: organizationLimits },
  handle: async ({ caller: person, body }, { db }, respond) => {
    await changeOrganization(db, person.organizationId, body, person);
    return respond(200, body);
  },
});

export const limitApiToken = defineEndpoint({
  ...managed,
  request: 'PUT /tokens/{id}/limit',
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
