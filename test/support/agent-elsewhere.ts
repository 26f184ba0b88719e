/** An organization whose agent runs elsewhere, behind an endpoint of the caller. */
import assert from 'node:assert/strict';
import type { Agent } from '../../src/contract/conversations/agents.ts';
import type { SavedProvider } from '../../src/contract/models/models.ts';
import type { ApiClient } from './api-client.ts';
import { signIn } from './console-person.ts';
import type { Stack } from './stack.ts';

/**
 * Adds the provider, which makes a test call, and an agent that uses it.
 * @param stack started with an ENCRYPTION_KEY and the endpoint's address in MODEL_ALLOW
 * @returns `sample` is the answer to the test call
 */
export async function agentElsewhere(
  stack: Stack,
  endpoint: { url: string; key: string },
): Promise<{ api: ApiClient; agent: Agent; sample: string }> {
  const { organizationId, api } = await stack.stranger();
  const { call } = await signIn({ ...stack, organizationId });
  const { url: base_url, key: api_key } = endpoint;
  const added = await call('POST', '/model-providers', {
    ...{ kind: 'agent', name: 'elsewhere', base_url, api_key, models: ['support'] },
  });
  assert.equal(added.status, 201, JSON.stringify(added.body));
  const agent = await api.createAgent({ model: 'elsewhere/support', instructions: 'Be brief.' });
  return { api, agent, sample: (added.body as SavedProvider).test.sample };
}
