/**
 * The capabilities of console users, with the label of each. The built-in role `admin` has all capabilities; a custom
 * role has those that it lists. Imports no zod, so that the console can use this file without loading zod.
 */
export const capabilityTable = {
  'tokens.view': 'View API tokens',
  'tokens.create': 'Create and rotate API tokens',
  'tokens.delete': 'Delete API tokens',
  'agents.manage': 'Manage agents',
  'tools.manage': 'Manage tools and connections',
  'models.manage': 'Manage AI models and keys',
  'channels.manage': 'Manage channels',
  'conversations.view': 'View conversations',
  'conversations.take_over': 'Take over conversations',
  'approvals.decide': 'Approve tool calls',
  'deliveries.view': 'View deliveries',
  'webhooks.manage': 'Manage webhook signatures, send callbacks again',
  'members.manage': 'Manage members and roles',
  'audit.view': 'View audit log',
  'data.manage': 'Manage retention, limits, export and erasure of data',
} as const;
