/** Stands between a program and a server, so that a test can take the server away from this program alone. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export type TcpProxy = {
  port: number;
  /** The server is gone: every connection is reset, new ones are refused. */
  cut: () => Promise<void>;
  /** The server is there and silent: connections are taken, nothing passes. */
  freeze: () => void;
  restore: () => Promise<void>;
  close: () => Promise<void>;
};

export async function startTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const open = new Set<Socket>();
  let frozen = false;
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
    near.on('data', (chunk) => {
      if (!frozen) far.write(chunk);
    });
    far.on('data', (chunk) => {
      if (!frozen) near.write(chunk);
    });
  });
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
    restore: async () => {
      // What was swallowed is lost for good: connections start anew.
      for (const socket of open) socket.resetAndDestroy();
      frozen = false;
      if (!server.listening) await listen();
    },
    close: cut,
  };
}
