/** A proxy between a program and a server, so that a test can take the server away from this program alone. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export type TcpProxy = {
  port: number;
  /** The server is gone: every connection is reset, new ones are refused. */
  cut: () => Promise<void>;
  /** The server is there and silent: connections are taken, nothing passes. */
  freeze: () => void;
  /** Every piece of data is late by so much, give or take half of it; in order all the same. 0 ends it. */
  slow: (ms: number) => void;
  /** New connections lead to this server, as after a change of a name's address. */
  lead: (to: { host: string; port: number }) => void;
  restore: () => Promise<void>;
  close: () => Promise<void>;
};

export async function startTcpProxy(first: { host: string; port: number }): Promise<TcpProxy> {
  let target = first;
  const open = new Set<Socket>();
  let frozen = false;
  let lateMs = 0;
  let port = 0;
  const server = createServer((near) => {
    const far = connect(target);
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on('close', () => {
        open.delete(socket);
        near.destroy();
        far.destroy();
      });
      socket.on('error', () => undefined);
    }
    pass(near, far);
    pass(far, near);
  });
  const pass = (from: Socket, to: Socket) => {
    let earliest = 0;
    from.on('data', (chunk) => {
      if (frozen) return;
      const now = performance.now();
      const due = Math.max(earliest, lateMs === 0 ? now : now + lateMs * (0.5 + Math.random()));
      earliest = due;
      if (due <= now) to.write(chunk);
      else setTimeout(() => to.write(chunk), due - now);
    });
  };
  const listen = async () => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  };
  const cut = async () => {
    const closed = server.listening ? once(server, 'close') : undefined;
    server.close();
    for (const socket of open) socket.resetAndDestroy();
    await closed;
  };
  await listen();
  return {
    port,
    cut,
    freeze: () => {
      frozen = true;
    },
    slow: (ms) => {
      lateMs = ms;
    },
    lead: (to) => {
      target = to;
    },
    restore: async () => {
      // Swallowed bytes are lost, so the connections must start again.
      for (const socket of open) socket.resetAndDestroy();
      frozen = false;
      if (!server.listening) await listen();
    },
    close: cut,
  };
}
