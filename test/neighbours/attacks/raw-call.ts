/** Requests as no client library sends them: their head and body in any bytes, at any pace. */
import { connect, type Socket } from 'node:net';
import { wordOf, type Attacker } from '../attack.ts';

export interface RawCall {
  socket: Socket;
  /** The status, or how the connection ended without one. */
  ended: Promise<string>;
}

/** @param head its bytes, with the empty line at their end, or without it */
export function rawCall({ target }: Attacker, head: string): RawCall {
  const { hostname, port } = new URL(target.origin);
  const { promise, resolve } = Promise.withResolvers<string>();
  let said = '';
  const socket = connect(Number(port), hostname)
    .on('data', (chunk: Buffer) => {
      if (said.length < 100) said += chunk.toString('latin1');
      const status = /^HTTP\/1\.1 (\d{3})/.exec(said)?.[1];
      if (status !== undefined) resolve(status);
    })
    .on('error', (error) => {
      resolve(wordOf(error));
    })
    .on('close', () => {
      resolve('closed');
    });
  socket.write(head);
  return { socket, ended: promise };
}
