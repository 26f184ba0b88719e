/** What a person may do in the console. Administrators have all of it; a custom role has what it is given. */
import { z } from 'zod';

export const capabilityTable = {
  'tokens.view': 'View API tokens',
  'tokens.create': 'Create and rotate API tokens',
  'tokens.delete': 'Delete API tokens',
  'agents.manage': 'Manage agents',
  'tools.manage': 'Manage tools and connections',
  'channels.manage': 'Manage channels',
  'conversations.view': 'View conversations',
  'conversations.take_over': 'Take over conversations',
  'deliveries.view': 'View deliveries',
  'members.manage': 'Manage members and roles',
  'audit.view': 'View audit log',
} as const;

export type Capability = keyof typeof capabilityTable;

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
] satisfies Capability[]);

export const allCapabilities: readonly Capability[] = capability.options;

/** The role that nobody can take apart: it has every capability, also those that come later. */
export const administratorRole = 'admin';
