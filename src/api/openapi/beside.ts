/** Operations in other parties' formats, written by hand: the MCP endpoint, and the return from a sign-in. */
import { z } from 'zod';
import { oauthCallbackPath } from '../../workspace/client/oauth.ts';
import { errorAnswers, schemaOf } from './answers.ts';
import type { Json } from './plain-schema.ts';

const tags = ['Tools'];

/** Keyed by path below /v1, then by method. */
export function operationsBeside(): Json {
  return {
    '/mcp': { post: callMcp() },
    [oauthCallbackPath.replace('/v1', '')]: { get: returnFromSignIn },
  };
}

const id = z.union([z.string(), z.number()]);
const message = z
  .looseObject({
    jsonrpc: z.literal('2.0').describe('Version of JSON-RPC'),
    id: id.optional().describe('Without one no answer is given'),
    method: z.string().describe('Such as tools/list or tools/call'),
    params: z.looseObject({}).optional().describe('What the method takes'),
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
    id: z.unknown().describe('Of the message, text or a number; null where it has none'),
    error: z
      .looseObject({
        code: z.int().describe('As JSON-RPC counts them'),
        message: z.string().describe('A readable sentence'),
      })
      .describe('Why'),
  })
  .meta({ id: 'McpRefusal', description: 'A message that could not be taken' });

function callMcp(): Json {
  const refused = schemaOf(refusal, 'output');
  return {
    operationId: 'callMcp',
    summary: 'The document actions for an MCP client',
    description:
      'A server of the Model Context Protocol: streamable HTTP without sessions, one JSON-RPC message a request. Its tools are the actions of GET /tools/docs/actions; where several workspaces are connected, `connection_id` among the arguments says which. Give a client this address and an API token as bearer token.',
    tags,
    parameters: [],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: schemaOf(message, 'input') } },
    },
    responses: {
      ...errorAnswers([
        ...(['unauthorized', 'rate_limited', 'internal', 'unavailable'] as const),
        ...(['payload_too_large', 'unsupported_media_type'] as const),
      ]),
      200: {
        description: 'The answer, as an event. A failed action is an answer too: `isError` says so.',
        content: { 'text/event-stream': { schema: { type: 'string' } } },
      },
      202: { description: 'Taken: a message that asks for no answer.' },
      400: {
        description: 'Not JSON, or no message of the protocol.',
        content: {
          'application/json': {
            schema: {
              description: 'An error of the API, or a refusal of the protocol',
              anyOf: [{ $ref: '#/components/schemas/ErrorBody' }, refused],
            },
          },
        },
      },
      406: {
        description: 'Accept does not name both application/json and text/event-stream.',
        content: { 'application/json': { schema: refused } },
      },
    },
  };
}

const textOf = (description: string) => ({ description, required: false, schema: { type: 'string' } });

const returnFromSignIn: Json = {
  operationId: 'returnFromSignIn',
  summary: 'Where the workspace sends a person back to',
  description:
    'The redirect address to register with the OAuth integration. `state` is the proof: it is used once, within ten minutes.',
  tags,
  security: [],
  parameters: [
    { name: 'state', in: 'query', ...textOf('As it was in the authorization URL') },
    { name: 'code', in: 'query', ...textOf('Where the person allowed it: exchanged for tokens') },
    { name: 'error', in: 'query', ...textOf('Where they did not: access_denied') },
  ],
  responses: {
    ...errorAnswers(['internal', 'unavailable']),
    303: {
      description:
        "To the console's tools page, whose query says `connection`: connected, denied, expired or failed.",
      headers: { Location: { description: 'The page', schema: { type: 'string' } } },
    },
  },
};
