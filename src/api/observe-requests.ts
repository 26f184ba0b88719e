/**
 * Measures each request of the API and the console by route, starts its trace, and collects the fields of its log
 * line.
 */
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import type { Logger } from '../log.ts';
import { beginRequestSpan, type Ids, untraced, withIds } from '../observability/spans.ts';
import { measureRequest } from '../observability/api-metrics.ts';

/**
 * Mount paths of routers, because a route knows only the path below its router. Inner ones come first, because the
 * first match is used. Pages and probes are not observed.
 */
const areas = ['/v1/webhooks/gateway', '/v1', '/console/api'];

export function observeRequests(log: Logger): RequestHandler {
  return (request, response, next) => {
    observe(request, response, next, log);
  };
}

function observe(request: Request, response: Response, next: NextFunction, log: Logger): void {
  const area = areas.find((one) => request.url.startsWith(`${one}/`));
  if (area === undefined) {
    next();
    return;
  }
  const began = performance.now();
  const { method } = request;
  const span = area === '/console/api' ? undefined : beginRequestSpan(method, request.get('traceparent'));
  const ids: Ids = span === undefined ? {} : { trace_id: span.traceId };
  response.once('close', () => {
    const { statusCode, writableFinished } = response;
    const route = area + routeOf(request);
    span?.end(
      `${method} ${route}`,
      { 'http.request.method': method, 'http.route': route, 'http.response.status_code': statusCode },
      statusCode >= 500,
    );
    const tookMs = performance.now() - began;
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
}

const matched = z.object({ path: z.string() });

/** The path as in the OpenAPI document, for example `/chat/{id}`. Unknown paths share one label. */
function routeOf(request: Request): string {
  const route = matched.safeParse(request.route);
  return route.success ? route.data.path.replaceAll(/:(\w+)/g, '{$1}') : '/*';
}
