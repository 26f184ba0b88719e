import { z } from 'zod';
import { overlapSeconds, timestamp } from '../page.ts';
import { text } from '../text.ts';
import { tokenCaps } from '../data/credit-caps.ts';
import { creditLimit, messageLimit } from '../data/usage.ts';
import { maxAgentsOfToken, tokenScopes } from './token-scopes.ts';

export const tokenScope = z.enum(tokenScopes);

export const apiToken = z.object({
  id: z.uuid(),
  name: z.string(),
  prefix: z.string().describe('Beginning of the secret'),
  status: z.enum(['Active', 'Expired', 'Revoked']),
  full_access: z.boolean().describe('True: the token has every scope, including those of later versions'),
  before_scopes: z
    .boolean()
    .describe('True: the token has full access because it was created before there were scopes'),
  scopes: z.array(tokenScope),
  agents: z
    .array(z.object({ id: z.uuid(), name: z.string() }))
    .nullable()
    .describe('The agents that it is bound to; null: every agent of the organization'),
  expires_at: timestamp.nullable(),
  created_by: z.string().nullable().describe('Email of the member, or the name of what created it'),
  created_by_id: z.uuid().nullable().describe('The member who created it, if it was one'),
  rotated_by_id: z.uuid().nullable().describe('The member who last rotated it, if it was one'),
  previous_until: timestamp
    .nullable()
    .describe('The secret before the last rotation also works until this time'),
  created_at: timestamp,
  last_used_at: timestamp.nullable(),
  call_count: z.int(),
  monthly_credit_limit: creditLimit,
  monthly_message_limit: messageLimit,
  credit_caps: tokenCaps.nullable(),
  this_month: z
    .object({ messages: z.int(), credits: z.number() })
    .describe('Usage of the runs that its calls started and that have ended this month (UTC)'),
});
export type ApiToken = z.infer<typeof apiToken>;

export const createTokenForm = z.strictObject({
  name: text(100).trim().min(1, 'must not be empty').describe('Token Name'),
  scopes: z
    .array(tokenScope)
    .min(1, 'choose at least one scope')
    .max(tokenScopes.length)
    .optional()
    .describe('Absent: every scope that the creator can give; full access if these are all scopes'),
  agent_ids: z
    .array(z.uuid())
    .min(1, 'choose at least one agent')
    .max(maxAgentsOfToken)
    .optional()
    .describe('Binds the token to these agents. Absent: every agent'),
  expires_in_days: z.int().min(1).max(3650).optional().describe('Absent: it does not expire'),
});
export type CreateTokenForm = z.input<typeof createTokenForm>;

export const rotateTokenForm = z.strictObject({
  overlap_seconds: overlapSeconds.describe('How long the previous secret also works'),
});

/** The response to a creation or a rotation. No other response contains the secret. */
export const createdToken = apiToken.extend({ token: z.string() });
export type CreatedToken = z.infer<typeof createdToken>;
