import { recordAudit } from '../../../adapters/postgres/accounts/audit-log.ts';
import { inTransaction } from '../../../adapters/postgres/database.ts';
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
  handle: async ({ body, caller }, deps, respond) => {
    await checkAgent(deps, caller.organizationId, body);
    const row = await inTransaction(deps.db, async (tx) => {
      const made = await insertAgent(tx, caller.organizationId, body);
      await recordAudit(tx, caller, 'agent_created', made.name);
      return made;
    });
    return respond(201, agentView(row, deps.defaultModel));
  },
});
