/** What was used, and how much may be. */
import { z } from 'zod';
import { timestamp } from '../page.ts';

export const creditLimit = z
  .number()
  .min(0)
  .max(1e12)
  .nullable()
  .describe('Credits that a calendar month (UTC) may cost. Null: no limit');

export const messageLimit = z
  .int()
  .min(0)
  .max(2_000_000_000)
  .nullable()
  .describe('Messages that a calendar month (UTC) may bring. Null: no limit');

export const storageLimit = z
  .int()
  .min(0)
  .max(2_000_000_000)
  .nullable()
  .describe('Mebibytes of files that may be kept. Null: the default of the installation');

/** What is left out stays as it is. */
export const monthlyLimits = z
  .strictObject({ monthly_credit_limit: creditLimit, monthly_message_limit: messageLimit })
  .partial();
export type MonthlyLimits = z.infer<typeof monthlyLimits>;

/** Of an organization. */
export const organizationLimits = monthlyLimits.extend({ storage_limit_megabytes: storageLimit.optional() });
export type OrganizationLimits = z.infer<typeof organizationLimits>;

/** Whether calls of the API are refused now. */
export const limitState = z.object({
  reached: z.enum(['credits', 'messages']).nullable(),
  resets_at: timestamp.describe('When the next month begins'),
});
export type LimitState = z.infer<typeof limitState>;

const allowance = z
  .object({
    limit: creditLimit,
    used: z.number().describe('Credits of the runs that have ended this month'),
    message_limit: messageLimit,
    messages: z.int().describe('Messages of the runs that have ended this month'),
  })
  .meta({ id: 'UsageAllowance', description: 'What was used this month, and how much may be' });

export const usageQuery = z.strictObject({
  days: z.coerce.number().int().min(1).max(92).default(31).describe('Days, with today (UTC); 1 to 92'),
  of: z
    .enum(['organization', 'token'])
    .default('organization')
    .describe('token: what was begun by calls with this token alone'),
});

const usageStorage = z
  .object({
    used_bytes: z.int().describe('Of the files that are stored now'),
    limit_bytes: z.int().nullable().describe('The most that may be stored. Null: no limit'),
    limit_is_default: z.boolean().describe('Whether the limit is that of the installation'),
  })
  .meta({ id: 'UsageStorage', description: 'Bytes that the files of an organization use, and their limit' });

export const usage = z
  .object({
    organization: allowance.describe('Of the organization'),
    token: allowance.optional().describe('Of the token that asks'),
    storage: usageStorage.describe('Of the organization'),
    resets_at: timestamp.describe('When the next month begins'),
    days: z
      .array(
        z
          .object({
            day: z.iso.date().describe('In UTC'),
            messages: z.int().describe('Messages from users; a regenerated answer counts its messages again'),
            runs: z.int().describe('That ended, also those that failed'),
            credits: z.number().describe('What they cost'),
          })
          .meta({ id: 'UsageDay', description: 'One day' }),
      )
      .describe('Oldest first, days without anything too. What was erased is counted on'),
  })
  .meta({ id: 'Usage', description: 'What was used, and how much may be' });
export type Usage = z.infer<typeof usage>;
