/** GET /healthz and /readyz of the worker, for what restarts it and for who watches a deploy. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface WorkerHealth {
  port: number;
  close: () => Promise<void>;
}

/**
 * @param options.alive false once the process should be replaced
 * @param options.ready rejects while it cannot do its work
 */
export async function startWorkerHealth(options: {
  host: string;
  port: number;
  alive: () => boolean;
  ready: () => Promise<void>;
}): Promise<WorkerHealth> {
  const answerOf = async (path: string): Promise<[status: number, body: object]> => {
    if (path === '/healthz') return options.alive() ? [200, { status: 'ok' }] : [503, { status: 'ended' }];
    if (path !== '/readyz') return [404, { error: 'Not found' }];
    try {
      await options.ready();
      return [200, { status: 'ready' }];
    } catch (error) {
      return [503, { status: 'not ready', reason: error instanceof Error ? error.message : 'unknown' }];
    }
  };
  const server = createServer((request, response) => {
    void answerOf(request.url ?? '').then(([status, body]) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port, options.host, resolve);
  });
  return { port: portOf(server.address()), close: () => close(server) };
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
