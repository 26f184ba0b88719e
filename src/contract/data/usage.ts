/** An organization's usage of messages, credits and storage, and the limits on it. */
import { z } from 'zod';
import { timestamp } from '../page.ts';
import { creditCaps, tokenCaps } from './credit-caps.ts';

export const creditLimit = z
  .number()
  .min(0)
  .max(1e12)
  .nullable()
  .describe('Maximum credits per calendar month (UTC). Null: no limit');

export const messageLimit = z
  .int()
  .min(0)
  .max(2_000_000_000)
  .nullable()
  .describe('Maximum messages per calendar month (UTC). Null: no limit');

export const storageLimit = z
  .int()
  .min(0)
  .max(2_000_000_000)
  .nullable()
  .describe("Maximum size of all stored files in mebibytes. Null: the installation's default");

/** A change of a token's monthly limits and caps. An absent field stays as it is; null removes the limit or caps. */
export const monthlyLimits = z
  .strictObject({
    monthly_credit_limit: creditLimit,
    monthly_message_limit: messageLimit,
    credit_caps: tokenCaps.nullable(),
  })
  .partial();
export type MonthlyLimits = z.infer<typeof monthlyLimits>;

/**
 * A change of an organization's limits and caps. An absent field stays as it is. Null removes a limit or the caps; for
 * storage, it restores the installation's default.
 */
export const organizationLimits = monthlyLimits.extend({
  storage_limit_megabytes: storageLimit.optional(),
  credit_caps: creditCaps.nullable().optional(),
});
export type OrganizationLimits = z.infer<typeof organizationLimits>;

/** `reached` is the monthly limit that the organization has reached; null if it has reached none. */
export const limitState = z.object({
  reached: z.enum(['credits', 'messages']).nullable(),
  resets_at: timestamp.describe('When the next month starts'),
});
export type LimitState = z.infer<typeof limitState>;

const allowance = z
  .object({
    limit: creditLimit,
    used: z.number().describe('Credits of the runs that have ended this month'),
    message_limit: messageLimit,
    messages: z.int().describe('Messages of the runs that have ended this month'),
  })
  .meta({ id: 'UsageAllowance', description: "This month's usage and limits" });

export const usageQuery = z.strictObject({
  days: z.coerce
    .number()
    .int()
    .min(1)
    .max(92)
    .default(31)
    .describe('Number of days, including today (UTC); 1 to 92'),
  of: z
    .enum(['organization', 'token'])
    .default('organization')
    .describe('token: only the usage that calls with this token started'),
});

/** The days from `from` to `to`, at most the last 92; by default this month. */
export const modelUsageQuery = z.strictObject({
  from: z.iso.date().optional().describe('First day (UTC)'),
  to: z.iso.date().optional().describe('Last day (UTC)'),
});

const otherUsage = z.object({
  rehearsals: z.number().describe('Credits of rehearsed turns that still exist'),
  erased: z
    .number()
    .describe('Credits of erased runs, and of rehearsed turns that were erased or asked again'),
});

/**
 * The 50 models that cost most on the days that were asked for, by the name that the provider reports. Counts the
 * successful calls of runs that ended on these days, without erased runs. `agents`: the 50 agents whose calls cost most,
 * and `tokens`: the 50 API tokens whose messages cost most, of the same runs. `other` is the usage of these days that is
 * stored without its model and agent.
 */
export const modelUsage = z.object({
  data: z.array(
    z.object({
      model: z.string(),
      calls: z.int(),
      input_tokens: z.int(),
      output_tokens: z.int(),
      credits: z.number(),
      cost_usd: z
        .number()
        .nullable()
        .describe('US dollars at the saved price of the model; null: a part of the usage has no price'),
      by_id: z
        .array(
          z.object({
            id: z.string(),
            calls: z.int(),
            credits: z.number(),
            cost_usd: z.number().nullable(),
          }),
        )
        .describe('The same calls by provider/name, as agents name the model'),
    }),
  ),
  agents: z.array(z.object({ id: z.uuid(), name: z.string(), calls: z.int(), credits: z.number() })),
  tokens: z.array(
    z.object({
      id: z.uuid(),
      name: z.string().nullable().describe('Null if the token was deleted'),
      messages: z.int(),
      credits: z.number(),
    }),
  ),
  other: otherUsage,
  rehearsals: z
    .array(
      z.object({
        id: z.string().describe('provider/name'),
        calls: z.int(),
        input_tokens: z.int(),
        output_tokens: z.int(),
        cost_usd: z
          .number()
          .nullable()
          .describe('US dollars at the saved price of the model; null: it has none'),
      }),
    )
    .describe(
      'The successful model calls of `other.rehearsals`, with those of the judges, by model; 50 at most',
    ),
  rehearsal_days: z
    .array(z.object({ day: z.iso.date(), credits: z.number() }))
    .describe('The credits of `other.rehearsals` by day (UTC); without days that have none'),
  cost_days: z
    .array(z.object({ day: z.iso.date(), cost_usd: z.number() }))
    .describe(
      'The known costs of the same calls and of the rehearsals by day (UTC); without days that have no priced call',
    ),
});
export type ModelUsage = z.infer<typeof modelUsage>;

const usageStorage = z
  .object({
    used_bytes: z.int().describe('Size of the files that are stored now'),
    limit_bytes: z.int().nullable().describe('Maximum size of all stored files. Null: no limit'),
    limit_is_default: z.boolean().describe("True if the limit is the installation's default"),
  })
  .meta({ id: 'UsageStorage', description: 'Bytes that the files of an organization use, and their limit' });

export const usage = z
  .object({
    organization: allowance.describe('For the organization'),
    token: allowance.optional().describe('For the token that makes the call'),
    credit_caps: creditCaps.nullable().describe('Caps on the credits of the organization. Null: none'),
    storage: usageStorage.describe('For the organization'),
    resets_at: timestamp.describe('When the next month starts'),
    days: z
      .array(
        z
          .object({
            day: z.iso.date().describe('The day in UTC'),
            messages: z.int().describe('Messages from users; a regenerated answer counts its messages again'),
            runs: z.int().describe('Runs that ended, including failed ones'),
            credits: z.number().describe('Cost of these runs'),
          })
          .meta({ id: 'UsageDay', description: 'Usage of one day' }),
      )
      .describe('Oldest first, including days without usage. Erased runs still count'),
  })
  .meta({ id: 'Usage', description: 'Usage and limits' });
export type Usage = z.infer<typeof usage>;
