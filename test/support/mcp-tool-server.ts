/** An MCP server by the SDK's own server, over real HTTP on loopback, whose tools a test can change. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {
  CallToolRequestSchema,
  ListToolsRequestSchema,
  type CallToolResult,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js';

export interface McpToolServer {
  url: string;
  /** The tools that it lists now, and what each does. */
  tools: (Tool & { run?: (input: Record<string, unknown>) => Promise<CallToolResult> | CallToolResult })[];
  /** Arguments of each call that arrived. */
  calls: { name: string; input: unknown }[];
  /** Method and headers of each request. */
  requests: { method: string; headers: IncomingHttpHeaders }[];
  /** Handles a request before the server does, if it returns true. */
  before?: (...args: Parameters<RequestListener>) => boolean;
  /** Sessions that are open now. */
  sessions: () => number;
  close: () => Promise<void>;
}

/** Starts a server with the tools `find-order`, which reads, and `refund`, which writes. */
export async function startMcpToolServer(): Promise<McpToolServer> {
  const transports = new Map<string, StreamableHTTPServerTransport>();
  const found: McpToolServer = {
    url: '',
    tools: [
      {
        name: 'find-order',
        description: 'Finds an order by its number.',
        inputSchema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
        annotations: { readOnlyHint: true },
        run: ({ id }) => ({ content: [{ type: 'text', text: `order ${String(id)} is shipped` }] }),
      },
      {
        name: 'refund',
        description: 'Refunds an order.',
        inputSchema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
        run: () => ({ content: [{ type: 'text', text: 'refunded' }] }),
      },
    ],
    calls: [],
    requests: [],
    sessions: () => transports.size,
    close: async () => {
      http.closeAllConnections();
      http.close();
      for (const one of transports.values()) await one.close();
    },
  };
  const connect = async (): Promise<StreamableHTTPServerTransport> => {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        transports.set(id, transport);
      },
      onsessionclosed: (id) => {
        transports.delete(id);
      },
    });
    // The definitions are as hostile as a test wants, which McpServer would refuse.
    // oxlint-disable-next-line typescript/no-deprecated -- see above
    const server = new Server({ name: 'shop', version: '1' }, { capabilities: { tools: {} } });
    server.setRequestHandler(ListToolsRequestSchema, () => ({
      tools: found.tools.map(({ run: _, ...tool }) => tool),
    }));
    server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: input = {} } }) => {
      found.calls.push({ name, input });
      const tool = found.tools.find((one) => one.name === name);
      if (tool?.run === undefined) throw new Error(`there is no tool ${name}`);
      return await tool.run(input);
    });
    await server.connect(transport);
    return transport;
  };
  const http = createServer((request, response) => {
    found.requests.push({ method: request.method ?? '', headers: request.headers });
    if (found.before?.(request, response) === true) return;
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? transports.get(id) : undefined;
    void (known === undefined ? connect() : Promise.resolve(known))
      .then((transport) => transport.handleRequest(request, response))
      .catch((error: unknown) => {
        response.destroy(error instanceof Error ? error : undefined);
      });
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  found.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  return found;
}
