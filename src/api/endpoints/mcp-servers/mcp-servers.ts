/** Endpoints for MCP servers, whose tools an organization's agents can call. */
import { z } from 'zod';
import { httpToolResult } from '../../../contract/http-tools/http-tools.ts';
import {
  chooseMcpTools as chooseMcpToolsBody,
  createMcpServer as createMcpServerBody,
  mcpOffer,
  mcpServer,
  mcpServerList,
  runMcpTool as runMcpToolBody,
  updateMcpServer as updateMcpServerBody,
} from '../../../contract/mcp-servers/mcp-servers.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { managing, running, toolCallOf, viewing } from '../workspace/tools.ts';

const ofServer = { params: z.object({ id: z.uuid().describe('Identifier of the MCP server') }) };

export const listMcpServers = defineEndpoint({
  ...viewing,
  request: 'GET /tools/mcp',
  summary: 'List the MCP servers',
  description: 'All of them with the tools that agents can call, by name. No call returns their credentials.',
  answers: { 200: mcpServerList },
  handle: async ({ caller: { organizationId } }, { mcpServers }, respond) =>
    respond(200, { data: await mcpServers.list(organizationId), next_cursor: null }),
});

export const createMcpServer = defineEndpoint({
  ...managing,
  request: 'POST /tools/mcp',
  summary: 'Add an MCP server',
  description:
    'Streamable HTTP. Parley sends requests to public addresses only, and follows no redirect. Agents can call none of its tools yet: read them, then choose.',
  body: createMcpServerBody,
  answers: { 201: mcpServer },
  errors: ['conflict'],
  handle: async ({ body, caller }, { mcpServers }, respond) =>
    respond(201, await mcpServers.create(caller, body)),
});

export const getMcpServer = defineEndpoint({
  ...viewing,
  request: 'GET /tools/mcp/{id}',
  summary: 'Read an MCP server',
  description: 'With the tools that agents can call, and without its credentials.',
  ...ofServer,
  answers: { 200: mcpServer },
  handle: async ({ params, caller: { organizationId } }, { mcpServers }, respond) =>
    respond(200, await mcpServers.get(organizationId, params.id)),
});

export const updateMcpServer = defineEndpoint({
  ...managing,
  request: 'PATCH /tools/mcp/{id}',
  summary: 'Change an MCP server',
  description: 'Absent fields stay as they are. The name and the address never change.',
  ...ofServer,
  body: updateMcpServerBody,
  answers: { 200: mcpServer },
  handle: async ({ params, body, caller }, { mcpServers }, respond) =>
    respond(200, await mcpServers.change(caller, params.id, body)),
});

export const deleteMcpServer = defineEndpoint({
  ...managing,
  request: 'DELETE /tools/mcp/{id}',
  summary: 'Remove an MCP server',
  description: 'Erases its credentials and its tools. Refused while agents name one of them.',
  ...ofServer,
  errors: ['invalid_state'],
  handle: ({ params, caller }, { mcpServers }) => mcpServers.remove(caller, params.id),
});

export const readMcpTools = defineEndpoint({
  ...managing,
  request: 'POST /tools/mcp/{id}/read',
  summary: 'Read the tools that an MCP server has now',
  description:
    'Returns each as agents would get it, or why they cannot use it, and records which accepted ones have changed.',
  ...ofServer,
  answers: { 200: mcpOffer },
  errors: ['invalid_credentials', 'gateway_unreachable'],
  handle: async ({ params, caller: { organizationId } }, { mcpServers }, respond) =>
    respond(200, await mcpServers.offer(organizationId, params.id)),
});

export const chooseMcpTools = defineEndpoint({
  ...managing,
  request: 'PUT /tools/mcp/{id}/tools',
  summary: 'Choose and accept the tools of an MCP server',
  description:
    'Sets all tools that agents can call. The digest says which description and schema you accept: models are offered exactly that. If the server changes either, models are not offered the tool until you accept the new digest.',
  ...ofServer,
  body: chooseMcpToolsBody,
  answers: { 200: mcpServer },
  errors: ['invalid_state', 'invalid_credentials', 'gateway_unreachable'],
  handle: async ({ params, body, caller }, { mcpServers }, respond) =>
    respond(200, await mcpServers.choose(caller, params.id, body)),
});

export const runMcpTool = defineEndpoint({
  ...running,
  request: 'POST /tools/mcp/{id}/run',
  summary: 'Call a tool of an MCP server once',
  description:
    'Calls it as for an agent, and returns what a model reads of the result; 200 also if the call failed. A worker makes the call, which survives crashes: a write is sent at most once. A call that waits too long gets 504 while it continues; repeat it with the same Idempotency-Key to read the result.',
  ...ofServer,
  body: runMcpToolBody,
  answers: { 200: httpToolResult },
  errors: ['idempotency_conflict', 'sync_timeout'],
  handle: async (call, { mcpServers }, respond) =>
    respond(200, await mcpServers.run(toolCallOf(call), call.params.id, call.body.name)),
});
