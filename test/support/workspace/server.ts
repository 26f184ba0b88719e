/** One HTTP request: recorded, met by a fault or not, answered. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { authorize } from './authorize-page.ts';
import type { Answer } from './call.ts';
import { ApiError } from './errors.ts';
import { commitsFirst, endBadly, refusalOf } from './fault-answer.ts';
import type { Fault, Faults } from './faults.ts';
import type { Json } from './json.ts';
import { answerOAuth, type OAuthClient } from './oauth.ts';
import { answerApi, type Incoming } from './protocol.ts';
import { RateLimited, RateLimiter } from './rate-limiter.ts';
import { plainHeaders, plainQuery, redacted, type RequestRecord } from './requests.ts';
import type { World } from './world.ts';

export interface ServerParts {
  world: World;
  clients: readonly OAuthClient[];
  faults: Faults;
  requests: RequestRecord[];
  limiter: RateLimiter;
}

const bodyCap = 32 * 1_048_576;

export function requestListener(parts: ServerParts): RequestListener {
  return (request, response) => {
    serve(parts, request, response).catch((error: unknown) => {
      // A defect of the emulator must not look like an answer of the service.
      response.writeHead(599, { 'content-type': 'text/plain' });
      response.end(error instanceof Error ? error.stack : String(error));
    });
  };
}

async function serve(parts: ServerParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const incoming = await read(request);
  const record = remember(parts, incoming);
  response.once('finish', () => (record.status = response.statusCode));
  const fault = parts.faults.take({
    method: incoming.method,
    path: incoming.path,
    body: incoming.body ?? null,
  });
  record.fault = fault?.kind ?? null;
  if (sendFile(parts.world, incoming, response) || sendPage(parts, incoming, response)) return;
  if (fault?.kind === 'late') {
    await fault.landing;
    await answerOf(parts, incoming);
    return;
  }
  if (fault !== undefined && !commitsFirst(fault)) {
    if (await endBadly(fault, response)) return;
    await refuse(fault, response);
    return;
  }
  const answer = await answerOf(parts, incoming);
  if (fault !== undefined) {
    if (await endBadly(fault, response)) return;
    if (refusalOf(fault) !== undefined) {
      await refuse(fault, response);
      return;
    }
  }
  send(response, answer);
}

async function read(request: IncomingMessage): Promise<Incoming> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk as Uint8Array);
    size += bytes.length;
    if (size > bodyCap) throw new Error('The request is larger than the emulator reads.');
    chunks.push(bytes);
  }
  const raw = Buffer.concat(chunks);
  const url = new URL(request.url ?? '/', 'http://emulator');
  const type = request.headers['content-type'] ?? '';
  const other = type.startsWith('multipart/') || type.startsWith('application/x-www-form-urlencoded');
  return {
    method: request.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    headers: request.headers,
    raw,
    body: raw.length === 0 || other ? null : parsed(raw.toString()),
  };
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function remember(parts: ServerParts, incoming: Incoming): RequestRecord {
  const token = /^Bearer (\S+)$/.exec(String(incoming.headers['authorization'] ?? ''))?.[1];
  const record: RequestRecord = {
    method: incoming.method,
    path: incoming.path,
    query: plainQuery(incoming.query),
    headers: plainHeaders(incoming.headers),
    connection: parts.world.state.tokens.get(token ?? '') ?? null,
    body: structuredClone(redacted(incoming.path, incoming.body ?? null)),
    bytes: incoming.raw.length,
    status: null,
    fault: null,
  };
  parts.requests.push(record);
  return record;
}

async function answerOf(parts: ServerParts, incoming: Incoming): Promise<Answer & { retryAfter?: number }> {
  try {
    return (
      answerOAuth(parts.world, parts.clients, incoming) ??
      (await answerApi(parts.world, parts.limiter, incoming))
    );
  } catch (error) {
    if (error instanceof ApiError) return refusal(error);
    throw error;
  }
}

function refusal(error: ApiError): Answer & { retryAfter?: number } {
  const body = {
    object: 'error',
    status: error.status,
    code: error.code,
    message: error.message,
    ...error.extra,
  };
  return {
    status: error.status,
    body,
    ...(error instanceof RateLimited ? { retryAfter: error.retryAfter } : {}),
  };
}

function refuse(fault: Fault, response: ServerResponse): Promise<void> {
  const error = refusalOf(fault) ?? new ApiError(500, 'internal_server_error', 'Unexpected error occurred.');
  const retryAfter = fault.kind === 'overloaded' ? fault.retryAfter : undefined;
  send(response, { ...refusal(error), ...(retryAfter === undefined ? {} : { retryAfter }) });
  return Promise.resolve();
}

function send(response: ServerResponse, answer: Answer & { retryAfter?: number }): void {
  const id = randomUUID();
  const body = 'templates' in answer.body ? answer.body : { ...answer.body, request_id: id };
  response.writeHead(answer.status, {
    'content-type': 'application/json; charset=utf-8',
    'x-notion-request-id': id,
    ...(answer.retryAfter === undefined ? {} : { 'retry-after': String(answer.retryAfter) }),
  });
  response.end(JSON.stringify(body));
}

/** The bytes of an attached upload, at the address that answers hold. */
function sendFile(world: World, incoming: Incoming, response: ServerResponse): boolean {
  const id = /^\/_files\/([0-9a-f-]+)\//.exec(incoming.path)?.[1];
  if (id === undefined) return false;
  const upload = world.state.uploads.get(id);
  const expires = Date.parse(incoming.query.get('expires') ?? '');
  if (upload?.status !== 'uploaded' || !(expires > world.now()))
    response.writeHead(403).end('Request has expired');
  else
    response
      .writeHead(200, { 'content-type': upload.contentType ?? 'application/octet-stream' })
      .end(upload.bytes);
  return true;
}

function sendPage(parts: ServerParts, incoming: Incoming, response: ServerResponse): boolean {
  if (incoming.path !== '/v1/oauth/authorize' || !['GET', 'POST'].includes(incoming.method)) return false;
  const fields = incoming.method === 'GET' ? incoming.query : new URLSearchParams(incoming.raw.toString());
  const page = authorize(parts.world, parts.clients, incoming.method, fields);
  if ('location' in page) response.writeHead(302, { location: page.location }).end();
  else response.writeHead(page.status, { 'content-type': 'text/html; charset=utf-8' }).end(page.html);
  return true;
}
