/** Serves /healthz, /readyz and /metrics for orchestrators and monitoring, on a port separate from the public API. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { MetricsText } from './observability/metric.ts';
import { notReadyReason } from './readiness.ts';

export interface PrivatePort {
  port: number;
  close: () => Promise<void>;
}

/**
 * Starts the server, and waits until it listens.
 * @param options.alive returns false if the process must be replaced
 * @param options.ready rejects while the process is not ready
 * @param options.metrics returns all metrics in Prometheus's text format
 * @returns the port on which it listens, and a function that closes the server and its connections
 * @throws the error of `listen`, for example if the port is in use
 */
export async function startPrivatePort(options: {
  host: string;
  port: number;
  alive: () => boolean;
  ready: () => Promise<void>;
  metrics: () => Promise<MetricsText>;
}): Promise<PrivatePort> {
  const answerOf = async (path: string): Promise<Answer> => {
    switch (path) {
      case '/healthz':
        return options.alive() ? json(200, { status: 'ok' }) : json(503, { status: 'ended' });
      case '/metrics':
        return { status: 200, ...(await options.metrics()) };
      case '/readyz':
        await options.ready();
        return json(200, { status: 'ready' });
      default:
        return json(404, { error: 'Not found' });
    }
  };
  const notReady = (error: unknown) => json(503, { status: 'not ready', reason: notReadyReason(error) });
  const server = createServer((request, response) => {
    void answerOf(request.url ?? '')
      .catch(notReady)
      .then(({ status, contentType, text }) => {
        response.writeHead(status, { 'content-type': contentType }).end(text);
      });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port, options.host, resolve);
  });
  return { port: portOf(server.address()), close: () => close(server) };
}

type Answer = { status: number; contentType: string; text: string };

function json(status: number, body: object): Answer {
  return { status, contentType: 'application/json', text: JSON.stringify(body) };
}

function portOf(address: string | AddressInfo | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function close(server: ReturnType<typeof createServer>): Promise<void> {
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
}
