/** The numbers of the console's overview page. */
import { z } from 'zod';
import { timestamp } from '../page.ts';
import { maxOverviewAgents } from './limits.ts';

export const overviewQuery = z.strictObject({ days: z.coerce.number().int().min(1).max(90).default(14) });

const numbers = {
  received: z.int().describe('Messages from users'),
  answered: z.int().describe('Messages of users that an agent answered; one answer may be to several'),
  failed: z.int().describe('Runs that failed permanently'),
  median_ms: z.number().nullable().describe("From the user's first message of a group to its answer"),
  p95_ms: z.number().nullable(),
  credits: z.number(),
};

const totals = z.object({
  ...numbers,
  conversations: z.int().describe('Conversations with a run that ended, or a message that no run answers'),
  with_people: z
    .int()
    .describe('Those of them that an agent handed over, or in which a person took over or wrote'),
});

export const overview = z.object({
  totals,
  before: totals.describe('The totals of as many days before'),
  days: z
    .array(z.object({ day: z.iso.date(), ...numbers }))
    .describe('Oldest first, including days without activity'),
  agents: z
    .array(z.object({ agent_id: z.uuid(), name: z.string(), ...numbers }))
    .describe(`Busiest first, at most ${maxOverviewAgents}`),
  failed_deliveries: z
    .int()
    .describe('Callbacks, replies and alerts that failed, were blocked, or have an unknown outcome'),
  start: z
    .object({
      agent: z.object({ id: z.uuid(), name: z.string() }).nullable().describe('The first agent'),
      conversation: z.object({ id: z.uuid(), at: timestamp }).nullable().describe('The newest conversation'),
      has_calls: z.boolean().describe('At least one token has been used'),
    })
    .describe('Progress through the first steps'),
});
export type Overview = z.infer<typeof overview>;
