import { toolActionList } from '../../../contract/workspace/tools.ts';
import { defineEndpoint } from '../../endpoint.ts';

export const listToolActions = defineEndpoint({
  auth: 'token',
  method: 'get',
  path: '/tools/docs/actions',
  tag: 'Tools',
  summary: 'List the document-workspace actions',
  description: 'All actions, each with the JSON schema of its input.',
  answers: { 200: toolActionList },
  handle: (_, { tools }, respond) =>
    Promise.resolve(respond(200, { data: [...tools.definitions], next_cursor: null })),
});
