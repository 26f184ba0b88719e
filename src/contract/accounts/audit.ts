import { z } from 'zod';
import { keysOf } from '../keys-of.ts';
import { pageQuery, timestamp } from '../page.ts';
import { text } from '../text.ts';
import { auditEvents } from './audit-events.ts';

export const auditAction = z.enum(keysOf(auditEvents));
export type AuditAction = z.infer<typeof auditAction>;

export const auditEntry = z.object({
  id: z.uuid(),
  at: timestamp,
  actor: z.string().describe('Email of the user, or the name of what acted'),
  action: auditAction,
  target: z.string().describe('The object of the action, by its name at that time'),
  address: z.string().nullable(),
});

/** An audit event in the console's list. */
export const listedAuditEntry = auditEntry.extend({
  actor_id: z.uuid().nullable().describe('Id of the user, token or agent; null: the system'),
  agents: z
    .array(z.object({ id: z.uuid(), name: z.string(), is_deleted: z.boolean() }))
    .describe('The agents whose ids are in the target, by their present names'),
  contacts: z
    .array(
      z.object({
        id: z.uuid().describe('The id in the target: of a conversation, or of an approval in it'),
        conversation_id: z.uuid(),
        name: z.string().nullable().describe('Name or id of the contact; null: it has none'),
      }),
    )
    .describe(
      'The conversations and approvals whose ids are in the target, by contact; none unless the member may view conversations',
    ),
});
export type ListedAuditEntry = z.infer<typeof listedAuditEntry>;

/** An audit event in an export of the audit log. */
export const auditLine = auditEntry.extend({
  actor_id: z.uuid().nullable(),
  position: z.int().nullable().describe('Place in the hash chain; null until a worker has given it one'),
  hash: z.string().nullable().describe('SHA-256 in hexadecimal'),
});
export type AuditLine = z.infer<typeof auditLine>;

export const auditFilters = z.strictObject({
  action: auditAction.optional(),
  actor: z
    .union([z.uuid(), z.literal('system')])
    .optional()
    .describe(
      'Only what this user or API token did, by its id; system: only what neither did, such as the command line',
    ),
  search: text(200).optional().describe('Text in the actor, the target or the address'),
  from: z.iso.datetime().optional().describe('Only entries of this time and later'),
  to: z.iso.datetime().optional().describe('Only entries before this time'),
});
export type AuditFilters = z.output<typeof auditFilters>;
export const auditQuery = pageQuery.extend(auditFilters.shape);
