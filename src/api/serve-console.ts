/**
 * Serves the console's built files, among them the documentation and the API reference, with a strict
 * Content-Security-Policy. A browser that opens an unknown path gets a page with status 404: below /docs/ the
 * documentation's, otherwise the console's. Paths of `programPath` get no page.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerResponse } from 'node:http';
import express, { type Request } from 'express';
import helmet from 'helmet';
import sirv, { type RequestHandler } from 'sirv';

const pagePath =
  /^\/(?:$|agents(?:\/|$)|conversations(?:\/|$)|deliveries(?:\/|$)|requests(?:\/|$)|sign-in\/|(?:settings\/api|admin\/tools|connect-mcp|models|approvals|webhooks|developers|members|roles|audit|account|data|invitation|reset)\/?$)/;
const assetPath = /^\/(?:assets\/|favicon\.svg$|(?:[a-z-]+-)?licenses?\.txt$)/;
/** The documentation's pages and the API reference. They are public, and search engines do not list them. */
const documentationPath = /^\/(?:docs(?:\/|$)|reference\/?$)/;
/** Paths that never return the console's page, even to a browser. */
const programPath = /^\/(?:v1|console\/api|oauth|\.well-known|assets|healthz|readyz)(?:\/|$)/;

/**
 * Creates the routes of the console's pages and files, and of the documentation.
 * @param folder the folder of the built console; no pages are served until it contains index.html
 * @param origin the console's origin; if it is https, the responses make browsers use only https
 */
export function serveConsole(folder: string, origin: string): express.Router {
  const router = express.Router();
  const overHttps = origin.startsWith('https:');
  const policy = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        // The components set style attributes for their position. Inline styles cannot run scripts.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        manifestSrc: ["'self'"],
        formAction: ["'self'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
        ...(overHttps && { upgradeInsecureRequests: [] }),
      },
    },
    strictTransportSecurity: overHttps,
    xFrameOptions: { action: 'deny' },
  });
  // Checks at each request whether the build exists, until it does, because it may be created while the API runs.
  let found: RequestHandler | undefined;
  const files = () =>
    (found ??= existsSync(join(folder, 'index.html'))
      ? sirv(folder, { brotli: true, gzip: true, etag: true, setHeaders })
      : undefined);
  router.use((request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      next();
      return;
    }
    const isPage = pagePath.test(request.path);
    const isDocumentation = documentationPath.test(request.path);
    const isMistyped = !isPage && !isDocumentation && !programPath.test(request.path) && isBrowser(request);
    const isFile = assetPath.test(request.path);
    const serve = isPage || isDocumentation || isMistyped || isFile ? files() : undefined;
    if (serve === undefined) {
      next();
      return;
    }
    policy(request, response, () => {
      if (isMistyped && !isFile) {
        // The console's page shows that the path does not exist. Express sends it, because sirv would answer 200.
        response.status(404).sendFile('index.html', { root: folder, ...uncached });
        return;
      }
      if (isDocumentation) {
        response.setHeader('X-Robots-Tag', 'noindex');
        const asked = request.url;
        request.url = documentOf(request.path);
        serve(request, response, () => {
          request.url = asked;
          if (!isBrowser(request)) next();
          else response.status(404).sendFile('docs-not-found.html', { root: folder, ...uncached });
        });
        return;
      }
      if (isPage) request.url = '/index.html';
      serve(request, response, next);
    });
  });
  return router;
}

const uncached = {
  etag: false,
  lastModified: false,
  acceptRanges: false,
  headers: { 'Cache-Control': 'no-cache' },
};

/** Returns the built file of a page of the documentation: `/docs/api.html` for /docs/api and for /docs/api/. */
function documentOf(path: string): string {
  const name = path.replace(/\/$/, '');
  return name === '/docs' ? '/docs/index.html' : `${name}.html`;
}

/** True if the caller prefers HTML to JSON, as browsers do. */
function isBrowser(request: Request): boolean {
  return request.accepts(['json', 'html']) === 'html';
}

/** Allows browsers to cache files under /assets/ for a year, because their names contain a hash of their content. */
function setHeaders(response: ServerResponse, path: string): void {
  const lasting = path.startsWith('/assets/');
  response.setHeader('Cache-Control', lasting ? 'public, max-age=31536000, immutable' : 'no-cache');
}
