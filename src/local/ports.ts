import { createServer } from 'node:net';

/**
 * Checks whether a port can be bound now.
 * @returns `free`, or the system's error code (`EADDRINUSE`, `EACCES`, `EADDRNOTAVAIL` …)
 */
export async function probePort(port: number, host = '127.0.0.1'): Promise<'free' | (string & {})> {
  const got = await listenOnce(port, host);
  return typeof got === 'string' ? got : 'free';
}

/**
 * Finds a free port on an address of this machine.
 * @throws Error if no port can be bound
 */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  const got = await listenOnce(0, host);
  if (typeof got === 'string') throw new Error(`This machine has no free port left (${got}).`);
  return got;
}

async function listenOnce(port: number, host: string): Promise<number | string> {
  const server = createServer();
  return new Promise((resolve) => {
    server.on('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code ?? error.message);
    });
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      server.close(() => {
        resolve(typeof address === 'object' && address !== null ? address.port : 'it has no address');
      });
    });
  });
}
