/** Agents as the models of OpenAI's API. */
import { z } from 'zod';
import { findAgent, listModels } from '../../../adapters/postgres/conversations/agents.ts';
import { openAiModel, openAiModels } from '../../../contract/conversations/openai-models.ts';
import { PublicError } from '../../../contract/errors.ts';
import { boundAgents } from '../../admit.ts';
import { defineEndpoint } from '../../endpoint.ts';

export const listOpenAiModels = defineEndpoint({
  auth: 'token',
  scope: 'agents.view',
  agents: 'list',
  method: 'get',
  path: '/openai/models',
  tag: 'OpenAI',
  summary: "List agents as OpenAI's models",
  description: 'All active agents, oldest first, on one page.',
  errorForm: 'openai',
  answers: { 200: openAiModels },
  handle: async ({ caller }, { db }, respond) => {
    const rows = await listModels(db, caller.organizationId, boundAgents(caller));
    return respond(200, { object: 'list', data: rows.map((row) => modelOf(row, caller.organizationId)) });
  },
});

export const getOpenAiModel = defineEndpoint({
  auth: 'token',
  scope: 'agents.view',
  agents: 'agent',
  method: 'get',
  path: '/openai/models/{model}',
  tag: 'OpenAI',
  summary: "Read an agent as OpenAI's model",
  description: 'An inactive agent is not found.',
  params: z.object({ model: z.uuid().describe('Identifier of the agent') }),
  errorForm: 'openai',
  answers: { 200: openAiModel },
  errors: ['not_found'],
  handle: async ({ params, caller }, { db }, respond) => {
    const row = await findAgent(db, caller.organizationId, params.model);
    if (row?.active !== true) throw new PublicError('not_found');
    return respond(200, modelOf(row, caller.organizationId));
  },
});

function modelOf(
  { id, name, created_at }: { id: string; name: string; created_at: Date },
  organizationId: string,
): z.input<typeof openAiModel> {
  const created = Math.floor(created_at.getTime() / 1000);
  return { id, object: 'model', created, owned_by: organizationId, name };
}
