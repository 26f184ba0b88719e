/** The capabilities of console users. Administrators have all of them; a custom role has those that it lists. */
import { z } from 'zod';

export const capability = z.enum([
  'tokens.view',
  'tokens.create',
  'tokens.delete',
  'agents.manage',
  'tools.manage',
  'models.manage',
  'channels.manage',
  'conversations.view',
  'conversations.take_over',
  'approvals.decide',
  'deliveries.view',
  'webhooks.manage',
  'members.manage',
  'audit.view',
  'data.manage',
]);
export type Capability = z.infer<typeof capability>;

export const allCapabilities: readonly Capability[] = capability.options;

/** The built-in role. It cannot be changed and has every capability, including future ones. */
export const administratorRole = 'admin';
