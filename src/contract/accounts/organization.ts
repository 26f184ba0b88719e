/** The organization that a token belongs to, and its settings. */
import { z } from 'zod';
import { timestamp } from '../page.ts';
import { text } from '../text.ts';

const retentionDays = z
  .int()
  .min(1)
  .max(36_500)
  .nullable()
  .describe(
    'Messages, attachments, tool calls and deliveries are erased this many days after their run has ended; the conversation and its contact are erased with the last of them. Null: nothing is erased',
  );

export const organization = z
  .object({
    id: z.uuid().describe('Identifier of the organization'),
    name: z.string().describe('Name of the organization'),
    retention_days: retentionDays,
    audit_retention_days: z
      .int()
      .nullable()
      .describe(
        'Entries of the audit log are deleted after this many days; null: never. Whoever runs the server changes it on the command line',
      ),
    created_at: timestamp,
  })
  .meta({ id: 'Organization', description: 'The organization that the token belongs to' });

export type Organization = z.infer<typeof organization>;

export const changeOrganization = z
  .strictObject({ retention_days: retentionDays.optional() })
  .meta({ id: 'ChangeOrganization', description: 'The fields to change; absent fields stay as they are' });
export type ChangeOrganization = z.infer<typeof changeOrganization>;

export const expiringQuery = z.strictObject({ days: z.coerce.number().int().min(1).max(36_500) });
export const expiring = z.object({
  whole: z.int().describe('Conversations that would be erased completely'),
  part: z.int().describe('Active conversations that would lose their older part'),
  complete: z.boolean().describe('False if there are more'),
});
export type Expiring = z.infer<typeof expiring>;

export const contactParams = z.object({
  contactId: text(255).min(1).describe("The contact's `id`, as a conversation shows it; percent-encoded"),
});
