/** Schemas of the log of API requests. */
import { z } from 'zod';
import { errorTable } from '../error-table.ts';
import { keysOf } from '../keys-of.ts';
import { pageOf, pageQuery, timestamp } from '../page.ts';
import { text } from '../text.ts';

export const apiRequest = z
  .object({
    id: z.uuid().describe('Identifier of the request, also the header `Parley-Request-Id` of its response'),
    at: timestamp,
    method: z.string().describe('HTTP method'),
    route: z.string().describe('Path of the operation, with each parameter as {name}'),
    path: z
      .string()
      .nullable()
      .describe(
        'The route with the id of its agent. Of another UUID, only the last 4 digits: …3f2a. Of other values, and of the id of a contact, only …. Null if the route has no parameter',
      ),
    status: z.int().nullable().describe('HTTP status; null: the caller disconnected before the response'),
    code: z.string().nullable().describe('`code` of the error; null if there was none'),
    field: z
      .string()
      .nullable()
      .describe('With validation_failed: the first invalid field, unless the caller chose its name'),
    reason: z
      .string()
      .nullable()
      .describe('The problem of `field`; null also if its message may quote the caller'),
    duration_ms: z.int().describe('Until the response had been sent; of an event stream, until it ended'),
    token_id: z.uuid().describe('The API token; of a call of an MCP client, the grant'),
    token_name: z.string().nullable().describe('Name of the token; null if it was deleted'),
  })
  .meta({ id: 'ApiRequest', description: 'A request that an API token made, as the log keeps it' });
export type ApiRequest = z.infer<typeof apiRequest>;

const count = z.int();
export const apiRequestList = pageOf(apiRequest)
  .extend({
    counts: z
      .object({
        '2xx': count.describe('Requests that succeeded'),
        '4xx': count.describe('Requests that were refused'),
        '5xx': count.describe('Requests that failed on the side of Parley'),
        cut: count.describe('Requests whose caller disconnected before the answer'),
      })
      .describe(
        'Number of requests on all pages by status, as the other filters permit them; `cut`: the caller disconnected before the response',
      ),
  })
  .meta({ id: 'ApiRequestList', description: 'One page of the request log' });
export type ApiRequestList = z.infer<typeof apiRequestList>;

export const apiRequestsQuery = pageQuery.extend({
  status: z
    .enum(['2xx', 'error', '4xx', '5xx', 'cut'])
    .optional()
    .describe('`error`: 4xx and 5xx; `cut`: the caller disconnected before the response'),
  code: z.enum(keysOf(errorTable)).optional().describe('`code` of the error'),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).optional().describe('HTTP method'),
  route: text(200).optional().describe('The route or its beginning, for example /v1/chat'),
  token_id: z.uuid().optional().describe('Only requests of this token'),
  request_id: z.uuid().optional().describe('Only the request of this `Parley-Request-Id`'),
  from: z.iso.datetime().optional().describe('Only requests of this time and later'),
  to: z.iso.datetime().optional().describe('Only requests before this time'),
});
export type ApiRequestsQuery = z.output<typeof apiRequestsQuery>;
