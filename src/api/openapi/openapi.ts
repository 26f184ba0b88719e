/**
 * Generates OpenAPI 3.1 from the endpoint table, with the schemas that validate requests, rewritten for client
 * generators.
 */
import { z } from 'zod';
import { approvalRequested, messageCompleted, messageError } from '../../contract/conversations/callback.ts';
import { conversationWaiting, sessionDown, timelocked } from '../../contract/whatsapp/channel-alert.ts';
import type { ErrorCode } from '../../contract/error-table.ts';
import { openAiError } from '../../contract/conversations/openai-error.ts';
import { errorBody } from '../../contract/errors.ts';
import { noContent, type EndpointFor } from '../endpoint.ts';
import { namedEndpoints } from '../endpoints/index.ts';
import { errorAnswers, schemaOf } from './answers.ts';
import { operationsBeside } from './beside.ts';
import { isObject, mapValues, type Json } from './plain-schema.ts';
import { nameObjectsWithin, nameOne, shareSchemas, withDiscriminators } from './shared-schemas.ts';

/** Creates the OpenAPI document. @param origin public origin of the API; if it is '', the server URL is relative */
export function openApiDocument(origin: string): Json {
  const paths: Record<string, Json> = {};
  for (const [operationId, endpoint] of Object.entries(namedEndpoints)) {
    const operation = operationOf(operationId, endpoint);
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method]: operation };
  }
  Object.assign(paths, operationsBeside());
  for (const [path, method, callbacks] of callbacksOf) {
    const operation = paths[path]?.[method];
    if (isObject(operation)) Object.assign(operation, { callbacks });
  }
  const schemas: Json = {};
  const shared = (node: unknown) => shareSchemas(node, schemas);
  shared(schemaOf(errorBody, 'output'));
  shared(schemaOf(openAiError, 'output'));
  const [operations, pathItems] = [paths, received].map((group) => nameBodies(shared(group), '', schemas));
  nameObjectsWithin(schemas);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Parley',
      version: '1',
      description:
        'Conversational agents behind a public API. Times are ISO 8601 in UTC; identifiers are UUIDs.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${origin}/v1` }],
    security: [{ token: [] }],
    tags: [...new Set(Object.values(namedEndpoints).map(({ tag }) => tag))].map((name) => ({ name })),
    paths: operations,
    webhooks,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer', description: tokenText } },
      schemas: withDiscriminators(schemas),
      pathItems,
    },
  };
}

const tokenText =
  'An API token: pk_…. The security of each operation names the scope that it requires; a token without it gets 403 `forbidden`. If an operation sometimes requires another scope, its description says when. A token can also be bound to agents: then it gets 403 for other agents and their conversations, and for what concerns the whole organization, and lists contain what belongs to its agents.';

function capitalized(name: string): string {
  return name.replace(/^\w/, (letter) => letter.toUpperCase());
}

/** Moves the objects in requests and responses to components that are named after their operation. */
function nameBodies(node: unknown, name: string, schemas: Json): unknown {
  if (Array.isArray(node)) return node.map((one) => nameBodies(one, name, schemas));
  if (!isObject(node)) return node;
  const id = node['operationId'];
  const own = typeof id === 'string' ? capitalized(id) : name;
  return mapValues(node, (value, key) => {
    if (key === 'requestBody') return nameBodies(value, `${own}Request`, schemas);
    if (key === 'responses') return nameBodies(value, `${own}Answer`, schemas);
    if (key === 'parameters' || key === 'examples') return value;
    return key === 'schema' ? nameOne(name, value, schemas) : nameBodies(value, own, schemas);
  });
}

function operationOf(operationId: string, endpoint: EndpointFor<'token'>): Json {
  const {
    summary,
    description,
    tag,
    scope,
    params,
    query,
    body,
    answers = noContent,
    errors = [],
  } = endpoint;
  return {
    operationId,
    summary,
    ...(description !== undefined && { description }),
    tags: [tag],
    // OpenAPI 3.1 allows role names here for a scheme that is not OAuth 2.
    security: [{ token: [scope] }],
    parameters: [
      ...parametersOf(params, 'path'),
      ...parametersOf(query, 'query'),
      ...(endpoint.takesIdempotencyKey ? [idempotencyKey] : []),
      ...(endpoint.takesLastEventId ? [lastEventId] : []),
      ...(endpoint.takesIfMatch ? [ifMatch] : []),
    ],
    ...(body && {
      requestBody: { required: true, content: { 'application/json': { schema: schemaOf(body, 'input') } } },
    }),
    responses: {
      ...(endpoint.events && {
        200: { description: 'The events, as they happen.', content: eventsOf(endpoint.events) },
      }),
      ...Object.fromEntries(
        Object.entries(answers).map(([status, schema]) => [
          status,
          answerOf(Number(status), schema, status === '200' ? endpoint : {}),
        ]),
      ),
      ...errorAnswers([...errors, ...commonErrors(endpoint)], endpoint.errorForm),
    },
  };
}

function commonErrors(endpoint: EndpointFor<'token'>): ErrorCode[] {
  return [
    'unauthorized',
    'forbidden',
    'rate_limited',
    'internal',
    'unavailable',
    ...(endpoint.params ? (['not_found'] as const) : []),
    ...(endpoint.query || endpoint.body || endpoint.takesIfMatch ? (['validation_failed'] as const) : []),
    ...(endpoint.body ? (['invalid_json', 'payload_too_large', 'unsupported_media_type'] as const) : []),
  ];
}

function answerOf(
  status: number,
  schema: z.ZodType,
  {
    events,
    eventsIfAsked,
    produces = 'application/json',
  }: Pick<EndpointFor<'token'>, 'events' | 'eventsIfAsked' | 'produces'>,
): Json {
  if (schema instanceof z.ZodUndefined) return { description: 'Success, without a body.' };
  const description = status >= 400 ? 'An error.' : 'Success.';
  const content = { [produces]: { schema: schemaOf(schema, 'output') } };
  const { shape } = schema instanceof z.ZodObject ? schema : {};
  return {
    description,
    content: {
      ...content,
      ...(events && eventsOf(events)),
      ...(eventsIfAsked !== undefined && {
        'text/event-stream': { schema: { type: 'string', description: eventsIfAsked } },
      }),
    },
    ...(status < 300 && shape && 'conversation_id' in shape && { links: linksToConversation }),
  };
}

/** OpenAPI 3.1 cannot describe a sequence of events, so this describes one event with its data as JSON text. */
function eventsOf(events: z.ZodType): Json {
  const { $defs, ...schema } = z
    .looseObject({
      $defs: z.looseObject({ StreamEvent: z.looseObject({ oneOf: z.array(z.looseObject({})) }) }),
    })
    .parse(schemaOf(events, 'output'));
  const oneOf = $defs.StreamEvent.oneOf.map(({ properties, ...one }) => ({
    ...one,
    properties: {
      id: {
        type: 'string',
        description: 'Id of the event; sent as Last-Event-ID, it resumes the stream after this event',
      },
      ...(isObject(properties) && {
        event: properties['event'],
        data: {
          type: 'string',
          description: 'JSON text with the schema in contentSchema',
          contentMediaType: 'application/json',
          contentSchema: properties['data'],
        },
      }),
    },
  }));
  const StreamEvent = { ...$defs.StreamEvent, oneOf };
  return { 'text/event-stream': { schema: { ...schema, $defs: { ...$defs, StreamEvent } } } };
}

function parametersOf(schema: z.ZodType | undefined, place: 'path' | 'query'): Json[] {
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries<z.ZodType>({ ...schema.shape }).map(([name, field]) => {
    const { description, ...rest } = schemaOf(field, 'input');
    return {
      name,
      in: place,
      required: place === 'path',
      ...(description !== undefined && { description }),
      schema: rest,
    };
  });
}

function callbackOf(operationId: string, summary: string, schema: z.ZodType): Json {
  return {
    operationId,
    summary,
    security: [],
    requestBody: { required: true, content: { 'application/json': { schema: schemaOf(schema, 'output') } } },
    responses: {
      '2XX': {
        description: 'Delivered. Any other response is recorded as a failed delivery; there is one attempt.',
      },
    },
  };
}

/** Requests that Parley posts. The operation's id is `receive` followed by `name`; `schema` describes the body. */
const events: readonly [event: string, name: string, summary: string, schema: z.ZodType][] = [
  ['message.completed', 'messageCompleted', 'An agent response is ready', messageCompleted],
  ['message.error', 'messageError', 'A run has failed permanently', messageError],
  [
    'approval.requested',
    'approvalRequested',
    'A tool call waits for the approval of a person',
    approvalRequested,
  ],
  ['channel.session_down', 'sessionDown', "To alert_url: a channel's session is down for long", sessionDown],
  [
    'channel.timelocked',
    'timelocked',
    'To alert_url: WhatsApp forbids the number to begin new chats',
    timelocked,
  ],
  [
    'conversation.waiting',
    'conversationWaiting',
    'To alert_url or a webhook endpoint: a conversation waits for a person',
    conversationWaiting,
  ],
];
const received: Json = Object.fromEntries(
  events.map(([, name, summary, schema]) => [
    name,
    { post: callbackOf(`receive${capitalized(name)}`, summary, schema) },
  ]),
);
/** Contains references only, because openapi-generator generates code that does not compile for inline webhooks. */
const webhooks: Json = Object.fromEntries(
  events.map(([event, name]) => [event, { $ref: `#/components/pathItems/${name}` }]),
);

/** The operations whose request sets a URL for later callbacks, with the callbacks that Parley posts to it. */
const callbacksOf: readonly [path: string, method: string, callbacks: Json][] = [
  [
    '/chat/{id}',
    'post',
    callbackTo('webhook_url', 'answer', {
      operationId: 'receiveCallback',
      summary: "The answer, the run's error or a request for an approval; each is posted once",
      schema: z
        .discriminatedUnion('event', [messageCompleted, messageError, approvalRequested])
        .meta({ id: 'CallbackPayload', description: 'Body of a request to webhook_url' }),
    }),
  ],
  [
    '/agents/{id}/channel',
    'patch',
    callbackTo('alert_url', 'alert', {
      operationId: 'receiveAlert',
      summary:
        'The session has been down for long, the number may not start new chats, or a conversation waits for a person',
      schema: z
        .discriminatedUnion('event', [sessionDown, timelocked, conversationWaiting])
        .meta({ id: 'AlertPayload', description: 'Body of a request to alert_url' }),
    }),
  ],
];

function callbackTo(
  field: string,
  name: string,
  { operationId, summary, schema }: { operationId: string; summary: string; schema: z.ZodType },
): Json {
  const post = callbackOf(operationId, summary, schema);
  return { [name]: { [`{$request.body#/${field}}`]: { post } } };
}

const linksToConversation: Json = {
  messages: {
    operationId: 'listMessages',
    parameters: { conversationId: '$response.body#/conversation_id' },
    description: 'Reads the history, where the answer is stored',
  },
};

function header(name: string, description: string, schema: Json): Json {
  return { name, in: 'header', required: false, description, schema: { type: 'string', ...schema } };
}
const idempotencyKey = header(
  'Idempotency-Key',
  "A repeat within 24 hours returns the first call's status and body and adds nothing.",
  { minLength: 1, maxLength: 255 },
);
const ifMatch = header(
  'If-Match',
  'The `updated_at` that you have read. If it is no longer current, the call returns 409 `version_conflict` and changes nothing.',
  { maxLength: 40 },
);
const lastEventId = header(
  'Last-Event-ID',
  'The id of the last event that you received; without it, the stream starts from the beginning.',
  { pattern: '^([0-9]{1,9}|end)$' },
);
