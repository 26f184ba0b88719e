/** The capability that each console operation requires. No other capability allows the operation. */
import assert from 'node:assert/strict';
import type { Endpoint } from '../../../src/api/endpoint.ts';
import { consoleEndpoints } from '../../../src/api/endpoints/console.ts';
import { allCapabilities, type Capability } from '../../../src/contract/accounts/capabilities.ts';
import { signIn, type ConsoleCaller } from '../../support/console-person.ts';
import { useSharedStack } from '../../support/stack.ts';
import { unknownId } from '../../support/unknown-id.ts';

/** A new operation needs its line: whoever adds it decides who may call it. */
const expected: Record<Capability | 'member' | 'anyone', readonly string[]> = {
  anyone: [
    ...['get /session', 'post /sign-in', 'post /invitation', 'post /invitation/accept'],
    ...[
      'post /password-reset/request',
      'post /password-reset',
      'post /password-reset/use',
      'post /sign-in/code',
    ],
    ...['get /sign-in-providers', 'post /sign-in-providers/{id}', 'post /sign-in-providers/{id}/finish'],
  ],
  member: [
    ...['post /sign-out', 'post /password', 'post /organization', 'get /overview', 'get /agents-file'],
    ...['get /limit', 'get /health', 'get /account', 'post /second-factor', 'post /second-factor/confirm'],
    ...['post /second-factor/remove', 'post /second-factor/recovery-codes', 'patch /account'],
    ...['get /sessions', 'delete /sessions/{id}', 'delete /other-sessions'],
    ...['get /models', 'get /tools/http', 'get /tools/mcp', 'get /tool-activity', 'get /channels'],
    ...['get /tools/docs/actions', 'get /tools/docs/connections', 'get /agents', 'get /agents/{id}'],
    ...['get /agents/{id}/versions', 'get /agents/{id}/versions/{version}', 'get /agents/{id}/draft'],
    'get /deleted-agents',
    ...['get /agents/{id}/unpublished', 'get /agent-drafts'],
  ],
  'tokens.view': ['get /tokens', 'get /mcp-grants', 'get /requests'],
  'tokens.create': [
    ...['post /tokens', 'post /tokens/{id}/rotate', 'post /tokens/{id}/revoke'],
    ...['get /mcp-clients/{id}', 'post /mcp-grants', 'delete /mcp-grants/{id}'],
  ],
  'tokens.delete': ['delete /tokens/{id}'],
  'agents.manage': [
    'post /runs/{id}/try',
    ...[
      'put /agents-file',
      'post /policy-tests',
      'post /agents',
      'patch /agents/{id}',
      'delete /agents/{id}',
      'post /deleted-agents/{id}/restore',
      'post /chat/{id}',
    ],
    ...['post /agents/{id}/rollback', 'put /agents/{id}/draft', 'post /agents/{id}/versions'],
    ...['put /agents/{id}/candidate', 'delete /agents/{id}/draft', 'post /agents/{id}/rehearsals'],
    ...['cancel', 'resume'].map((one) => `post /agents/{id}/rehearsals/{rehearsalId}/${one}`),
    ...['post /agents/{id}/test-turns', 'delete /agents/{id}/test-turns/{turnId}'],
  ],
  'tools.manage': [
    ...['post /tools/docs/connections', 'delete /tools/docs/connections/{id}'],
    'post /tools/docs/actions/{action}',
    ...['post /tools/http', 'patch /tools/http/{id}', 'delete /tools/http/{id}', 'post /tools/http/{id}/run'],
    'post /tools/http/openapi',
    ...['post /tools/mcp', 'patch /tools/mcp/{id}', 'delete /tools/mcp/{id}', 'post /tools/mcp/{id}/run'],
    ...['post /tools/mcp/{id}/read', 'put /tools/mcp/{id}/tools', 'post /tools/mcp/{id}/sign-in'],
  ],
  'models.manage': [
    ...['post /model-providers', 'patch /model-providers/{id}', 'delete /model-providers/{id}'],
    ...['post /model-providers/{id}/test', 'put /default-model', 'put /model-price'],
    ...['get /local-model', 'post /local-model', 'get /model-servers'],
  ],
  'channels.manage': [
    ...['get', 'put', 'patch'].map((method) => `${method} /agents/{id}/channel`),
    ...['verify', 'disconnect', 'webhook', 'check', 'move', 'webhook/renew'].map(
      (one) => `post /agents/{id}/channel/${one}`,
    ),
    ...['webhook', 'events', 'hello/{requestId}'].map((one) => `get /agents/{id}/channel/${one}`),
    'post /agents/{id}/channel/hello',
  ],
  'conversations.view': [
    ...['get /conversations', 'get /conversations/{id}/timeline', 'get /messages/{id}/stream'],
    ...['get /assignees', 'get /conversations/{id}/notes', 'delete /conversations/{id}/notes/{noteId}'],
    ...['put /conversations/{id}/presence', 'get /waiting', 'get /called-tools', 'put /waiting-mails'],
    ...['put /conversations/{id}/seen', 'post /conversations/seen'],
    ...['get /runs/{id}', 'get /runs/{id}/history', 'get /approvals', 'get /approvals/{id}'],
    ...['get /agents/{id}/rehearsals', 'get /agents/{id}/rehearsals/{rehearsalId}'],
    ...['get /agents/{id}/rehearsals/{rehearsalId}/turns', 'get /agents/{id}/test-turns'],
  ],
  'conversations.take_over': [
    ...['post /conversations/{conversationId}/pause', 'post /conversations/{conversationId}/resume'],
    ...['post /conversations/{conversationId}/cancel', 'post /conversations/{conversationId}/regenerate'],
    ...['post /conversations/{conversationId}/messages', 'post /conversations/{id}/done'],
    'post /conversations/{id}/reopen',
    ...['put /conversations/{id}/assignee', 'post /conversations/{id}/notes'],
  ],
  'approvals.decide': ['post /approvals/{id}'],
  'deliveries.view': [
    'get /deliveries',
    'get /deliveries/{id}',
    'get /delivery-hosts',
    'get /delivery-receivers',
  ],
  'webhooks.manage': [
    ...['get /webhook-endpoints', 'post /webhook-endpoints', 'post /webhook-endpoints/{id}/rotate'],
    ...['patch /webhook-endpoints/{id}', 'delete /webhook-endpoints/{id}', 'post /deliveries/{id}/resend'],
    ...['post /test-callbacks', 'get /loopback-receivers', 'post /loopback-receivers'],
    'delete /loopback-receivers/{host}',
  ],
  'members.manage': [
    ...['get /members', 'patch /members/{id}', 'delete /members/{id}'],
    ...['post /members/{id}/reset', 'post /members/{id}/sign-out'],
    ...['get /invitations', 'post /invitations', 'delete /invitations/{id}'],
    ...['get /roles', 'post /roles', 'patch /roles/{id}', 'delete /roles/{id}'],
  ],
  'audit.view': ['get /audit', 'get /audit/export.csv', 'get /audit/export.jsonl'],
  'data.manage': [
    ...[
      'delete /conversations/{conversationId}',
      'delete /contacts/{contactId}',
      'get /contacts/{contactId}/export',
    ],
    ...['get /organization', 'patch /organization', 'get /export', 'get /usage', 'get /model-usage'],
    'get /organization/expiring',
    'get /erasure-size',
    ...['put /limit', 'put /tokens/{id}/limit'],
  ],
};

const neededFor = (endpoint: Endpoint) =>
  endpoint.auth === 'session' ? endpoint.capability : endpoint.auth === 'open' ? 'anyone' : 'token';

describe('Capabilities of the console', () => {
  const stack = useSharedStack();

  it('every operation requires the capability in the table above', () => {
    const found: Record<string, string[]> = Object.fromEntries(
      Object.keys(expected).map((one) => [one, [] as string[]]),
    );
    for (const endpoint of consoleEndpoints)
      found[neededFor(endpoint)]?.push(`${endpoint.method} ${endpoint.path}`);
    for (const [capability, operations] of Object.entries(expected))
      assert.deepEqual(found[capability]?.toSorted(), operations.toSorted(), capability);
  });

  for (const missing of allCapabilities) {
    it(`a member with every capability but ${missing} is refused what it guards`, async () => {
      const { call }: ConsoleCaller = await signIn(
        stack(),
        allCapabilities.filter((one) => one !== missing),
      );
      for (const operation of expected[missing]) {
        const [method = '', path = ''] = operation.split(' ');
        const answer = await call(method.toUpperCase(), path.replaceAll(/\{\w+\}/g, unknownId));
        const { code } = answer.body as { code: string };
        assert.deepEqual([answer.status, code], [403, 'forbidden'], operation);
      }
    });
  }

  it('a member who may take over conversations cannot erase them', async () => {
    const { api } = stack();
    const { conversation_id: id } = await api.ask((await api.createAgent()).id, { message: 'hello' });
    const { call } = await signIn(stack(), ['conversations.view', 'conversations.take_over']);
    assert.equal((await call('DELETE', `/conversations/${id}`)).status, 403);
    assert.equal((await api.call('GET', `/conversations/${id}`)).status, 200);
  });
});
