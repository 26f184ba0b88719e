/** What a person may do in the console. Administrators have all of it; a custom role has what it is given. */
import { z } from 'zod';

export const capability = z.enum([
  'tokens.view',
  'tokens.create',
  'tokens.delete',
  'agents.manage',
  'tools.manage',
  'channels.manage',
  'conversations.view',
  'conversations.take_over',
  'deliveries.view',
  'members.manage',
  'audit.view',
  'data.manage',
]);
export type Capability = z.infer<typeof capability>;

export const allCapabilities: readonly Capability[] = capability.options;

/** The role that nobody can take apart: it has every capability, also those that come later. */
export const administratorRole = 'admin';
