/** Express from the endpoint table. */
import express, { type Request, type RequestHandler, type Response } from 'express';
import helmet from 'helmet';
import { inOrganization } from '../adapters/postgres/organization-scope.ts';
import { oauthCallbackPath } from '../workspace/client/oauth.ts';
import { filesPath } from '../adapters/secrets/file-links.ts';
import { publicOrigin } from '../config.ts';
import { PublicError } from '../contract/errors.ts';
import { admit, countAnswer, countBody, type Gate } from './admit.ts';
import { answerError } from './answer-error.ts';
import { tokenActor, writeNotes, type AuditNote } from './audit-notes.ts';
import { createConsole } from './console/create-console.ts';
import { signedIn } from './console/signed-in.ts';
import { noteIds } from '../observability/ids.ts';
import { notReadyReason } from '../readiness.ts';
import type { ApiDeps } from './deps.ts';
import type { Endpoint } from './endpoint.ts';
import { endpoints } from './endpoints/index.ts';
import { fileDownload } from './conversations/file-download.ts';
import { gatewayWebhook } from './whatsapp/gateway-webhook.ts';
import { mcp } from './workspace/mcp.ts';
import { mcpOAuth } from './accounts/mcp-oauth.ts';
import { oauthCallback } from './workspace/oauth-callback.ts';
import { observeRequests } from './observe-requests.ts';
import { openApiDocument } from './openapi/openapi.ts';
import { readBody, receiveBody } from './read-body.ts';
import { callHeaders, sendAnswer } from './send-answer.ts';
import { serveConsole } from './serve-console.ts';

const mebibyte = 1024 * 1024;

export interface AppParts extends Gate {
  deps: ApiDeps;
  /** Where the built console lies; it need not be there. */
  consoleFolder: string;
  /** Rejects while the process cannot do its work. */
  ready: () => Promise<void>;
}

export function createApp(parts: AppParts): express.Express {
  const app = express();
  const { deps } = parts;
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.get('/healthz', (_, response) => {
    response.json({ status: 'ok' });
  });
  app.get('/readyz', (_, response) => {
    parts.ready().then(
      () => response.json({ status: 'ready' }),
      (error: unknown) => {
        response.status(503).json({ status: 'not ready', reason: notReadyReason(error) });
      },
    );
  });
  app.use(observeRequests(deps.log));
  const document = openApiDocument(deps.config.PUBLIC_URL ?? '');
  app.get('/v1/openapi.json', (_, response) => {
    response.json(document);
  });
  const v1 = express.Router({ caseSensitive: true });
  v1.use('/webhooks/gateway', gatewayWebhook(deps, parts.rates.token));
  v1.route(oauthCallbackPath.replace('/v1', ''))
    .get(oauthCallback(deps.tools.connections, deps.config.PUBLIC_URL ?? '', signedIn(deps)))
    .all(takesOnly('GET'));
  v1.get(`${filesPath.replace('/v1', '')}/:id/:until/:signature`, fileDownload(deps));
  v1.route('/mcp')
    .post(mcp({ ...parts, tools: deps.tools, db: deps.db, publicUrl: publicOrigin(deps.config) }))
    .all(takesOnly('POST'));
  const byPath = Map.groupBy(endpoints, ({ path }) => path);
  for (const [path, operations] of byPath) {
    const route = v1.route(path.replaceAll(/\{(\w+)\}/g, ':$1'));
    for (const endpoint of operations) route[endpoint.method](handlerOf(endpoint, parts));
    route.all(takesOnly(...operations.map(({ method }) => method.toUpperCase())));
  }
  app.use('/v1', v1);
  app.use(mcpOAuth(deps.db, publicOrigin(deps.config)));
  app.use('/console/api', createConsole(deps, parts.rates));
  app.use(serveConsole(parts.consoleFolder, deps.config.PUBLIC_URL ?? ''));
  app.use(helmet());
  app.use(() => {
    throw new PublicError('not_found');
  });
  app.use((error: unknown, _request: Request, response: Response, _next: express.NextFunction) => {
    answerError(error, response, deps.log);
  });
  return app;
}

function takesOnly(...methods: string[]): RequestHandler {
  return (_, response) => {
    response.setHeader('Allow', methods.join(', '));
    throw new PublicError('method_not_allowed');
  };
}

function handlerOf(endpoint: Endpoint, { deps, ...gate }: AppParts): RequestHandler {
  const limit = endpoint.bodyLimit ?? (() => mebibyte);
  return async (request, response) => {
    const caller = await admit(request, gate);
    const { organizationId, tokenId } = caller;
    if (endpoint.body !== undefined) {
      await receiveBody(request, organizationId, endpoint.largestBody);
      await countBody(request, caller, gate);
    }
    const body = endpoint.body === undefined ? undefined : readBody(request, limit, endpoint);
    noteIds({ organization_id: organizationId });
    const notes: AuditNote[] = [];
    await inOrganization(organizationId, async () => {
      const answer = await endpoint.handle(
        {
          params: request.params,
          query: request.query,
          body: body?.value,
          bodyHash: body?.hash ?? '',
          ...{ organizationId, tokenId, address: request.ip },
          idempotencyKey: endpoint.takesIdempotencyKey && idempotencyKeyOf(request),
          ...callHeaders(request, endpoint),
          note: (...one) => void notes.push(one),
        },
        deps,
      );
      const who = { organizationId, actorId: tokenId, address: request.ip };
      await writeNotes(deps, notes, { ...who, actor: () => tokenActor(deps.db, tokenId) });
      await sendAnswer(answer, response);
      await countAnswer(response, caller, gate);
    });
  };
}

function idempotencyKeyOf(request: Request): string | undefined {
  const key = request.get('idempotency-key');
  if (key === undefined) return undefined;
  if (key.length > 0 && key.length <= 255) return key;
  throw new PublicError('validation_failed', {
    details: [{ path: 'Idempotency-Key', message: 'must have 1 to 255 characters' }],
  });
}
