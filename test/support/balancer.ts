/**
 * One address for several servers, connection by connection in turn, as a network load balancer: who does not answer is
 * left out.
 */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export type Balancer = { port: number; close: () => Promise<void> };

/** @param options.port a free one when missing */
export async function startBalancer(options: {
  port?: number;
  targets: readonly number[];
}): Promise<Balancer> {
  const { targets } = options;
  const open = new Set<Socket>();
  let turn = 0;
  const reach = async (): Promise<Socket | undefined> => {
    const first = turn++;
    for (let tried = 0; tried < targets.length; tried++) {
      const far = connect({ host: '127.0.0.1', port: targets[(first + tried) % targets.length]! });
      const reached = await once(far, 'connect').then(
        () => true,
        () => false,
      );
      if (reached) return far;
    }
    return undefined;
  };
  const server = createServer({ pauseOnConnect: true }, (near) => {
    near.on('error', () => undefined);
    void reach().then((far) => {
      if (far === undefined) return near.resetAndDestroy();
      for (const socket of [near, far]) {
        open.add(socket);
        socket.on('error', () => {
          near.resetAndDestroy();
          far.resetAndDestroy();
        });
        socket.on('close', () => {
          open.delete(socket);
          near.destroy();
          far.destroy();
        });
      }
      near.pipe(far);
      far.pipe(near);
      return near.resume();
    });
  });
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
