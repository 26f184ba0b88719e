import { z } from 'zod';
import { text, timestamp } from '../page.ts';
import { creditLimit, messageLimit } from '../data/usage.ts';

export const apiToken = z.object({
  id: z.uuid(),
  name: z.string(),
  prefix: z.string().describe('Beginning of the secret'),
  status: z.enum(['Active', 'Revoked']),
  created_at: timestamp,
  last_used_at: timestamp.nullable(),
  call_count: z.int(),
  monthly_credit_limit: creditLimit,
  monthly_message_limit: messageLimit,
  this_month: z
    .object({ messages: z.int(), credits: z.number() })
    .describe('Usage of the runs that its calls started and that have ended this month (UTC)'),
});
export type ApiToken = z.infer<typeof apiToken>;

export const createTokenForm = z.strictObject({
  name: text(100).trim().min(1, 'must not be empty').describe('Token Name'),
});

/** The only response that contains the secret. */
export const createdToken = apiToken.extend({ token: z.string() });
export type CreatedToken = z.infer<typeof createdToken>;
