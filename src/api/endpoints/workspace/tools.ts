/** Endpoints for the actions on document workspaces, and for the connections to workspaces. */
import { z } from 'zod';
import { PublicError } from '../../../contract/errors.ts';
import {
  connectTool as connectToolBody,
  runToolAction as runToolActionBody,
  toolActionList,
  toolActionResult,
  toolConnection,
  toolConnectionList,
} from '../../../contract/workspace/tools.ts';
import type { ToolRequest } from '../../../app/workspace/run-tool.ts';
import type { KnownCaller } from '../../caller.ts';
import { defineEndpoint, type ParsedCall } from '../../endpoint.ts';

const ofConnection = { params: z.object({ id: z.uuid().describe('Identifier of the connection') }) };

const shared = { auth: 'token', agents: 'organization', tag: 'Tools' } as const;
/** Fields that the operations on tools of any kind share, by their scope. */
export const viewing = { ...shared, scope: 'tools.view' } as const;
export const managing = { ...shared, scope: 'tools.manage' } as const;
export const running = { ...shared, scope: 'tools.run', takesIdempotencyKey: true } as const;

export const listToolActions = defineEndpoint({
  ...viewing,
  request: 'GET /tools/docs/actions',
  summary: 'List the document-workspace actions',
  description: 'All actions, each with the JSON schema of its input.',
  answers: { 200: toolActionList },
  handle: (_, { tools }, respond) =>
    Promise.resolve(respond(200, { data: [...tools.definitions], next_cursor: null })),
});

const withFile = z.looseObject({ input: z.looseObject({ file_content_base64: z.string() }) });

export const runToolAction = defineEndpoint({
  ...running,
  request: 'POST /tools/docs/actions/{action}',
  summary: 'Run one action in a connected workspace',
  description:
    'Returns 200 also if the action failed: then `successful` is false and `error` gives the reason. A worker runs the action, which survives crashes. A call that waits too long gets 504 while the action continues; repeat it with the same Idempotency-Key to read the result.',
  params: z.object({ action: z.string().max(100).describe('An identifier of GET /tools/docs/actions') }),
  body: runToolActionBody,
  largeBody: { mebibytes: 28, if: withFile },
  // Maximum fields and array elements of the body. Chosen: enough for a thousand blocks with annotated text.
  maxKeys: 50_000,
  answers: { 200: toolActionResult },
  errors: ['invalid_state', 'idempotency_conflict', 'sync_timeout'],
  handle: async (call, { tools }, respond) => {
    const { action } = call.params;
    if (!tools.definitions.some((one) => one.action === action)) throw new PublicError('not_found');
    const connectionId = call.body.connection_id;
    return respond(200, await tools.runner.run({ ...toolCallOf(call), action, connectionId }));
  },
});

/**
 * Returns the fields that the calls of actions, HTTP tools and tools of MCP servers have in common. `idempotency` is
 * absent if the caller is a console user or sent no Idempotency-Key.
 */
export function toolCallOf(
  call: Pick<ParsedCall, 'idempotencyKey' | 'bodyHash'> & { caller: KnownCaller; body: { input: unknown } },
): ToolRequest {
  const { caller, body, idempotencyKey: key, bodyHash: requestHash } = call;
  const tokenId = caller.kind === 'token' ? caller.tokenId : undefined;
  return {
    organizationId: caller.organizationId,
    actor: caller,
    input: body.input,
    ...(key !== undefined && tokenId !== undefined && { idempotency: { tokenId, key, requestHash } }),
  };
}

export const listToolConnections = defineEndpoint({
  ...viewing,
  request: 'GET /tools/docs/connections',
  summary: 'List the connected workspaces',
  description: 'Without their keys and tokens, which no call returns.',
  answers: { 200: toolConnectionList },
  handle: async ({ caller: { organizationId } }, { tools }, respond) =>
    respond(200, { data: await tools.connections.list(organizationId), next_cursor: null }),
});

export const connectTool = defineEndpoint({
  ...managing,
  request: 'POST /tools/docs/connections',
  summary: 'Connect a document workspace',
  description:
    'A key is checked, then stored encrypted. OAUTH2 returns the address where a person must allow the connection within ten minutes. Connecting the same integration again replaces its credentials.',
  body: connectToolBody,
  answers: { 201: toolConnection },
  errors: ['invalid_state', 'invalid_credentials', 'gateway_unreachable'],
  handle: async ({ body, caller }, { tools: { connections } }, respond) =>
    respond(
      201,
      body.auth === 'OAUTH2'
        ? await connections.startOAuth(caller)
        : await connections.connectByKey(caller, body.api_key),
    ),
});

export const getToolConnection = defineEndpoint({
  ...viewing,
  request: 'GET /tools/docs/connections/{id}',
  summary: 'Read a connection',
  description:
    'Without its keys and tokens. A pending OAUTH2 connection includes the address where a person must allow it.',
  ...ofConnection,
  answers: { 200: toolConnection },
  handle: async ({ params, caller: { organizationId } }, { tools }, respond) =>
    respond(200, await tools.connections.get(organizationId, params.id)),
});

export const deleteToolConnection = defineEndpoint({
  ...managing,
  request: 'DELETE /tools/docs/connections/{id}',
  summary: 'Disconnect a workspace',
  description: 'Erases its tokens. An OAuth token is first revoked at the workspace.',
  ...ofConnection,
  handle: ({ params, caller }, { tools }) => tools.connections.disconnect(caller, params.id),
});
