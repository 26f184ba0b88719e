/**
 * Serves Temporal's UI only under known host names. The UI itself accepts any Host header. A web page whose host name
 * is rebound to 127.0.0.1 could therefore read and terminate workflows through a visitor's browser.
 */
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { randomInt } from 'node:crypto';

export interface UiDoor {
  port: number;
  close: () => Promise<void>;
}

/**
 * Starts the proxy in front of the UI. It responds with 421 to a request for an unknown host name.
 * @param options.target `http://host:port` of the UI
 * @param options.hosts further host names, without ports, that the proxy accepts besides localhost, 127.0.0.1 and [::1]
 * @throws the error of `listen`, for example if the port is in use
 */
export async function startUiDoor(options: {
  host: string;
  port: number;
  target: string;
  hosts?: readonly string[];
}): Promise<UiDoor> {
  const target = new URL(options.target);
  const known = new Set(['localhost', '127.0.0.1', '[::1]', ...(options.hosts ?? [])]);
  const server = createServer((incoming, response) => {
    if (!known.has(hostName(incoming))) {
      response.writeHead(421, { 'content-type': 'text/plain' });
      response.end('This is not a name of this Temporal UI. Open it by http://localhost and its port.\n');
      return;
    }
    pass(incoming, response, target);
  });
  server.listen(options.port, options.host);
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : options.port,
    close: async () => {
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
    },
  };
}

/**
 * @returns a loopback address for the UI. On Linux, it is a random one of 16 million, so that an attacker who rebinds a
 * host name cannot guess it. Elsewhere, it is 127.0.0.1, because macOS has no other loopback address by default.
 */
export function hiddenLoopback(): string {
  if (process.platform !== 'linux') return '127.0.0.1';
  return ['127', randomInt(1, 255), randomInt(256), randomInt(1, 255)].join('.');
}

function hostName({ headers }: IncomingMessage): string {
  return (headers.host ?? '').replace(/:\d+$/, '').toLowerCase();
}

function pass(incoming: IncomingMessage, response: ServerResponse, target: URL): void {
  const { method, url, headers } = incoming;
  const onward = request({ hostname: target.hostname, port: target.port, method, path: url, headers });
  onward.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
    answer.on('error', () => response.destroy());
  });
  onward.on('error', () => {
    if (response.headersSent) response.destroy();
    else
      response.writeHead(502, { 'content-type': 'text/plain' }).end("Temporal's UI does not answer yet.\n");
  });
  response.on('close', () => onward.destroy());
  incoming.pipe(onward);
}
