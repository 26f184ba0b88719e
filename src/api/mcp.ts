/** The document actions for any MCP client: streamable HTTP without sessions, the API's own bearer tokens. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import type { Request, RequestHandler, Response as ExpressResponse } from 'express';
import { inOrganization } from '../adapters/db/organization-scope.ts';
import type { DocsToolDefinition } from '../contract/docs.ts';
import { PublicError } from '../contract/errors.ts';
import { admit, type Gate } from './admit.ts';
import type { Caller } from './authenticate.ts';
import { readBody, receiveBody } from './read-body.ts';
import type { Tools } from './tools.ts';

const mebibyte = 1024 * 1024;
/** A file travels in base64, as in a call of the API. */
const limits = { largestBody: 28 * mebibyte, mostKeys: 50_000 };
const choice = 'connection_id';

export interface McpParts extends Gate {
  tools: Tools;
}

/** Answers POST. Without sessions there is nothing to listen to or to end. */
export function mcp({ tools, ...gate }: McpParts): RequestHandler {
  return async (request, response) => {
    const caller = await admit(request, gate);
    await receiveBody(request, caller.organizationId, limits.largestBody);
    const { value } = readBody(request, () => limits.largestBody, limits);
    // The protocol has no batches since 2025-06-18; one would be many calls for the price of one.
    if (Array.isArray(value)) {
      const message = 'Send one JSON-RPC message a request: batches are not taken.';
      response
        .status(400)
        .json({ jsonrpc: '2.0', id: null, error: { code: ErrorCode.InvalidRequest, message } });
      return;
    }
    await inOrganization(caller.organizationId, () =>
      answer(request, response, value, serverFor(caller, tools)),
    );
  };
}

async function answer(
  request: Request,
  response: ExpressResponse,
  body: unknown,
  server: McpServer,
): Promise<void> {
  const transport = new WebStandardStreamableHTTPServerTransport();
  await server.connect(transport);
  response.on('close', () => void server.close());
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  const asked = new globalThis.Request(`http://localhost${request.originalUrl}`, { method: 'POST', headers });
  const given = await transport.handleRequest(asked, { parsedBody: body });
  response.status(given.status);
  given.headers.forEach((value, name) => response.setHeader(name, value));
  if (given.body === null) response.end();
  else await pipeline(Readable.fromWeb(given.body), response).catch(() => undefined);
}

function serverFor(caller: Caller, tools: Tools): McpServer {
  const server = new McpServer(
    { name: 'parley', version: '1' },
    {
      capabilities: { tools: {} },
      instructions:
        'Actions in the document workspaces that are connected in Parley. Where several are connected, give connection_id.',
    },
  );
  // Its own registration takes zod schemas only; ours are JSON schemas, made once for all callers.
  server.server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.definitions.map(toolOf) }));
  server.server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const { [choice]: connectionId, ...input } = params.arguments ?? {};
    if (!tools.definitions.some(({ action }) => action === params.name))
      throw new McpError(ErrorCode.InvalidParams, `There is no tool ${params.name}.`);
    try {
      const result = await tools.runner.run({
        organizationId: caller.organizationId,
        action: params.name,
        input,
        connectionId: typeof connectionId === 'string' ? connectionId : undefined,
      });
      const { successful, data, error = '' } = result;
      const text = successful ? data : data === '{}' ? error : `${error}\n${data}`;
      return { content: [{ type: 'text', text }], isError: !successful };
    } catch (error) {
      if (!(error instanceof PublicError)) throw error;
      const details = error.extra.details?.map(({ path, message }) => `${path} ${message}`) ?? [];
      return { content: [{ type: 'text', text: [error.message, ...details].join(' ') }], isError: true };
    }
  });
  return server;
}

const objectSchema = z.looseObject({
  properties: z.record(z.string(), z.looseObject({})),
  required: z.array(z.string()).exactOptional(),
  description: z.string().exactOptional(),
});

function toolOf({ action, summary, input_schema, effect, deprecated }: DocsToolDefinition) {
  const { properties, required, description } = objectSchema.parse(input_schema);
  return {
    name: action,
    description: `${description ?? summary}${deprecated === undefined ? '' : ` Deprecated: use ${deprecated.use}.`}`,
    inputSchema: {
      type: 'object' as const,
      properties: {
        ...properties,
        [choice]: { type: 'string', description: 'Only where several workspaces are connected: which one.' },
      },
      ...(required === undefined ? {} : { required }),
    },
    annotations: {
      readOnlyHint: effect === 'read',
      idempotentHint: effect === 'read' || effect === 'idempotent_write',
      openWorldHint: true,
    },
  };
}
