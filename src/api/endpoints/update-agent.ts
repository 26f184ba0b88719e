import { z } from 'zod';
import { findAgent, updateAgent as changeAgent } from '../../adapters/db/agents.ts';
import { agent, updateAgent as updateAgentBody } from '../../contract/agents.ts';
import { PublicError } from '../../contract/errors.ts';
import { agentView } from '../agent-view.ts';
import { checkAgent } from '../check-agent.ts';
import { defineEndpoint } from '../endpoint.ts';

export const updateAgent = defineEndpoint({
  method: 'patch',
  path: '/agents/{id}',
  tag: 'Agents',
  summary: 'Change an agent',
  description: 'Fields that are absent stay as they are. Null takes an optional setting back to its default.',
  params: z.object({ id: z.uuid().describe('Identifier of the agent') }),
  body: updateAgentBody,
  answers: { 200: agent },
  errors: ['not_found', 'conflict'],
  handle: async ({ params, body, organizationId, note }, deps, respond) => {
    if ((await findAgent(deps.db, organizationId, params.id)) === undefined)
      throw new PublicError('not_found');
    await checkAgent(deps, organizationId, body);
    const row = await changeAgent(deps.db, organizationId, params.id, body);
    if (row === undefined) throw new PublicError('not_found');
    note('agent_changed', row.name);
    return respond(200, agentView(row, deps.defaultModel));
  },
});
