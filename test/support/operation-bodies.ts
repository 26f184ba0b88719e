import { unknownId } from './unknown-id.ts';

/** A valid body of each operation of /v1 that takes one, by its method and path. A new operation with a body needs its
 *  line here. */
export const operationBodies: Record<string, unknown> = {
  'post /agents': { name: 'Never created' },
  'patch /agents/{id}': { description: 'changed' },
  'patch /inboxes/{id}': { agent_id: unknownId },
  'post /chat/{id}': { message: 'hello' },
  'post /tools/docs/actions/{action}': { input: {} },
  'post /tools/docs/connections': { auth: 'API_KEY', api_key: 'ntn_never_sent' },
  'put /agents/{id}/channel': { base_url: 'https://gateway.example', instance_token: 'a-token' },
  'patch /agents/{id}/channel': { pause_minutes: 5 },
  'patch /organization': { retention_days: 30 },
  'post /conversations/{conversationId}/pause': { minutes: 5 },
  'post /conversations/{conversationId}/regenerate': {},
  'post /conversations/{conversationId}/messages': { text: 'hello' },
};
