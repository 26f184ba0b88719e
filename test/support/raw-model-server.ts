/** A model server that answers with the bytes it is given: what a real one of some maker has sent. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RawAnswer {
  status: number;
  type: string;
  headers?: Record<string, string>;
  /** Written one after the other. */
  chunks: readonly string[];
  /** After the last chunk; default `end`. */
  then?: 'end' | 'reset';
}

export interface RawModelServer {
  origin: string;
  /** Paths and bodies of the requests so far. */
  requests: { path: string; body: Record<string, unknown> }[];
  /** Sets the answer to every request from now on. */
  answer: (answer: RawAnswer) => void;
  close: () => Promise<void>;
}

export const json = (status: number, body: unknown, headers: Record<string, string> = {}): RawAnswer => ({
  status,
  type: 'application/json',
  headers,
  chunks: [typeof body === 'string' ? body : JSON.stringify(body)],
});

/** Server-sent events, each in a write of its own. */
export const events = (...chunks: string[]): RawAnswer => ({
  status: 200,
  type: 'text/event-stream',
  chunks,
});
export const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
export const named = (event: string, value: object): string =>
  `event: ${event}\ndata: ${JSON.stringify({ type: event, ...value })}\n\n`;

export async function startRawModelServer(): Promise<RawModelServer> {
  const requests: RawModelServer['requests'] = [];
  let current: RawAnswer = json(500, {});
  const server = createServer((request, response) => {
    const read = async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>;
      requests.push({ path: request.url ?? '', body });
      const { status, type, headers, chunks: pieces, then } = current;
      response.writeHead(status, { 'content-type': type, ...headers });
      for (const piece of pieces) await new Promise((resolve) => response.write(piece, resolve));
      if (then === 'reset') response.socket?.resetAndDestroy();
      else response.end();
    };
    // Whoever hangs up before the request's end is not answered.
    void read().catch(() => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answer: (answer) => {
      current = answer;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
