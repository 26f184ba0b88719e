/** Agents, listed as models in the form of OpenAI's API. */
import { z } from 'zod';

export const openAiModel = z
  .object({
    id: z.uuid().describe('Identifier of the agent: the `model` of a call'),
    object: z.literal('model').describe('Always model'),
    created: z.int().describe('When the agent was created, in seconds since 1970'),
    owned_by: z.string().describe('Identifier of your organization'),
    name: z.string().describe('Name of the agent'),
  })
  .meta({ id: 'OpenAiModel', description: 'An active agent, as a model' });

export const openAiModels = z
  .object({
    object: z.literal('list').describe('Always list'),
    data: z.array(openAiModel).describe('All active agents that the token may reach, oldest first'),
  })
  .meta({ id: 'OpenAiModelList', description: 'The models' });
