/** Checks whether Postgres or another server accepts connections. */
import { once } from 'node:events';
import { connect } from 'node:net';
import pg from 'pg';

export type Reached = { outcome: 'connected' } | { outcome: 'silent' | 'refused'; why: string };

/**
 * Connects to Postgres once.
 * @returns `connected`; `silent` if the server is unreachable or still starting; `refused` if it returns another error
 */
export async function connects(url: string): Promise<Reached> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
    return { outcome: 'connected' };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const startingUp = !(error instanceof pg.DatabaseError) || error.code === '57P03';
    return { outcome: startingUp ? 'silent' : 'refused', why };
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Checks whether a server accepts connections. Waits up to 5 s.
 * @param address `host:port`
 * @returns an error message; undefined if the server accepted the connection
 */
export async function listens(address: string): Promise<string | undefined> {
  const { hostname, port } = new URL(`tcp://${address}`);
  const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) });
  const late = AbortSignal.timeout(5000);
  try {
    await once(socket, 'connect', { signal: late });
    return undefined;
  } catch (error) {
    if (late.aborted) return 'no answer within 5 s';
    return error instanceof Error ? error.message : String(error);
  } finally {
    // An error of the socket after the check would end the process if it had no listener.
    socket.on('error', () => undefined).destroy();
  }
}
