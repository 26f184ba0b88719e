/**
 * Serves a table of endpoints: authenticates each call, enforces its rate limits, reads its body, and calls the
 * handler within the caller's organization.
 */
import { Readable } from 'node:stream';
import { fromNodeHeaders } from 'better-auth/node';
import type { Request, RequestHandler, Response, Router } from 'express';
import { acrossOrganizations, inOrganization } from '../adapters/postgres/organization-scope.ts';
import { PublicError } from '../contract/errors.ts';
import { addIds } from '../observability/ids.ts';
import { demand, findPerson } from './accounts/person.ts';
import { admit, admitPerson, countAnswer, countBody, type Gate } from './admit.ts';
import type { Caller } from './caller.ts';
import type { ApiDeps } from './deps.ts';
import type { Endpoint, HandlerAnswer, RawCall, Visit } from './endpoint.ts';
import { EventStream } from './event-stream.ts';
import { readBody, receiveBody } from './read-body.ts';
import { callHeaders, sendAnswer } from './send-answer.ts';

const mebibyte = 1024 * 1024;
/** Maximum body of unauthenticated calls: sign-in and invitations. */
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
 * @returns a handler that answers every call with method_not_allowed
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
    // Checked before the body is read, because a forbidden call is refused whatever it contains.
    const caller = await callerOf(endpoint, request, visit, parts);
    const organizationId = caller.kind === 'anyone' ? undefined : caller.organizationId;
    const maxBodyBytes = endpoint.auth === 'open' ? maxOpenBodyBytes : endpoint.maxBodyBytes;
    if (endpoint.body !== undefined) {
      await receiveBody(request, organizationId, maxBodyBytes);
      if (caller.kind === 'token') await countBody(request, caller, parts);
    }
    const sizes = { ...endpoint, ...(maxBodyBytes !== undefined && { maxBodyBytes }) };
    const body = endpoint.body && readBody(request, endpoint.bodyLimit ?? (() => mebibyte), sizes);
    const call: RawCall = {
      ...{ caller, visit, params: request.params, query: request.query },
      ...{ body: body?.value, bodyHash: body?.hash ?? '' },
      ...callHeaders(request, endpoint),
    };
    await within(organizationId, async () => {
      const answer = await endpoint.handle(call, deps);
      await sendAnswer(endpoint.auth === 'token' ? answer : byContract(endpoint, answer), response);
      if (caller.kind === 'token') await countAnswer(response, caller, parts);
    });
  };
}

/** @throws PublicError unauthorized, rate_limited, forbidden */
async function callerOf(
  endpoint: Endpoint,
  request: Request,
  visit: Visit,
  { deps, ...gate }: ServerParts,
): Promise<Caller> {
  switch (endpoint.auth) {
    case 'token':
      return await admit(request, gate);
    case 'session': {
      const found = await acrossOrganizations(() => findPerson(deps.auth, deps.db, visit));
      if (found === undefined) throw new PublicError('unauthorized', { sentence: 'Sign in first.' });
      await admitPerson(request, found.person, gate.rates);
      visit.setCookies(found.cookies);
      if (endpoint.capability !== 'member') demand(found.person, endpoint.capability);
      return found.person;
    }
    case 'open':
      return { kind: 'anyone', address: visit.address };
  }
}

/** @param organizationId undefined for an open call, whose organization follows from the request */
async function within(organizationId: string | undefined, work: () => Promise<void>): Promise<void> {
  if (organizationId === undefined) {
    await acrossOrganizations(work);
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
 * Parses the body with its response schema, from which the console's pages take their types. Removes unknown fields;
 * a missing field is an error.
 */
function byContract({ answers }: Endpoint, answer: HandlerAnswer): HandlerAnswer {
  // Streams are sent as they arrive.
  if (answer instanceof EventStream || answer.body instanceof Readable) return answer;
  const { status, body } = answer;
  return { status, body: answers[status]?.parse(body) };
}
