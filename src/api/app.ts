/** Builds the API's Express app: probes, /v1, the OAuth routes for MCP clients, and the console with its API. */
import express, { type Request, type Response } from 'express';
import helmet from 'helmet';
import { oauthCallbackPath } from '../workspace/client/oauth.ts';
import { filesPath } from '../adapters/secrets/file-links.ts';
import { publicOrigin } from '../config.ts';
import { PublicError } from '../contract/errors.ts';
import { mcpCallbackPath } from '../contract/mcp-servers/callback-path.ts';
import { answerError } from './answer-error.ts';
import { signedIn } from './accounts/person.ts';
import { notReadyReason } from '../readiness.ts';
import { consoleEndpoints } from './endpoints/console.ts';
import { endpoints } from './endpoints/index.ts';
import { fileDownload } from './conversations/file-download.ts';
import { gatewayWebhook } from './whatsapp/gateway-webhook.ts';
import { mcp } from './workspace/mcp.ts';
import { mcpOAuth } from './accounts/mcp-oauth.ts';
import { mcpSignInCallback } from './mcp-servers/sign-in-callback.ts';
import { oauthCallback } from './workspace/oauth-callback.ts';
import { openAiErrors, openAiNotFound } from './conversations/openai-errors.ts';
import { openApiDocument } from './openapi/openapi.ts';
import { refuseForeign } from './refuse-foreign.ts';
import type { RequestLog } from './request-log.ts';
import { observeRequests, serveEndpoints, takesOnly, type ServerParts } from './serve-endpoints.ts';
import { serveConsole } from './serve-console.ts';

export interface AppParts extends ServerParts {
  requests: RequestLog;
  /** Folder of the built console; it may be missing. */
  consoleFolder: string;
  /** Resolves if the process is ready; otherwise rejects with an error. /readyz shows its `notReadyReason`. */
  ready: () => Promise<void>;
}

/**
 * Creates the app of the API process: health, the API, the console, webhooks, OAuth and the pages. Its last handler
 * sends the responses for errors that the other handlers throw.
 */
export function createApp(parts: AppParts): express.Express {
  const app = express();
  const { deps } = parts;
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.set('trust proxy', deps.config.TRUST_PROXY);
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
  app.use(observeRequests(deps.log, parts.requests));
  const v1 = express.Router({ caseSensitive: true });
  const document = openApiDocument(deps.config.PUBLIC_URL ?? '');
  v1.get('/openapi.json', (_, response) => {
    response.json(document);
  });
  v1.use('/webhooks/gateway', gatewayWebhook(deps, parts.rates.token));
  v1.route(oauthCallbackPath.replace('/v1', ''))
    .get(oauthCallback(deps.tools.connections, deps.config.PUBLIC_URL ?? '', signedIn(deps)))
    .all(takesOnly('GET'));
  v1.route(mcpCallbackPath(':id'))
    .get(mcpSignInCallback(deps.mcpSignIns, deps.config.PUBLIC_URL ?? '', signedIn(deps)))
    .all(takesOnly('GET'));
  v1.get(`${filesPath.replace('/v1', '')}/:id/:until/:signature`, fileDownload(deps));
  v1.route('/mcp')
    .post(mcp({ ...parts, tools: deps.tools, db: deps.db, publicUrl: publicOrigin(deps.config) }))
    .all(takesOnly('POST'));
  serveEndpoints(v1, endpoints, parts);
  v1.use('/openai', openAiNotFound, openAiErrors(deps.log));
  app.use('/v1', v1);
  app.use(mcpOAuth(deps.db, publicOrigin(deps.config)));
  app.use('/console/api', consoleRouter(parts));
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

/** Creates the router of the console's API, which refuses calls from other origins and forbids caching. */
function consoleRouter(parts: ServerParts): express.Router {
  const router = express.Router({ caseSensitive: true });
  router.use((_, response, next) => {
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('X-Content-Type-Options', 'nosniff');
    next();
  });
  router.use(refuseForeign(parts.deps.origin));
  serveEndpoints(router, consoleEndpoints, parts);
  router.use(() => {
    throw new PublicError('not_found');
  });
  return router;
}
