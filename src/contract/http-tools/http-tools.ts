/** The API's requests and responses for HTTP tools. An HTTP tool is an HTTP request that agents can make. */
import { z } from 'zod';
import { pageOf, timestamp } from '../page.ts';
import { storableJson, text, textLike } from '../text.ts';
import { maxAnswerChars, maxHeaders, maxOpenapiChars } from './limits.ts';

/** Maximum characters of the value of a header. Chosen. */
const maxHeaderValue = 4096;

export const httpMethod = z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

export const httpEffect = z.enum(['read', 'write', 'destructive']);
export type HttpEffect = z.infer<typeof httpEffect>;

export const headerName = textLike(
  100,
  /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/,
  'must be the name of a header: letters, digits and hyphens',
);
export const headerValue = textLike(
  maxHeaderValue,
  /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/,
  'must have visible ASCII characters only, without spaces at the ends',
);
const header = z
  .strictObject({
    name: headerName.describe('Name of the header, for example Authorization'),
    value: headerValue
      .optional()
      .describe('Stored encrypted; no call returns it. If absent, the stored value of this name stays'),
  })
  .meta({ id: 'SetHttpToolHeader', description: 'A header of every request of the tool' });

const fields = {
  description: text(2000).min(1).describe('For the model: what the tool does, and when to use it'),
  method: httpMethod.describe('HTTP method of the request'),
  url: text(2000)
    .min(1)
    .describe(
      'URL template, for example https://api.example.com/orders/{order_id}?lang={lang}. Each {name} is replaced by the argument of that name; allowed in the path and the query only',
    ),
  parameters: z
    .record(z.string(), z.json())
    .refine(...storableJson)
    .describe(
      'JSON Schema of the arguments, an object. Without pattern, $ref and conditions; at most 16,000 characters and 8 levels. Only arguments that it names are sent: those that the URL does not name in the query of GET and DELETE, otherwise in a JSON body',
    ),
  effect: httpEffect.describe(
    'read: changes nothing and may be repeated after a failure. write and destructive: sent at most once',
  ),
  timeout_seconds: z
    .int()
    .min(1)
    .max(60)
    .describe('Time limit of one request in seconds, from the look-up of the name to the last byte'),
  answer_fields: z
    .array(text(200).min(1))
    .max(50)
    .describe(
      'JSON pointers (RFC 6901) to the parts of a JSON answer that the model reads, for example /status; * matches every element of a list. Empty: the whole answer',
    ),
  answer_max_chars: z
    .int()
    .min(100)
    .max(maxAnswerChars)
    .describe('Maximum characters of the answer that the model reads; the rest is cut off'),
};

const name = textLike(
  64,
  /^[A-Za-z][A-Za-z0-9_]*$/,
  'must begin with a letter, and have letters, digits and underscores only',
).describe('Name by which agents and models call the tool; unique in the organization, and never changed');

const headers = z.array(header).max(maxHeaders).describe('Headers of every request');

export const createHttpTool = z
  .strictObject({
    name,
    ...fields,
    parameters: fields.parameters.default({ type: 'object', properties: {} }),
    headers: headers.default([]),
    timeout_seconds: fields.timeout_seconds.default(15),
    answer_fields: fields.answer_fields.default([]),
    answer_max_chars: fields.answer_max_chars.default(8000),
  })
  .meta({
    id: 'CreateHttpTool',
    description: 'A new HTTP tool',
    example: {
      name: 'find_order',
      description: 'Finds an order by its number.',
      method: 'GET',
      url: 'https://api.example.com/orders/{order_id}',
      parameters: {
        type: 'object',
        properties: { order_id: { type: 'string', description: 'Number of the order' } },
        required: ['order_id'],
      },
      headers: [{ name: 'Authorization', value: 'Bearer sk-example' }],
      effect: 'read',
    },
  });
export type CreateHttpTool = z.output<typeof createHttpTool>;

export const updateHttpTool = z
  .strictObject({ ...fields, headers })
  .partial()
  .meta({
    id: 'UpdateHttpTool',
    description:
      'The fields to change; absent fields stay as they are. A new host in `url` requires the header values again',
    example: { timeout_seconds: 30 },
  });
export type UpdateHttpTool = z.output<typeof updateHttpTool>;

export const httpTool = z
  .object({
    id: z.uuid().describe('Identifier of the tool'),
    name,
    ...fields,
    headers: z
      .array(
        z
          .object({ name: headerName.describe('Name of the header') })
          .meta({ id: 'HttpToolHeader', description: 'A header without its value' }),
      )
      .describe('Names of the headers, without their values'),
    headers_lost: z
      .boolean()
      .describe('True if the stored values can no longer be decrypted: enter them again'),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'HttpTool', description: 'An HTTP request that agents can make' });
export type HttpTool = z.infer<typeof httpTool>;

export const httpToolList = pageOf(httpTool);

export const runHttpTool = z
  .strictObject({
    input: z.record(z.string(), z.unknown()).describe("The tool's arguments, by its `parameters`"),
  })
  .meta({ id: 'RunHttpTool', description: 'Arguments of one call', example: { input: { order_id: '17' } } });

const httpToolOutcome = z.enum(['succeeded', 'failed', 'unknown']);

export const httpToolResult = z
  .object({
    outcome: httpToolOutcome.describe(
      'unknown: the request was sent and may have been carried out, but its answer was lost. It is not sent again',
    ),
    text: z.string().describe('What a model reads'),
  })
  .meta({ id: 'HttpToolResult', description: 'Result of one call' });
export type HttpToolResult = z.infer<typeof httpToolResult>;

/** Maximum number of operations that are read from one OpenAPI document. Chosen. */
export const maxOperations = 200;

export const readOpenapi = z
  .strictObject({
    document: text(maxOpenapiChars)
      .min(1)
      .describe('The document as JSON or YAML text, OpenAPI 3.0 or later'),
    base_url: text(1000)
      .optional()
      .describe(
        "Base URL of the requests, for example https://api.example.com. Default: the document's first server",
      ),
  })
  .meta({
    id: 'ReadOpenapi',
    description: 'An OpenAPI document',
    example: { document: '{"openapi":"3.1.0", …}' },
  });
export type ReadOpenapi = z.output<typeof readOpenapi>;

const toolDraft = z
  .object({ name, ...fields })
  .omit({ timeout_seconds: true, answer_fields: true, answer_max_chars: true })
  .meta({ id: 'HttpToolDraft', description: 'Fields of a new HTTP tool' });

export const openapiOperations = z
  .object({
    title: z.string().describe('Title of the document'),
    base_url: z.string().describe('Base URL with which the URL of each tool begins'),
    headers: z.array(z.string()).describe('Names of the headers that its security schemes require'),
    operations: z
      .array(
        z
          .object({
            method: z.string().describe('HTTP method'),
            path: z.string().describe('Path of the operation'),
            summary: z.string().describe('What the operation does'),
            tool: toolDraft.nullable().describe('The tool to create; null if it cannot be one'),
            problem: z.string().nullable().describe('Why it cannot be a tool; null if it can'),
          })
          .meta({ id: 'OpenapiOperation', description: 'An operation of the document' }),
      )
      .describe(`At most ${maxOperations} operations`),
  })
  .meta({ id: 'OpenapiOperations', description: 'Operations of an OpenAPI document, as tools to create' });
export type OpenapiOperations = z.infer<typeof openapiOperations>;
