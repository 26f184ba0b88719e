import { createAgent as insertAgent } from '../../../adapters/postgres/conversations/agents.ts';
import { agent, createAgent as createAgentBody } from '../../../contract/conversations/agents.ts';
import { agentView } from '../../conversations/agent-view.ts';
import { checkAgent } from '../../../app/conversations/check-agent.ts';
import { defineEndpoint } from '../../endpoint.ts';

export const createAgent = defineEndpoint({
  auth: 'token',
  method: 'post',
  path: '/agents',
  tag: 'Agents',
  summary: 'Create an agent with its API inbox',
  description:
    'Only name is required. Without a model, the agent uses the configured default. scripted/default needs no provider: it answers from the script of the agent.',
  body: createAgentBody,
  answers: { 201: agent },
  errors: ['conflict'],
  handle: async ({ body, caller: { organizationId }, note }, deps, respond) => {
    await checkAgent(deps, organizationId, body);
    const row = await insertAgent(deps.db, organizationId, body);
    note('agent_created', row.name);
    return respond(201, agentView(row, deps.defaultModel));
  },
});
