import { z } from 'zod';
import { toolConnection } from '../../../contract/workspace/tools.ts';
import { defineEndpoint } from '../../endpoint.ts';

export const getToolConnection = defineEndpoint({
  auth: 'token',
  method: 'get',
  path: '/tools/docs/connections/{id}',
  tag: 'Tools',
  summary: 'Read a connection',
  description:
    'Without its keys and tokens. A pending OAUTH2 connection includes the address where a person must allow it.',
  params: z.object({ id: z.uuid().describe('Identifier of the connection') }),
  answers: { 200: toolConnection },
  errors: ['not_found'],
  handle: async ({ params, caller: { organizationId } }, { tools }, respond) =>
    respond(200, await tools.connections.get(organizationId, params.id)),
});
