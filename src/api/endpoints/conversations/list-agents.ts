import { listAgents as findAgents } from '../../../adapters/postgres/conversations/agents.ts';
import { agent } from '../../../contract/conversations/agents.ts';
import { pageOf, pageQuery } from '../../../contract/page.ts';
import { agentView } from '../../conversations/agent-view.ts';
import { defineEndpoint } from '../../endpoint.ts';

export const listAgents = defineEndpoint({
  auth: 'token',
  method: 'get',
  path: '/agents',
  tag: 'Agents',
  summary: 'List agents',
  description: 'The agents of your organization, oldest first.',
  query: pageQuery,
  answers: { 200: pageOf(agent) },
  handle: async ({ query, caller: { organizationId } }, { db, defaultModel }, respond) => {
    const page = await findAgents(db, organizationId, query);
    return respond(200, { ...page, data: page.data.map((row) => agentView(row, defaultModel)) });
  },
});
