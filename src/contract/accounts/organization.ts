/** The organization that a token belongs to, and what it has set for itself. */
import { z } from 'zod';
import { text, timestamp } from '../page.ts';

const retentionDays = z
  .int()
  .min(1)
  .max(36_500)
  .nullable()
  .describe(
    'Messages, attachments, tool calls and deliveries are erased so many days after their run has ended, and with the last of them the conversation and its contact. Null: they are kept',
  );

export const organization = z
  .object({
    id: z.uuid().describe('Identifier of the organization'),
    name: z.string().describe('As people know it'),
    retention_days: retentionDays,
    created_at: timestamp,
  })
  .meta({ id: 'Organization', description: 'The organization that the token belongs to' });

export const changeOrganization = z
  .strictObject({ retention_days: retentionDays.optional() })
  .meta({ id: 'ChangeOrganization', description: 'What is to change; absent fields stay' });
export type ChangeOrganization = z.infer<typeof changeOrganization>;

export const expiringQuery = z.strictObject({ days: z.coerce.number().int().min(1).max(36_500) });
export const expiring = z.object({
  whole: z.int().describe('Conversations that would be erased whole'),
  part: z.int().describe('Conversations that go on, and would lose their older part'),
  complete: z.boolean().describe('False: there are more'),
});
export type Expiring = z.infer<typeof expiring>;

export const contactParams = z.object({
  contactId: text(255).min(1).describe("The contact's `id`, as a conversation shows it; percent-encoded"),
});
