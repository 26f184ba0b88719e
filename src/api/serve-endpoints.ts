/**
 * Serves a table of endpoints. For each call, authenticates the caller, enforces rate limits, reads the body, validates
 * the request, runs the handler within the caller's organization, and sends the response. Also measures requests by
 * route, and starts their traces.
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fromNodeHeaders } from 'better-auth/node';
import type { Request, RequestHandler, Response, Router } from 'express';
import { z } from 'zod';
import { forAccounts, inOrganization } from '../adapters/postgres/organization-scope.ts';
import { invalidField, PublicError, type ErrorDetail } from '../contract/errors.ts';
import { stringify } from '../contract/text.ts';
import { timestamp } from '../contract/page.ts';
import type { Logger } from '../log.ts';
import { measureRequest } from '../observability/api-metrics.ts';
import { addIds, beginRequestSpan, type Ids, untraced, withIds } from '../observability/spans.ts';
import { demand, findPerson } from './accounts/person.ts';
import {
  admit,
  admitPerson,
  countAnswer,
  countBody,
  demandAgents,
  demandScope,
  type Gate,
  slowBodyMs,
} from './admit.ts';
import { uuidForm } from '../adapters/postgres/cursor.ts';
import type { Caller, PersonCaller } from './caller.ts';
import type { ApiDeps } from './deps.ts';
import {
  jsonLines,
  type Endpoint,
  type EndpointFor,
  type HandlerAnswer,
  type ParsedCall,
  type Visit,
} from './endpoint.ts';
import { EventStream, leftOf } from './event-stream.ts';
import { readBody, receiveBody, type BodyForm } from './read-body.ts';
import { requestIdAt, type RequestLog } from './request-log.ts';
import { WaitingAnswer } from './waiting-answer.ts';

const mebibyte = 1024 * 1024;
/** Maximum bytes of the body of an unauthenticated call, such as a sign-in. Chosen. */
const maxOpenBodyBytes = 64 * 1024;

export interface ServerParts extends Gate {
  deps: ApiDeps;
}

/** Adds the routes of a table to a router. A method that the path does not support gets 405. */
export function serveEndpoints(router: Router, table: readonly Endpoint[], parts: ServerParts): void {
  for (const [path, operations] of Map.groupBy(table, (endpoint) => endpoint.path)) {
    const route = router.route(path.replaceAll(/\{(\w+)\}/g, ':$1'));
    for (const endpoint of operations) route[endpoint.method](handlerOf(endpoint, parts));
    route.all(takesOnly(...operations.map(({ method }) => method.toUpperCase())));
  }
}

/**
 * @param methods in upper case, for the Allow header
 * @returns a handler that throws PublicError method_not_allowed for every call
 */
export function takesOnly(...methods: string[]): RequestHandler {
  return (_, response) => {
    response.setHeader('Allow', methods.join(', '));
    throw new PublicError('method_not_allowed');
  };
}

function handlerOf(endpoint: Endpoint, parts: ServerParts): RequestHandler {
  const { deps } = parts;
  return async (request, response) => {
    const visit = visitOf(request, response);
    // Checks the caller before it reads the body, so that the body of a refused call is not read.
    const caller = await callerOf(endpoint, request, visit, parts);
    let sender = caller;
    const admittedAt = performance.now();
    const organizationId = caller.kind === 'anyone' ? undefined : caller.organizationId;
    const { largeBody } = endpoint;
    const maxBodyBytes = endpoint.auth === 'open' ? maxOpenBodyBytes : (largeBody?.mebibytes ?? 1) * mebibyte;
    if (endpoint.body !== undefined) {
      await receiveBody(request, organizationId, maxBodyBytes);
      if (caller.kind === 'token') await countBody(request, caller, parts);
      if (caller.kind === 'person' || performance.now() - admittedAt > slowBodyMs)
        sender = await callerNow(endpoint, request, visit, caller, parts);
    }
    const sizes = { ...endpoint, maxBodyBytes, largeIf: largeBody?.if };
    await within(organizationId, async () => {
      const handled = await handle(endpoint, request, { caller: sender, visit }, sizes, deps);
      const answer = handled instanceof WaitingAnswer ? await handled.wait(leftOf(response)) : handled;
      await sendAnswer(
        endpoint.auth === 'token' ? answer : byContract(endpoint, answer),
        response,
        endpoint.produces,
      );
      if (caller.kind === 'token') await countAnswer(response, caller, parts);
    });
  };
}

/**
 * Parses a call and runs its handler. A separate function, because handlerOf runs until a waiting call ends, and would
 * keep the parsed body in memory until then.
 */
async function handle(
  endpoint: Endpoint,
  request: Request,
  from: Pick<ParsedCall, 'caller' | 'visit'>,
  sizes: BodyForm,
  deps: ApiDeps,
): Promise<HandlerAnswer | WaitingAnswer<HandlerAnswer>> {
  const body = endpoint.body && readBody(request, sizes);
  const call: ParsedCall = {
    ...from,
    bodyHash: body?.hash ?? '',
    ...callHeaders(request, endpoint),
    params: endpoint.params && parseParams(endpoint.params, request.params),
    query: endpoint.query && parseInput(endpoint.query, request.query),
    body: endpoint.body && parseInput(endpoint.body, body?.value),
  };
  const handled = await endpoint.handle(call, deps, (status, content) => ({ status, body: content }));
  return handled ?? { status: 204, body: undefined };
}

/**
 * Checks the caller again, because a token can be revoked, or a member removed, while a body arrives.
 * @returns the caller; for a console user, with the current capabilities
 * @throws PublicError unauthorized, also if the user has switched to another organization; forbidden if the user no
 * longer has the capabilities
 */
async function callerNow(
  endpoint: Endpoint,
  request: Request,
  visit: Visit,
  caller: Caller,
  { deps, authentication }: ServerParts,
): Promise<Caller> {
  if (caller.kind === 'token') await authentication.authenticate(request.headers.authorization);
  if (endpoint.auth !== 'session' || caller.kind !== 'person') return caller;
  const { person } = await personOf(visit, deps);
  // The user may have switched to another organization in another window.
  if (person.organizationId !== caller.organizationId) throw signInFirst();
  demandCapabilities(person, endpoint);
  return person;
}

function demandCapabilities(person: PersonCaller, { capability, also }: EndpointFor<'session'>): void {
  if (capability !== 'member') demand(person, capability);
  if (also !== undefined) demand(person, also);
}

const signInFirst = () => new PublicError('unauthorized', { sentence: 'Sign in first.' });

/** @throws PublicError unauthorized if nobody is signed in */
async function personOf(visit: Visit, { auth, db }: ApiDeps) {
  const found = await forAccounts(() => findPerson(auth, db, visit));
  if (found === undefined) throw signInFirst();
  return found;
}

/** @returns the path's first parameter, which identifies the object for `demandAgents`; undefined if there is none */
function firstOf(params: Request['params']): string | undefined {
  const [value] = Object.values(params);
  return typeof value === 'string' ? value : undefined;
}

/**
 * Authenticates the caller in the way that the operation requires, enforces its rate limits, and checks its
 * permissions.
 * @throws PublicError unauthorized, rate_limited, forbidden
 */
async function callerOf(
  endpoint: Endpoint,
  request: Request,
  visit: Visit,
  { deps, ...gate }: ServerParts,
): Promise<Caller> {
  switch (endpoint.auth) {
    case 'token': {
      const caller = await admit(request, gate);
      demandScope(caller, endpoint.scope);
      if (endpoint.also !== undefined) demandScope(caller, endpoint.also);
      await inOrganization(caller.organizationId, () =>
        demandAgents(deps.db, caller, endpoint.agents, firstOf(request.params)),
      );
      return caller;
    }
    case 'session': {
      const { person, cookies } = await personOf(visit, deps);
      await admitPerson(request, person, gate.rates);
      visit.setCookies(cookies);
      demandCapabilities(person, endpoint);
      return person;
    }
    case 'open':
      return { kind: 'anyone', address: visit.address };
  }
}

/**
 * Runs the work within the organization.
 * @param organizationId undefined for an open call, which concerns accounts only
 */
async function within(organizationId: string | undefined, work: () => Promise<void>): Promise<void> {
  if (organizationId === undefined) {
    await forAccounts(work);
    return;
  }
  addIds({ organization_id: organizationId });
  await inOrganization(organizationId, work);
}

function visitOf(request: Request, response: Response): Visit {
  return {
    get headers() {
      return fromNodeHeaders(request.headers);
    },
    address: request.ip,
    setCookies: (cookies) => {
      for (const cookie of cookies) response.append('Set-Cookie', cookie);
    },
  };
}

/**
 * Reads the headers that the operation accepts.
 * @throws PublicError validation_failed if If-Match is not a timestamp, or Idempotency-Key is empty or too long
 */
function callHeaders(
  request: Request,
  { events, takesIdempotencyKey, takesLastEventId, takesIfMatch }: Endpoint,
): Pick<ParsedCall, 'wantsEvents' | 'idempotencyKey' | 'lastEventId' | 'ifMatch'> {
  const stream = 'text/event-stream';
  return {
    // A caller that accepts anything gets a body, not events.
    wantsEvents: events !== undefined && request.accepts(['application/json', stream]) === stream,
    idempotencyKey: takesIdempotencyKey && keyFrom(request.get('idempotency-key')),
    lastEventId: takesLastEventId && request.get('last-event-id'),
    ifMatch: takesIfMatch && versionFrom(request.get('if-match')),
  };
}

/**
 * @param header an `updated_at`, with or without the quotes of an entity tag
 * @returns undefined if the header is absent or `*`, which match every version
 * @throws PublicError validation_failed if it is anything else
 */
function versionFrom(header: string | undefined): Date | undefined {
  if (header === undefined || header === '*') return undefined;
  const time = header.replace(/^"(.*)"$/, '$1');
  if (!timestamp.safeParse(time).success) throw invalidField('If-Match', "must be the agent's updated_at");
  return new Date(time);
}

/** @throws PublicError validation_failed if the key is empty or longer than 255 characters */
function keyFrom(header: string | undefined): string | undefined {
  if (header === undefined || (header.length > 0 && header.length <= 255)) return header;
  throw invalidField('Idempotency-Key', 'must have 1 to 255 characters');
}

/** Maximum details of an error, so that a hostile body cannot produce a response many times its size. Chosen. */
const maxDetails = 100;

/**
 * Parses a query or a body.
 * @throws PublicError validation_failed with the dotted paths of the first `maxDetails` invalid or unknown fields
 */
function parseInput<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new PublicError('validation_failed', {
    details: parsed.error.issues
      .slice(0, maxDetails)
      .flatMap((issue) => detailsOf(issue))
      .slice(0, maxDetails),
    ...namedField(schema, parsed.error.issues),
  });
}

/**
 * Codes of issues whose messages come from the schema alone, because the checks of the contract have constant messages.
 * The message of an unknown field names it, and its name comes from the caller.
 */
const unquoting: ReadonlySet<string | undefined> = new Set([
  'invalid_type',
  'invalid_value',
  'invalid_format',
  'too_big',
  'too_small',
  'not_multiple_of',
  'custom',
]);

/**
 * Finds the first invalid field that the schema names. Ignores all other fields, because their names come from the caller
 * and may contain anything.
 * @returns the field, and its problem unless that may quote the caller; nothing if there is no such field
 */
function namedField(
  schema: z.ZodType,
  issues: readonly z.core.$ZodIssue[],
): { field?: string; reason?: string } {
  if (!(schema instanceof z.ZodObject)) return {};
  for (const { path, code, message } of issues) {
    const field = String(path[0]);
    if (Object.hasOwn(schema.shape, field)) return { field, ...(unquoting.has(code) && { reason: message }) };
  }
  return {};
}

/** Parses path parameters. @throws PublicError not_found for a malformed identifier, because no object has it */
function parseParams<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new PublicError('not_found');
}

function detailsOf(issue: z.core.$ZodIssue, base: PropertyKey[] = []): ErrorDetail[] {
  const path = [...base, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: [...path, key].map(String).join('.'),
      message: 'is not a known field',
    }));
  }
  // For a union, reports only the errors of one branch: the one with the fewest errors, preferably of those that accept
  // the value's type.
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const distance = (errors: z.core.$ZodIssue[]) =>
      errors.length +
      (errors.some(({ code, path: at }) => code === 'invalid_type' && at.length === 0) ? maxDetails : 0);
    const [closest = []] = [...issue.errors].sort((a, b) => distance(a) - distance(b));
    return closest.flatMap((inner) => detailsOf(inner, path));
  }
  return [{ path: path.map(String).join('.'), message: issue.message }];
}

/**
 * Parses the body of a response to the console with the endpoint's schema. The console's pages take their types from
 * this schema. Removes unknown fields. Streams are not parsed.
 * @throws ZodError if the body does not match the schema
 */
function byContract({ answers }: Endpoint, answer: HandlerAnswer): HandlerAnswer {
  if (answer instanceof EventStream || answer.body instanceof Readable) return answer;
  const { status, body } = answer;
  return { status, body: answers?.[status]?.parse(body) };
}

/**
 * Sends the response. For a stream, resolves when it has ended or its reader has disconnected.
 * @throws the error of the stream's source; the response is then truncated
 */
async function sendAnswer(answer: HandlerAnswer, response: Response, produces = jsonLines): Promise<void> {
  if (answer instanceof EventStream) {
    await answer.send(response);
    return;
  }
  response.status(answer.status);
  if (answer.body === undefined) response.end();
  else if (answer.body instanceof Readable) {
    response.setHeader('Content-Type', produces);
    try {
      await pipeline(answer.body, response);
    } catch (error) {
      // A reader that disconnects is not an error.
      if (!(error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'))
        throw error;
    }
  } else response.type('application/json').send(stringify(answer.body));
}

/**
 * Mount paths of the observed routers. Express gives a route without the path of its router, so `observeRequests` adds
 * it. The first match is used, so `/v1/webhooks/gateway` precedes `/v1`. Pages and probes are not observed.
 */
const areas = ['/v1/webhooks/gateway', '/v1', '/console/api'];

/**
 * Observes each request below `areas`: measures it, except if the response is an event stream; starts a trace and logs
 * it for its organization, except for the console; and adds ids to its log lines.
 */
export function observeRequests(log: Logger, requests: RequestLog): RequestHandler {
  return (request, response, next) => {
    const area = areas.find((one) => request.url.startsWith(`${one}/`));
    if (area === undefined) {
      next();
      return;
    }
    const at = Date.now();
    const began = performance.now();
    const { method } = request;
    const ofConsole = area === '/console/api';
    const span = ofConsole ? undefined : beginRequestSpan(method, request.get('traceparent'));
    const id = requestIdAt(at);
    const ids: Ids = { request_id: id, ...(span !== undefined && { trace_id: span.traceId }) };
    if (!ofConsole) response.setHeader('Parley-Request-Id', id);
    response.once('close', () => {
      const { statusCode, writableFinished } = response;
      const route = area + routeOf(request);
      span?.end(
        `${method} ${route}`,
        { 'http.request.method': method, 'http.route': route, 'http.response.status_code': statusCode },
        statusCode >= 500,
      );
      const tookMs = performance.now() - began;
      requests.add(
        { id, at, method, route, path: pathOf(route, request.originalUrl), durationMs: tookMs },
        response,
      );
      if (log.isLevelEnabled('debug')) {
        log.debug(
          { ...ids, method, route, status: statusCode, duration_ms: Math.round(tookMs) },
          'request ended',
        );
      }
      if (response.getHeader('content-type') === 'text/event-stream') return;
      const status = writableFinished ? `${Math.floor(statusCode / 100)}xx` : 'cut';
      measureRequest({ method, route, status }, tookMs / 1000);
    });
    withIds(ids, () => {
      if (span !== undefined) span.within(next);
      else untraced(next);
    });
  };
}

const matched = z.object({ path: z.string() });

/** @returns the path as in the OpenAPI document, for example `/chat/{id}`; `/*` for every unknown path */
function routeOf(request: Request): string {
  const route = matched.safeParse(request.route);
  return route.success ? route.data.path.replaceAll(/:(\w+)/g, '{$1}') : '/*';
}

/** Routes with the id of an agent. */
const ofAgent = /^\/v1\/(?:agents|chat)\/\{id\}/;

/**
 * Returns the route with the id of its agent. Other parameters are of conversations and contacts, of which nothing may
 * stay once they are erased. Of a UUID, the last 4 digits remain, which tell neighbouring requests apart and identify
 * nothing: `…3f2a`. Of all else, and of the caller's own id of a contact, only `…` remains.
 * @param url the address of the request; its parameters are no longer at the request once a handler has thrown
 * @returns undefined if the route has no parameter
 */
function pathOf(route: string, url: string): string | undefined {
  if (!route.includes('{')) return undefined;
  const given = url.replace(/\?.*/, '').toLowerCase().split('/');
  const agentAt = ofAgent.test(route) ? route.split('/').indexOf('{id}') : -1;
  const shown = (part: string, at: number): string => {
    const value = given[at] ?? '';
    if (!part.startsWith('{')) return part;
    if (part === '{contactId}' || !uuidForm.test(value)) return '…';
    return at === agentAt ? value : `…${value.slice(-4)}`;
  };
  return route.split('/').map(shown).join('/');
}
