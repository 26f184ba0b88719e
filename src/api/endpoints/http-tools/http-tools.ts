/** Endpoints for HTTP tools: HTTP requests that an organization defines and its agents can make. */
import { z } from 'zod';
import {
  createHttpTool as createHttpToolBody,
  httpTool,
  httpToolList,
  httpToolResult,
  openapiOperations,
  readOpenapi as readOpenapiBody,
  runHttpTool as runHttpToolBody,
  updateHttpTool as updateHttpToolBody,
} from '../../../contract/http-tools/http-tools.ts';
import { readOpenapiDocument } from '../../../app/http-tools/read-openapi.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { managing, running, toolCallOf, viewing } from '../workspace/tools.ts';

const ofTool = { params: z.object({ id: z.uuid().describe('Identifier of the HTTP tool') }) };

export const listHttpTools = defineEndpoint({
  ...viewing,
  request: 'GET /tools/http',
  summary: 'List the HTTP tools',
  description: 'All of them, by name. The values of their headers are returned by no call.',
  answers: { 200: httpToolList },
  handle: async ({ caller: { organizationId } }, { httpTools }, respond) =>
    respond(200, { data: await httpTools.list(organizationId), next_cursor: null }),
});

export const createHttpTool = defineEndpoint({
  ...managing,
  request: 'POST /tools/http',
  summary: 'Create an HTTP tool',
  description:
    'An agent may call it once its `tools` name it. Parley sends its requests to public addresses only, and follows no redirect.',
  body: createHttpToolBody,
  answers: { 201: httpTool },
  errors: ['conflict'],
  handle: async ({ body, caller }, { httpTools }, respond) =>
    respond(201, await httpTools.create(caller, body)),
});

export const readOpenapi = defineEndpoint({
  ...managing,
  request: 'POST /tools/http/openapi',
  summary: 'Read the operations of an OpenAPI document',
  description:
    'Returns each operation as an HTTP tool to create, or why it cannot be one. Creates nothing, and follows references inside the document only.',
  body: readOpenapiBody,
  // A document of `maxOpenapiChars` characters takes up to 2.7 MB as a JSON string: two bytes for an escaped quote or
  // line break, at most three for each other character. `\u` escapes, which are longer, may exceed the limit.
  largeBody: { mebibytes: 3, if: readOpenapiBody },
  answers: { 200: openapiOperations },
  handle: async ({ body, caller: { organizationId } }, _, respond) =>
    respond(200, await readOpenapiDocument(organizationId, body)),
});

export const getHttpTool = defineEndpoint({
  ...viewing,
  request: 'GET /tools/http/{id}',
  summary: 'Read an HTTP tool',
  description: 'Without the values of its headers.',
  ...ofTool,
  answers: { 200: httpTool },
  handle: async ({ params, caller: { organizationId } }, { httpTools }, respond) =>
    respond(200, await httpTools.get(organizationId, params.id)),
});

export const updateHttpTool = defineEndpoint({
  ...managing,
  request: 'PATCH /tools/http/{id}',
  summary: 'Change an HTTP tool',
  description: 'Absent fields stay as they are. The change takes effect in the next call.',
  ...ofTool,
  body: updateHttpToolBody,
  answers: { 200: httpTool },
  handle: async ({ params, body, caller }, { httpTools }, respond) =>
    respond(200, await httpTools.change(caller, params.id, body)),
});

export const deleteHttpTool = defineEndpoint({
  ...managing,
  request: 'DELETE /tools/http/{id}',
  summary: 'Delete an HTTP tool',
  description: 'Erases its headers. Refused while agents name it.',
  ...ofTool,
  errors: ['invalid_state'],
  handle: ({ params, caller }, { httpTools }) => httpTools.remove(caller, params.id),
});

export const runHttpTool = defineEndpoint({
  ...running,
  request: 'POST /tools/http/{id}/run',
  summary: 'Call an HTTP tool once',
  description:
    'Makes the request as for an agent, and returns what a model reads of it; 200 also if the request failed. A worker makes the request, which survives crashes: a write is sent at most once. A call that waits too long gets 504 while the request continues; repeat it with the same Idempotency-Key to read the result.',
  ...ofTool,
  body: runHttpToolBody,
  answers: { 200: httpToolResult },
  errors: ['idempotency_conflict', 'sync_timeout'],
  handle: async (call, { httpTools }, respond) =>
    respond(200, await httpTools.run(toolCallOf(call), call.params.id)),
});
