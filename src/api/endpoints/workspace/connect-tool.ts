import { connectTool as connectToolBody, toolConnection } from '../../../contract/workspace/tools.ts';
import { defineEndpoint } from '../../endpoint.ts';

export const connectTool = defineEndpoint({
  auth: 'token',
  method: 'post',
  path: '/tools/docs/connections',
  tag: 'Tools',
  summary: 'Connect a document workspace',
  description:
    'A key is checked, then stored encrypted. OAUTH2 returns the address where a person must allow the connection within ten minutes. Connecting the same integration again replaces its credentials.',
  body: connectToolBody,
  answers: { 201: toolConnection },
  errors: ['invalid_state', 'invalid_credentials', 'gateway_unreachable'],
  handle: async ({ body, caller }, { tools }, respond) => {
    const { connections } = tools;
    const connection =
      body.auth === 'OAUTH2'
        ? await connections.startOAuth(caller)
        : await connections.connectByKey(caller, body.api_key);
    return respond(201, connection);
  },
});
