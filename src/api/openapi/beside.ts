/** Describes the operations that follow external protocols: the MCP endpoint and the OAuth redirects. */
import { z } from 'zod';
import { mcpCallbackPath } from '../../contract/mcp-servers/callback-path.ts';
import { oauthCallbackPath } from '../../workspace/client/oauth.ts';
import { mcpScope } from '../workspace/mcp.ts';
import { errorAnswers, schemaOf } from './answers.ts';
import type { Json } from './plain-schema.ts';

const tags = ['Tools'];

/** @returns the OpenAPI operations by path below /v1, then by method */
export function operationsBeside(): Json {
  return {
    '/mcp': { post: callMcp() },
    [oauthCallbackPath.replace('/v1', '')]: { get: returnFromSignIn },
    [mcpCallbackPath('{id}')]: { get: returnFromMcpSignIn },
  };
}

const id = z.union([z.string(), z.number()]);
const message = z
  .looseObject({
    jsonrpc: z.literal('2.0').describe('Version of JSON-RPC'),
    id: id.optional().describe('Id of the message; a message without an id gets no response'),
    method: z.string().describe('For example tools/list or tools/call'),
    params: z.looseObject({}).optional().describe('Parameters of the method'),
  })
  .meta({
    id: 'McpMessage',
    description: 'A JSON-RPC message of the Model Context Protocol',
    example: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'DOCS_FETCH_DATA', arguments: { fetch_type: 'pages' } },
    },
  });
const refusal = z
  .object({
    jsonrpc: z.literal('2.0').describe('Version of JSON-RPC'),
    id: z.unknown().describe('Id of the message, a string or a number; null if it has none'),
    error: z
      .looseObject({
        code: z.int().describe('Error code of JSON-RPC'),
        message: z.string().describe('A sentence for people'),
      })
      .describe('The error'),
  })
  .meta({ id: 'McpRefusal', description: 'The response to a message that was refused' });

function callMcp(): Json {
  const refused = schemaOf(refusal, 'output');
  return {
    operationId: 'callMcp',
    summary: 'Call the document actions as an MCP client',
    description:
      'A server of the Model Context Protocol: streamable HTTP without sessions, one JSON-RPC message per request. Its tools are the actions of GET /tools/docs/actions; if several workspaces are connected, the argument `connection_id` selects one. Give a client this URL, and an API token as bearer token.',
    tags,
    security: [{ token: [mcpScope] }],
    parameters: [],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: schemaOf(message, 'input') } },
    },
    responses: {
      ...errorAnswers([
        'unauthorized',
        'forbidden',
        'rate_limited',
        'internal',
        'unavailable',
        'payload_too_large',
        'unsupported_media_type',
      ]),
      200: {
        description: 'The response, as an event. A failed action is a response with `isError`.',
        content: { 'text/event-stream': { schema: { type: 'string' } } },
      },
      202: { description: 'Accepted: a message that gets no response.' },
      400: {
        description: 'The body is not JSON, or not a message of the protocol.',
        content: {
          'application/json': {
            schema: {
              description: 'An error of the API, or a JSON-RPC error',
              anyOf: [{ $ref: '#/components/schemas/ErrorBody' }, refused],
            },
          },
        },
      },
      406: {
        description: 'The Accept header does not list both application/json and text/event-stream.',
        content: { 'application/json': { schema: refused } },
      },
    },
  };
}

const inQuery = (name: string, description: string) => ({
  name,
  in: 'query',
  description,
  required: false,
  schema: { type: 'string' },
});

/** @param outcome the query parameter of the page, and its values */
const toToolsPage = (outcome: string): Json => ({
  ...errorAnswers(['internal', 'unavailable']),
  303: {
    description: `Redirects to the console's tools page. Its query parameter ${outcome}.`,
    headers: { Location: { description: 'URL of the page', schema: { type: 'string' } } },
  },
});

const returnFromSignIn: Json = {
  operationId: 'returnFromSignIn',
  summary: 'Redirect of the workspace after a user allowed or denied a connection',
  description:
    'The redirect URL to register with the OAuth integration. `state` is the proof: it is valid for one use within ten minutes.',
  tags,
  security: [],
  parameters: [
    inQuery('state', 'The `state` of the authorization URL'),
    inQuery('code', 'If the user allowed the connection: the code that is exchanged for tokens'),
    inQuery('error', 'If the user denied the connection: access_denied'),
  ],
  responses: toToolsPage('`connection` is connected, denied, expired or failed'),
};

const returnFromMcpSignIn: Json = {
  operationId: 'returnFromMcpSignIn',
  summary: 'Redirect of an authorization server after a user allowed or denied access to an MCP server',
  description:
    'The redirect URI of a client that is registered by hand for this server. `state` is valid for one use within ten minutes, in the console session that began the sign-in.',
  tags,
  security: [],
  parameters: [
    {
      name: 'id',
      in: 'path',
      description: 'Identifier of the MCP server; with any other value, the sign-in counts as expired',
      required: true,
      schema: { type: 'string' },
    },
    inQuery('state', 'The `state` of the authorization URL'),
    inQuery('code', 'If the user allowed access: the code that is exchanged for tokens'),
    inQuery('error', 'If the user denied access: access_denied'),
    inQuery('iss', 'The issuer of the authorization server (RFC 9207)'),
  ],
  responses: toToolsPage('`sign_in` is signed_in, denied, expired, failed, not_allowed or busy'),
};
