import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/**
 * Checks whether a port can be bound now.
 * @returns `free`, or the system's error code (`EADDRINUSE`, `EACCES`, `EADDRNOTAVAIL` …)
 */
export async function probePort(port: number, host = '127.0.0.1'): Promise<'free' | (string & {})> {
  const server = createServer();
  try {
    server.listen({ port, host, exclusive: true });
    await once(server, 'listening');
  } catch (error) {
    return errorCode(error);
  }
  server.close();
  await once(server, 'close');
  return 'free';
}

/**
 * Finds a free port on an address of this machine, and leaves it in the TCP state TIME_WAIT: accepts one connection,
 * and closes its own end first. For about a minute, the system then does not assign the port to an outgoing connection,
 * but a server can still bind it by number. Without TIME_WAIT, the system could assign the port before the server binds
 * it.
 * @throws Error if no port can be bound
 */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  const server = createServer((accepted) => accepted.end());
  try {
    server.listen({ port: 0, host, exclusive: true });
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('it has no address');
    const { port } = address;
    await once(connect({ port, host }).resume(), 'close');
    server.close();
    await once(server, 'close');
    return port;
  } catch (error) {
    throw new Error(`This machine has no free port left (${errorCode(error)}).`, { cause: error });
  }
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
