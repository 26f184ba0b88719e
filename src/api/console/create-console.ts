/** The console on the API process: its own endpoints under /console/api, and its pages. */
import { Readable } from 'node:stream';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { fromNodeHeaders } from 'better-auth/node';
import { RateLimiterPostgres } from 'rate-limiter-flexible';
import { createAuth } from '../../adapters/accounts/auth.ts';
import { acrossOrganizations, inOrganization } from '../../adapters/postgres/organization-scope.ts';
import { PublicError } from '../../contract/errors.ts';
import { admitPerson, type Gate } from '../admit.ts';
import type { ApiDeps } from '../deps.ts';
import { readBody, receiveBody } from '../read-body.ts';
import { writeNotes, type AuditNote } from '../audit-notes.ts';
import { EventStream } from '../event-stream.ts';
import { callHeaders, sendAnswer } from '../send-answer.ts';
import type { ConsoleAnswer, ConsoleEndpoint, Visit } from './console-endpoint.ts';
import type { ConsoleDeps } from './deps.ts';
import { consoleEndpoints } from './endpoints/index.ts';
import { demand, findPerson } from './person.ts';
import { refuseForeign } from './refuse-foreign.ts';

const mebibyte = 1024 * 1024;
/** Of calls that anybody may make: signing in, and an invitation. */
const largestOpenBody = 64 * 1024;
const failuresAllowed = 10;
const failureWindowSeconds = 300;

/** The router of `/console/api`. */
export function createConsole(apiDeps: ApiDeps, rates: Gate['rates']): express.Router {
  const { config, db } = apiDeps;
  const origin = new URL(config.PUBLIC_URL ?? `http://${config.HOST}:${config.PORT}`).origin;
  const deps: ConsoleDeps = {
    ...apiDeps,
    origin,
    auth: createAuth({ pool: db.pool, encryptionKey: config.ENCRYPTION_KEY, origin }),
    signInThrottle: new RateLimiterPostgres({
      ...{
        storeClient: db.pool,
        storeType: 'pool',
        tableName: 'sign_in_attempts',
        tableCreated: true,
        clearExpiredByTimeout: false,
      },
      ...{ points: failuresAllowed, duration: failureWindowSeconds },
    }),
  };
  const router = express.Router({ caseSensitive: true });
  router.use((_, response, next) => {
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('X-Content-Type-Options', 'nosniff');
    next();
  });
  router.use(refuseForeign(origin));
  for (const [path, operations] of Map.groupBy(consoleEndpoints, (endpoint) => endpoint.path)) {
    const route = router.route(path.replaceAll(/\{(\w+)\}/g, ':$1'));
    for (const endpoint of operations) route[endpoint.method](handlerOf(endpoint, deps, rates));
    route.all((_, response) => {
      response.setHeader('Allow', operations.map(({ method }) => method.toUpperCase()).join(', '));
      throw new PublicError('method_not_allowed');
    });
  }
  router.use(() => {
    throw new PublicError('not_found');
  });
  return router;
}

function handlerOf(endpoint: ConsoleEndpoint, deps: ConsoleDeps, rates: Gate['rates']): RequestHandler {
  const limit = endpoint.bodyLimit ?? (() => mebibyte);
  return async (request, response) => {
    const visit: Visit = {
      headers: fromNodeHeaders(request.headers),
      address: request.ip,
      setCookies: (cookies) => {
        for (const cookie of cookies) response.append('Set-Cookie', cookie);
      },
    };
    const call = () => ({
      params: request.params,
      query: request.query,
      body: endpoint.takesBody
        ? readBody(
            request,
            limit,
            endpoint.capability === 'anyone' ? { largestBody: largestOpenBody } : endpoint,
          ).value
        : undefined,
      visit,
    });
    if (endpoint.capability !== 'anyone') {
      await handleForPerson(endpoint, deps, call, { request, response, visit, rates });
      return;
    }
    if (endpoint.takesBody) await receiveBody(request, undefined, largestOpenBody);
    // Who it is, and of which organization, comes of what is sent.
    const answer = await acrossOrganizations(async () => await endpoint.handle(call(), deps));
    await sendAnswer(byContract(endpoint, answer), response);
  };
}

async function handleForPerson(
  endpoint: Exclude<ConsoleEndpoint, { capability: 'anyone' }>,
  deps: ConsoleDeps,
  call: () => { params: unknown; query: unknown; body: unknown; visit: Visit },
  {
    request,
    response,
    visit,
    rates,
  }: { request: Request; response: Response; visit: Visit; rates: Gate['rates'] },
): Promise<void> {
  const person = await acrossOrganizations(async () => await findPerson(deps.auth, deps.db, visit.headers));
  if (person === undefined) throw new PublicError('unauthorized', { sentence: 'Sign in first.' });
  await admitPerson(request, person, rates);
  visit.setCookies(person.cookies);
  // Before the body is read: what a person may not do is refused whatever it says.
  if (endpoint.capability !== 'member') demand(person, endpoint.capability);
  if (endpoint.takesBody) await receiveBody(request, person.organizationId, endpoint.largestBody);
  const notes: AuditNote[] = [];
  await inOrganization(person.organizationId, async () => {
    const answer = await endpoint.handle(
      { ...call(), ...callHeaders(request, endpoint), person, note: (...one) => void notes.push(one) },
      deps,
    );
    const { organizationId, userId: actorId, email: actor } = person;
    await writeNotes(deps, notes, { organizationId, actorId, actor, address: request.ip });
    await sendAnswer(byContract(endpoint, answer), response);
  });
}

/** By the schema that the pages take its type from: nothing else leaves, and nothing is missing. */
function byContract({ answers }: ConsoleEndpoint, answer: ConsoleAnswer): ConsoleAnswer {
  // Those are sent as they come about.
  if (answer instanceof EventStream || answer.body instanceof Readable) return answer;
  const { status, body } = answer;
  return { status, body: answers[status]?.parse(body) };
}
