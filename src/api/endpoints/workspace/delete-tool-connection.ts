import { z } from 'zod';
import { defineEndpoint } from '../../endpoint.ts';

export const deleteToolConnection = defineEndpoint({
  auth: 'token',
  method: 'delete',
  path: '/tools/docs/connections/{id}',
  tag: 'Tools',
  summary: 'Disconnect a workspace',
  description: 'Erases its tokens. An OAuth token is first revoked at the workspace.',
  params: z.object({ id: z.uuid().describe('Identifier of the connection') }),
  answers: { 204: z.undefined() },
  errors: ['not_found'],
  handle: async ({ params, caller }, { tools }, respond) => {
    await tools.connections.disconnect(caller, params.id);
    return respond(204, undefined);
  },
});
