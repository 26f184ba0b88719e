/** A receiver that speaks bare TCP: sees every byte it is sent, answers whatever bytes a test wants. */
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

export type RawReceiver = {
  readonly port: number;
  /** Each connection's request, byte for byte. */
  readonly requests: string[];
  /** Connections accepted, whether or not they asked for anything. */
  readonly connections: () => number;
  readonly close: () => Promise<void>;
};

type Answering = (socket: Socket, request: string) => void;

/** Calls `answering` once a request has arrived whole (by its Content-Length). */
export async function startRawReceiver(
  answering: Answering,
  listen: (onSocket: (socket: Socket) => void) => Server = createServer,
): Promise<RawReceiver> {
  const requests: string[] = [];
  const open = new Set<Socket>();
  let connections = 0;
  const server = listen((socket) => {
    let text = '';
    let isAnswered = false;
    open.add(socket);
    socket.unref();
    socket.on('error', () => undefined);
    socket.on('close', () => open.delete(socket));
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      if (isAnswered || !isWhole(text)) return;
      isAnswered = true;
      requests.push(text);
      answering(socket, text);
    });
  });
  server.on('connection', () => {
    connections += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A test that fails before it closes its receiver must still let the run end.
  server.unref();
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    connections: () => connections,
    close: async () => {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  const length = Number(/^content-length: (\d+)/im.exec(text)?.[1] ?? 0);
  return end >= 0 && text.length >= end + 4 + length;
}

/** An answer with a Content-Length, as bytes. */
export function answer(status: number, body: string | Buffer, headers: Record<string, string> = {}): Buffer {
  const bytes = Buffer.from(body);
  const lines = Object.entries({ ...headers, 'Content-Length': String(bytes.byteLength) });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} Any\r\n${head}\r\n`), bytes]);
}
