import { connectTool as connectToolBody, toolConnection } from '../../contract/tools.ts';
import { PublicError } from '../../contract/errors.ts';
import { defineEndpoint } from '../endpoint.ts';

export const connectTool = defineEndpoint({
  method: 'post',
  path: '/tools/docs/connections',
  tag: 'Tools',
  summary: 'Connect a document workspace',
  description:
    'The key is tried before it is kept, encrypted. Connecting the same integration again replaces its key.',
  body: connectToolBody,
  answers: { 201: toolConnection },
  errors: ['invalid_state', 'invalid_credentials', 'gateway_unreachable'],
  handle: async ({ body, organizationId }, { tools }, respond) => {
    if (body.auth === 'OAUTH2') {
      throw new PublicError('invalid_state', { sentence: 'OAuth 2.0 is not set up on this installation.' });
    }
    return respond(201, await tools.connections.connectByKey(organizationId, body.api_key));
  },
});
