/**
 * The capabilities of console users, with the label of each. Administrators have all of them; a custom role has those
 * that it lists. In a file without zod, so that the console can import it.
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
