import { unknownId } from './unknown-id.ts';

/** A valid body of each operation of /v1 that takes one, by its method and path. A new operation with a body needs its
 *  line here. */
export const operationBodies: Record<string, unknown> = {
  'post /agents': { name: 'Never created' },
  'patch /agents/{id}': { description: 'changed' },
  'post /agents/{id}/rollback': { version: 1 },
  'patch /inboxes/{id}': { agent_id: unknownId },
  'post /chat/{id}': { message: 'hello' },
  'post /openai/chat/completions': { model: unknownId, messages: [{ role: 'user', content: 'hello' }] },
  'post /openai/responses': { model: unknownId, input: 'hello' },
  'post /tools/docs/actions/{action}': { input: {} },
  'post /tools/docs/connections': { auth: 'API_KEY', api_key: 'ntn_never_sent' },
  'post /tools/http': {
    ...{ name: 'never_created', description: 'Never called', method: 'GET', effect: 'read' },
    url: 'https://api.example.com/',
  },
  'post /tools/http/openapi': { document: 'openapi: 3.1.0', base_url: 'https://api.example.com' },
  'patch /tools/http/{id}': { timeout_seconds: 20 },
  'post /tools/http/{id}/run': { input: {} },
  'put /agents/{id}/channel': { base_url: 'https://gateway.example', instance_token: 'a-token' },
  'patch /agents/{id}/channel': { pause_minutes: 5 },
  'post /test-callbacks': { url: 'http://10.0.0.1/blocked' },
  'post /webhook-endpoints': { url: 'https://shop.example/hooks' },
  'post /webhook-endpoints/{id}/rotate': {},
  'patch /organization': { retention_days: 30 },
  'post /conversations/{conversationId}/pause': { minutes: 5 },
  'post /conversations/{conversationId}/regenerate': {},
  'post /conversations/{conversationId}/messages': { text: 'hello' },
};

/** A valid body for each console-only operation that takes one. Requires only the operation's capability. */
export const consoleBodies: Record<string, unknown> = {
  'post /password': { current_password: 'a wrong password', new_password: 'a long new password' },
  'post /organization': { organization_id: unknownId },
  'post /second-factor': { password: 'a wrong password' },
  'post /second-factor/confirm': { code: '000000' },
  'post /second-factor/remove': { password: 'a wrong password' },
  'post /second-factor/recovery-codes': { password: 'a wrong password' },
  'post /tokens': { name: 'Never created', scopes: ['agents.view'] },
  'post /tokens/{id}/rotate': { overlap_seconds: 0 },
  'put /tokens/{id}/limit': { monthly_credit_limit: 1 },
  'post /runs/{id}/try': { instructions: 'Answer in one word.' },
  'post /loopback-receivers': { url: 'http://127.0.0.1:9/never' },
  'post /mcp-grants': {
    ...{ client_id: unknownId, organization_id: unknownId, redirect_uri: 'https://x.example/' },
    ...{ code_challenge: 'x'.repeat(43), allow: true },
  },
  'put /agents-file': { yaml: 'agents:\n  - name: Never created\n' },
  'post /model-providers': { kind: 'openai', name: 'never', api_key: 'sk-never-sent', models: ['m'] },
  'patch /model-providers/{id}': { models: ['other'] },
  'post /model-providers/{id}/test': { model: 'm' },
  'put /default-model': { model: null },
  'put /conversations/{id}/seen': { messages: 1 },
  'put /limit': { monthly_credit_limit: 1 },
  'post /invitations': { email: 'never@example.com', role_id: unknownId },
  'patch /members/{id}': { role_id: unknownId },
  'post /roles': { name: 'Never created', capabilities: [] },
  'patch /roles/{id}': { name: 'Never changed', capabilities: [] },
};
