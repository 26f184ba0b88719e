import { z } from 'zod';
import { pageQuery, timestamp } from '../page.ts';
import { text } from '../text.ts';

export const auditAction = z.enum([
  'organization_created',
  'signed_in',
  'sign_in_failed',
  'signed_out',
  'password_changed',
  'password_reset_created',
  'password_reset',
  'sessions_ended',
  'second_factor_added',
  'second_factor_removed',
  'second_factor_failed',
  'recovery_code_used',
  'recovery_codes_renewed',
  'provider_linked',
  'provider_unlinked',
  'token_created',
  'token_rotated',
  'token_revoked',
  'token_deleted',
  'agent_created',
  'agent_changed',
  'agent_published',
  'agent_share_changed',
  'agent_rolled_back',
  'agent_deleted',
  'agents_imported',
  'rehearsal_started',
  'rehearsal_cancelled',
  'test_set_changed',
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
  'connection_completed',
  'connection_deleted',
  'channel_connected',
  'channel_edited',
  'channel_verified',
  'webhook_set',
  'channel_disconnected',
  'channel_moved',
  'webhook_renewed',
  'webhook_endpoint_added',
  'webhook_secret_rotated',
  'webhook_endpoint_removed',
  'callback_resent',
  'test_callback_sent',
  'loopback_receiver_allowed',
  'loopback_receiver_removed',
  'model_provider_added',
  'model_provider_changed',
  'model_provider_removed',
  'default_model_changed',
  'answer_regenerated',
  'runs_cancelled',
  'agent_paused',
  'agent_resumed',
  'approval_given',
  'approval_refused',
  'approval_expired',
  'person_wrote',
  'conversation_erased',
  'secrets_rotated',
  'contact_erased',
  'organization_erased',
  'organization_changed',
  'token_limited',
  'credit_cap_nearing',
  'credit_cap_reached',
  'mcp_client_allowed',
  'mcp_client_removed',
  'audit_retention_changed',
  'audit_exported',
  'data_exported',
  'http_tool_created',
  'http_tool_changed',
  'http_tool_deleted',
  'mcp_server_added',
  'mcp_server_changed',
  'mcp_server_removed',
  'mcp_tools_accepted',
  'tool_action_run',
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

/** An entry as exports have it. */
export const auditLine = auditEntry.extend({
  actor_id: z.uuid().nullable(),
  position: z
    .number()
    .int()
    .nullable()
    .describe('Place in the hash chain; null until a worker has given it one'),
  hash: z.string().nullable().describe('SHA-256 in hexadecimal'),
});
export type AuditLine = z.infer<typeof auditLine>;

export const auditFilters = z.strictObject({
  action: auditAction.optional(),
  search: text(200).optional().describe('Text in the actor, the target or the address'),
  from: z.iso.datetime().optional().describe('Only entries of this time and later'),
  to: z.iso.datetime().optional().describe('Only entries before this time'),
});
export type AuditFilters = z.output<typeof auditFilters>;
export const auditQuery = pageQuery.extend(auditFilters.shape);
