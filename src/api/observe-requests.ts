/** Measures each request of the API and of the console by its route. */
import type { Request, RequestHandler } from 'express';
import { z } from 'zod';
import { measureRequest } from '../observability/api-metrics.ts';

/** Pages and probes are not observed. */
const areas = ['/v1', '/console/api'];

export const observeRequests: RequestHandler = (request, response, next) => {
  const area = areas.find((one) => request.url.startsWith(`${one}/`));
  if (area === undefined) {
    next();
    return;
  }
  const began = performance.now();
  response.once('close', () => {
    if (response.getHeader('content-type') === 'text/event-stream') return;
    const status = response.writableFinished ? `${Math.floor(response.statusCode / 100)}xx` : 'cut';
    const labels = { method: request.method, route: area + routeOf(request), status };
    measureRequest(labels, (performance.now() - began) / 1000);
  });
  next();
};

const matched = z.object({ path: z.string() });

/** As in the OpenAPI document, for instance `/chat/{id}`: of a path that nobody serves no label is made. */
function routeOf(request: Request): string {
  const route = matched.safeParse(request.route);
  return route.success ? route.data.path.replaceAll(/:(\w+)/g, '{$1}') : '/*';
}
