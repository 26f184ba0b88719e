/** Endpoints that return agents as the models of OpenAI's API. */
import { z } from 'zod';
import { findAgent, listModels } from '../../../adapters/postgres/conversations/agents.ts';
import { openAiModel, openAiModels } from '../../../contract/conversations/openai-models.ts';
import { PublicError } from '../../../contract/errors.ts';
import { boundAgents } from '../../admit.ts';
import { defineEndpoint } from '../../endpoint.ts';

const shared = {
  auth: 'token',
  scope: 'agents.view',
  tag: 'OpenAI',
  errorForm: 'openai',
} as const;

export const listOpenAiModels = defineEndpoint({
  ...shared,
  agents: 'list',
  request: 'GET /openai/models',
  summary: "List agents as OpenAI's models",
  description: 'All active agents, oldest first, on one page.',
  answers: { 200: openAiModels },
  handle: async ({ caller }, { db }, respond) => {
    const rows = await listModels(db, caller.organizationId, boundAgents(caller));
    return respond(200, { object: 'list', data: rows.map((row) => modelOf(row, caller.organizationId)) });
  },
});

export const getOpenAiModel = defineEndpoint({
  ...shared,
  agents: 'agent',
  request: 'GET /openai/models/{model}',
  summary: "Read an agent as OpenAI's model",
  description: 'An inactive agent is not found.',
  params: z.object({ model: z.uuid().describe('Identifier of the agent') }),
  answers: { 200: openAiModel },
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
