import { z } from 'zod';
import { pageQuery, timestamp } from '../page.ts';

export const auditAction = z.enum([
  'organization_created',
  'signed_in',
  'signed_out',
  'password_changed',
  'token_created',
  'token_rotated',
  'token_revoked',
  'token_deleted',
  'agent_created',
  'agent_changed',
  'agent_deleted',
  'agents_imported',
  'inbox_bound',
  'member_added',
  'member_role_changed',
  'member_removed',
  'invitation_created',
  'invitation_revoked',
  'invitation_accepted',
  'role_created',
  'role_changed',
  'role_deleted',
  'connection_created',
  'connection_deleted',
  'channel_connected',
  'channel_edited',
  'channel_disconnected',
  'channel_moved',
  'model_provider_added',
  'model_provider_changed',
  'model_provider_removed',
  'default_model_changed',
  'answer_regenerated',
  'runs_cancelled',
  'agent_paused',
  'agent_resumed',
  'person_wrote',
  'conversation_erased',
  'secrets_rotated',
  'contact_erased',
  'organization_erased',
  'organization_changed',
  'token_limited',
  'mcp_client_allowed',
  'mcp_client_removed',
]);
export type AuditAction = z.infer<typeof auditAction>;

export const auditEntry = z.object({
  id: z.uuid(),
  at: timestamp,
  actor: z.string().describe('Email of the user, or the name of what acted'),
  action: auditAction,
  target: z.string().describe('The object of the action, by its name at that time'),
  address: z.string().nullable(),
});
export type AuditEntry = z.infer<typeof auditEntry>;

export const auditQuery = pageQuery.extend({ action: auditAction.optional() });
