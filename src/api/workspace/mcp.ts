/** Serves the document actions to MCP clients: streamable HTTP without sessions, with API tokens or OAuth. */
import { fromNodeHeaders } from 'better-auth/node';
import { createMcpHandler, McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import type { Request, RequestHandler, Response as ExpressResponse } from 'express';
import { type Database } from '../../adapters/postgres/database.ts';
import { inOrganization } from '../../adapters/postgres/organization-scope.ts';
import type { DocsToolDefinition } from '../../contract/workspace/actions.ts';
import type { TokenScope } from '../../contract/accounts/token-scopes.ts';
import { PublicError } from '../../contract/errors.ts';
import { admit, countBody, demandAgents, demandScope, type Gate, slowBodyMs } from '../admit.ts';
import type { TokenCaller } from '../caller.ts';
import { createMcpAuthentication } from '../accounts/mcp-authentication.ts';
import { mcpUrls, type McpUrls } from '../accounts/mcp-urls.ts';
import { readBody, receiveBody } from '../read-body.ts';
import type { Tools } from '../deps.ts';

const mebibyte = 1024 * 1024;
/** The limits of the operation runToolAction, because MCP calls of the same actions contain files as base64 too. */
const limits = { maxBodyBytes: 28 * mebibyte, maxKeys: 50_000 };
export const mcpScope: TokenScope = 'tools.run';
const choice = 'connection_id';

export interface McpParts extends Gate {
  tools: Tools;
  db: Database;
  /** Public URL of the API; the console's pages have the same origin. */
  publicUrl: string;
}

/**
 * Creates the handler of POST /v1/mcp. Without sessions, there is no stream to open (GET) and no session to end
 * (DELETE).
 */
export function mcp({ tools, db, publicUrl, ...gate }: McpParts): RequestHandler {
  const origins = originsOf(publicUrl);
  const urls = mcpUrls(publicUrl);
  const authentication = createMcpAuthentication(db, gate.authentication, urls.resource);
  return async (request, response) => {
    refuseForeign(request, origins);
    const caller = await admit(request, { ...gate, authentication }).catch((error: unknown) => {
      if (error instanceof PublicError && error.code === 'unauthorized')
        response.setHeader('WWW-Authenticate', challenge(request, urls));
      throw error;
    });
    demandScope(caller, mcpScope);
    // As in the API, a token that is bound to agents cannot run actions.
    await inOrganization(caller.organizationId, () => demandAgents(db, caller, 'organization', undefined));
    const admittedAt = performance.now();
    await receiveBody(request, caller.organizationId, limits.maxBodyBytes);
    if (performance.now() - admittedAt > slowBodyMs)
      await authentication.authenticate(request.headers.authorization);
    await countBody(request, caller, gate);
    const { value } = readBody(request, limits);
    // Version 2025-06-18 of the protocol removed batches. A batch would also count as only one call.
    if (Array.isArray(value)) {
      const message = 'Send one JSON-RPC message a request: batches are not taken.';
      response
        .status(400)
        .json({ jsonrpc: '2.0', id: null, error: { code: ProtocolErrorCode.InvalidRequest, message } });
      return;
    }
    await inOrganization(caller.organizationId, () =>
      answer(request, response, value, () => serverFor(caller, tools)),
    );
  };
}

/**
 * @returns the WWW-Authenticate header, with the URL of the metadata that shows a client how to get a token (RFC 9728)
 */
function challenge(request: Request, { metadata }: McpUrls): string {
  const refused = request.headers.authorization === undefined ? '' : 'error="invalid_token", ';
  return `Bearer ${refused}resource_metadata="${metadata}"`;
}

/**
 * Prevents a page of another origin from calling with its visitor's credentials. The Host header proves nothing: a
 * page whose name was rebound to this machine's address (DNS rebinding) sends its own name there too. Programs send
 * no Origin.
 * @throws PublicError forbidden
 */
function refuseForeign(request: Request, origins: ReadonlySet<string>): void {
  const origin = request.get('origin');
  if (origin === undefined || origins.has(origin)) return;
  throw new PublicError('forbidden', {
    sentence: `MCP accepts no calls from pages of an origin other than ${[...origins][0] ?? ''}. Call it without an Origin header.`,
  });
}

const loopbackNames = ['127.0.0.1', 'localhost', '[::1]'];

/** @returns the public origin and, if that is a loopback address, the same origin under the other loopback names */
function originsOf(publicUrl: string): ReadonlySet<string> {
  const { origin, protocol, hostname, port } = new URL(publicUrl);
  const names = loopbackNames.includes(hostname) ? loopbackNames : [];
  const others = names.map((name) => new URL(`${protocol}//${name}${port === '' ? '' : `:${port}`}`).origin);
  return new Set([origin, ...others]);
}

/** Serves one request with a new server, because nothing is stored between requests. */
async function answer(
  request: Request,
  response: ExpressResponse,
  body: unknown,
  newServer: () => McpServer,
): Promise<void> {
  const handler = createMcpHandler(newServer, {
    // The tools never change while a process runs, so there is nothing to subscribe to.
    maxSubscriptions: 0,
  });
  const left = new AbortController();
  response.on('close', () => {
    left.abort();
    void handler.close();
  });
  const asked = new globalThis.Request(`http://localhost${request.originalUrl}`, {
    method: 'POST',
    headers: fromNodeHeaders(request.headers),
    signal: left.signal,
  });
  const given = await handler.fetch(asked, { parsedBody: body });
  response.status(given.status);
  given.headers.forEach((value, name) => response.setHeader(name, value));
  if (given.body === null) response.end();
  else await pipeline(Readable.fromWeb(given.body), response).catch(() => undefined);
}

function serverFor(caller: TokenCaller, tools: Tools): McpServer {
  const instructions =
    'Actions in the document workspaces that are connected in Parley. If several are connected, give connection_id.';
  const mcpServer = new McpServer({ name: 'parley', version: '1' }, { instructions });
  const { server } = mcpServer;
  // Registers the capability here, because the constructor's option would add `listChanged`. Clients would then expect
  // notifications of changes, but no connection stays open for them.
  server.registerCapabilities({ tools: {} });
  server.setRequestHandler('tools/list', () => ({ tools: tools.definitions.map(toolOf) }));
  server.setRequestHandler('tools/call', async ({ params }) => {
    const { [choice]: connectionId, ...input } = params.arguments ?? {};
    if (!tools.definitions.some(({ action }) => action === params.name))
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${params.name}.`);
    try {
      const result = await tools.runner.run({
        organizationId: caller.organizationId,
        actor: caller,
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
  return mcpServer;
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
        [choice]: {
          type: 'string',
          description: 'The workspace to use; required only if several are connected.',
        },
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
