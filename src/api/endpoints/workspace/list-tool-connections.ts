import { toolConnectionList } from '../../../contract/workspace/tools.ts';
import { defineEndpoint } from '../../endpoint.ts';

export const listToolConnections = defineEndpoint({
  auth: 'token',
  method: 'get',
  path: '/tools/docs/connections',
  tag: 'Tools',
  summary: 'List the connected workspaces',
  description: 'Without their keys and tokens, which no call returns.',
  answers: { 200: toolConnectionList },
  handle: async ({ caller: { organizationId } }, { tools }, respond) =>
    respond(200, { data: await tools.connections.list(organizationId), next_cursor: null }),
});
