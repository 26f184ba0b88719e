import { z } from 'zod';
import { findAgent } from '../../../adapters/postgres/conversations/agents.ts';
import { agent } from '../../../contract/conversations/agents.ts';
import { PublicError } from '../../../contract/errors.ts';
import { agentView } from '../../conversations/agent-view.ts';
import { defineEndpoint } from '../../endpoint.ts';

export const getAgent = defineEndpoint({
  auth: 'token',
  method: 'get',
  path: '/agents/{id}',
  tag: 'Agents',
  summary: 'Read an agent',
  description: 'Includes the default of every setting that is not set.',
  params: z.object({ id: z.uuid().describe('Identifier of the agent') }),
  answers: { 200: agent },
  errors: ['not_found'],
  handle: async ({ params, caller: { organizationId } }, { db, defaultModel }, respond) => {
    const row = await findAgent(db, organizationId, params.id);
    if (row === undefined) throw new PublicError('not_found');
    return respond(200, agentView(row, defaultModel));
  },
});
